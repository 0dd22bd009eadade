/** The table of all rows, with a filter per axis. */
import { useState } from "react";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { columns, matches, valuesIn, type Filter } from "./columns.ts";
import { words } from "./words.ts";

interface RowTableProps {
  configs: readonly AlgorithmConfig[];
  /** Names of the rows that are being read. */
  picked: readonly string[];
  /** Address of an algorithm's page. */
  hrefOf: (name: string) => string;
}

export function RowTable({ configs, picked, hrefOf }: RowTableProps) {
  const [filter, setFilter] = useState<Filter>({});
  const shown = configs.filter((config) => matches(config, filter));
  return (
    <section className="panel" aria-labelledby="algorithms-table" data-testid="algorithms-table">
      <h2 id="algorithms-table">{words.table}</h2>
      <FilterFields {...{ configs, filter, setFilter }} />
      <p role="status" className="note" data-testid="shown">
        {shown.length === 0 ? words.none : words.shown(shown.length, configs.length)}
      </p>
      <div className="table-scroll row-table" tabIndex={0} role="group" aria-label={words.table}>
        <table className="figures">
          <thead>
            <tr>
              <th scope="col">{words.algorithm}</th>
              {columns.map(({ id, title }) => (
                <th key={id} scope="col">
                  <span className="axis-letter">{id}</span> {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((config) => (
              <Row
                key={config.name}
                config={config}
                picked={picked.includes(config.name)}
                href={hrefOf(config.name)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface RowProps {
  config: AlgorithmConfig;
  picked: boolean;
  href: string;
}

function Row({ config, picked, href }: RowProps) {
  const { name, title } = config;
  return (
    <tr data-row={name} className={picked ? "picked" : undefined}>
      <th scope="row">
        <a href={href} aria-current={picked ? "true" : undefined}>
          {title}
        </a>
      </th>
      {columns.map(({ id, cell, meaning }) => {
        const { value, text } = cell(config);
        return (
          <td key={id} title={meaning(value) || undefined}>
            {text}
          </td>
        );
      })}
    </tr>
  );
}

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
    <details>
      <summary>{words.filter}</summary>
      <div className="fields">
        {columns.map((column) => (
          <label key={column.id} className="field">
            <span className="field-label">{`${column.id} ${column.title}`}</span>
            <select
              value={filter[column.id] ?? ""}
              data-testid={`filter-${column.id}`}
              onChange={({ target }) => choose(column.id, target.value)}
            >
              <option value="">{words.any}</option>
              {valuesIn(column, configs).map((value) => (
                <option key={value} value={value}>
                  {value}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      <div className="buttons">
        <button type="button" data-testid="clear-filter" onClick={() => setFilter({})}>
          {words.clear}
        </button>
      </div>
    </details>
  );
}
