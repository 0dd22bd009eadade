/**
 * The algorithms page: the picked algorithms come first, so that the reader does not scroll past
 * the others; then the credit of each, and the table of all choices.
 */
import {
  algorithmNames,
  isAlgorithmName,
  resolveAlgorithm,
  type AlgorithmConfig,
} from "../../spec/algorithms.ts";
import { outsideDoc, outsideNames } from "../../spec/algorithmDocs/docs.ts";
import { CreditPicture } from "./CreditPicture.tsx";
import { DifferenceSection } from "./DifferenceSection.tsx";
import { OutsideSection, RowSection } from "./DocSection.tsx";
import { InlineField, Field, Select } from "../../ui/Field.tsx";
import { useState } from "react";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { columns, matches, valuesIn, type Filter } from "./columns.ts";
import { words } from "./words.ts";
import { Folded } from "../../ui/Folded.tsx";
import { Button } from "../../ui/Button.tsx";

const configs = algorithmNames.map((name) => resolveAlgorithm(name));
const outsiders = outsideNames.map((name) => ({ name, title: outsideDoc(name).title }));

interface AlgorithmsPanelProps {
  /** Up to two names; the first is read, the second compared with it. */
  picked: readonly string[];
  /** Address of a choice. */
  hrefOf: (...names: string[]) => string;
  onPick: (...names: string[]) => void;
}

export function AlgorithmsPanel({ picked, hrefOf, onPick }: AlgorithmsPanelProps) {
  const [name, other] = picked;
  const isRow = name !== undefined && isAlgorithmName(name);
  const isOutside = name !== undefined && outsideNames.includes(name);
  return (
    <>
      {name !== undefined && !isRow && !isOutside && (
        <p role="alert" className="notice notice-warning" data-testid="unknown-algorithm">
          {`${words.unknown} ${name}`}
        </p>
      )}
      {isRow && (
        <>
          <CompareWith name={name} other={other} onPick={onPick} />
          {other !== undefined && isAlgorithmName(other) && (
            <DifferenceSection pair={[name, other]} />
          )}
          <RowSection key={name} name={name} leads={other === undefined} />
        </>
      )}
      {isOutside && <OutsideSection key={name} name={name} />}
      <CreditPicture configs={configs} picked={picked} hrefOf={hrefOf} />
      <RowTable configs={configs} picked={picked} hrefOf={hrefOf} />
      <p className="outsiders">
        <strong>{words.outside}.</strong> {words.outsideNote}{" "}
        {outsiders.map((one) => (
          <a
            key={one.name}
            href={hrefOf(one.name)}
            aria-current={one.name === name ? "true" : undefined}
          >
            {one.title}
          </a>
        ))}
      </p>
    </>
  );
}

interface CompareWithProps {
  name: string;
  other: string | undefined;
  onPick: (...names: string[]) => void;
}

function CompareWith({ name, other, onPick }: CompareWithProps) {
  const others = configs.filter((config) => config.name !== name);
  return (
    <p>
      <InlineField label={words.compare}>
        <Select
          value={other ?? ""}
          data-testid="compare-with"
          options={[["", words.nobody], ...others.map((one) => [one.name, one.title] as const)]}
          onPick={(picked) => onPick(...[name, picked].filter(Boolean))}
        />
      </InlineField>
    </p>
  );
}

interface RowTableProps {
  configs: readonly AlgorithmConfig[];
  /** Names of the rows that are being read. */
  picked: readonly string[];
  /** Address of an algorithm's page. */
  hrefOf: (name: string) => string;
}

/** The table of all rows, with a filter per axis. */
function RowTable({ configs, picked, hrefOf }: RowTableProps) {
  const [filter, setFilter] = useState<Filter>({});
  const shown = configs.filter((config) => matches(config, filter));
  return (
    <section className="panel" aria-labelledby="algorithms-table" data-testid="algorithms-table">
      <h2 id="algorithms-table">{words.table}</h2>
      <FilterFields configs={configs} filter={filter} setFilter={setFilter} />
      <p role="status" className="note" data-testid="shown">
        {shown.length === 0 ? words.none : words.shown(shown.length, configs.length)}
      </p>
      <DataTable
        label={words.table}
        boxClass="row-table"
        className="figures"
        columns={[nameColumn(picked, hrefOf), ...AXIS_COLUMNS]}
        rows={shown}
        keyOf={({ name }) => name}
        rowProps={({ name }) => ({
          "data-row": name,
          className: picked.includes(name) ? "picked" : undefined,
        })}
      />
    </section>
  );
}

function nameColumn(
  picked: readonly string[],
  hrefOf: (name: string) => string,
): TableColumn<AlgorithmConfig> {
  return {
    id: "name",
    head: words.algorithm,
    kind: "name",
    cell: ({ name, title }) => (
      <a href={hrefOf(name)} aria-current={picked.includes(name) ? "true" : undefined}>
        {title}
      </a>
    ),
  };
}

const AXIS_COLUMNS = columns.map(({ id, title, cell, meaning }): TableColumn<AlgorithmConfig> => ({
  id,
  head: (
    <>
      <span className="axis-letter">{id}</span> {title}
    </>
  ),
  cell: (config) => cell(config).text,
  cellProps: (config) => ({ title: meaning(cell(config).value) || undefined }),
}));

const named = (value: string) => [value, value] as const;

interface FilterFieldsProps {
  configs: readonly AlgorithmConfig[];
  filter: Filter;
  setFilter: (filter: Filter) => void;
}

function FilterFields({ configs, filter, setFilter }: FilterFieldsProps) {
  const choose = (id: keyof Filter, value: string) => {
    const { [id]: _old, ...others } = filter;
    setFilter(value === "" ? others : { ...others, [id]: value });
  };
  return (
    <Folded title={words.filter}>
      <div className="fields">
        {columns.map((column) => (
          <Field key={column.id} label={`${column.id} ${column.title}`}>
            {(control) => (
              <Select
                {...control}
                value={filter[column.id] ?? ""}
                data-testid={`filter-${column.id}`}
                options={[["", words.any], ...valuesIn(column, configs).map(named)]}
                onPick={(value) => choose(column.id, value)}
              />
            )}
          </Field>
        ))}
      </div>
      <div className="buttons">
        <Button data-testid="clear-filter" onClick={() => setFilter({})}>
          {words.clear}
        </Button>
      </div>
    </Folded>
  );
}
