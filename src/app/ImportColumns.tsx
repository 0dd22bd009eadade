/** What the columns of a table are that no known program wrote: chosen once for all files with these columns. */
import { useState } from "react";
import { isRowField, rowFields, usualMap, type RowMap } from "../interchange/import/choices.ts";
import { readValue, writeValue } from "../runtime/shelf/smallValue.ts";
import { isRecord } from "../spec/jsonText.ts";
import type { ExperimentHandle } from "../store/hooks.ts";
import { readAgain, type ImportSource } from "../store/imports.ts";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { words as importWords } from "./importWords.ts";

const words = importWords.columns;
const KEY = "turnbook.columns.v1";
/** Sets of columns that are remembered, the last ones. */
const MOST = 50;

interface ImportColumnsProps {
  experiment: ExperimentHandle;
  /** At least two. */
  columns: readonly string[];
  from: ImportSource;
}

export function ImportColumns({ experiment, columns, from }: ImportColumnsProps) {
  const [map, setMap] = useState<RowMap>(() => rememberedMap(columns) ?? usualMap(columns));
  const [problem, setProblem] = useState<string | null>(null);
  const read = () => {
    const fault = faultIn(map);
    setProblem(fault);
    if (fault !== null) return;
    rememberMap(columns, map);
    readAgain(experiment, from, { ...from.choices, map });
  };
  return (
    <form
      className="notice import-form"
      data-testid="import-columns"
      onSubmit={(event) => {
        event.preventDefault();
        read();
      }}
    >
      <strong>{words.title}</strong>
      <p>{words.why}</p>
      <div className="fields">
        {rowFields.map((field) => (
          <Field key={field} label={words.fields[field][0]} hint={words.fields[field][1]}>
            {(control) => (
              <select
                {...control}
                data-testid={`import-column-${field}`}
                value={map[field] ?? ""}
                onChange={({ target: { value } }) => {
                  const { [field]: _, ...others } = map;
                  setMap(value === "" ? others : { ...others, [field]: value });
                }}
              >
                <option value="">{words.none}</option>
                {columns.map((column) => (
                  <option key={column}>{column}</option>
                ))}
              </select>
            )}
          </Field>
        ))}
      </div>
      {problem !== null && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <Button type="submit" data-testid="import-columns-read">
        {words.read}
      </Button>
    </form>
  );
}

function faultIn({ messages, prompt, completion, reward, rewards }: RowMap): string | null {
  const isPair = prompt !== undefined && completion !== undefined;
  if (messages === undefined && !isPair) return words.noText;
  return isPair || reward !== undefined || rewards !== undefined ? null : words.noReward;
}

const keyOf = (columns: readonly string[]) => JSON.stringify(columns.toSorted());

function remembered(): Record<string, unknown> {
  const all = readValue("site", KEY);
  return isRecord(all) ? all : {};
}

/** For the same set of columns; null if there is none, or another page wrote something else there. */
function rememberedMap(columns: readonly string[]): RowMap | null {
  const map = remembered()[keyOf(columns)];
  if (!isRecord(map)) return null;
  const fits = ([field, column]: [string, unknown]) =>
    isRowField(field) && columns.includes(column as string);
  return Object.fromEntries(Object.entries(map).filter(fits));
}

function rememberMap(columns: readonly string[], map: RowMap): void {
  const { [keyOf(columns)]: _, ...others } = remembered();
  const kept = Object.entries(others).slice(-MOST + 1);
  writeValue("site", KEY, Object.fromEntries([...kept, [keyOf(columns), map]]));
}
