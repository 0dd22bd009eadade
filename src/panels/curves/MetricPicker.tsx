/** Adds a chart of any number that a run has. */
import { useId, useMemo, useState, type FormEvent } from "react";
import type { NamedRun } from "../../store/runs.ts";
import { metricId, plainMetric } from "./metrics.ts";
import { words } from "./words.ts";

interface MetricPickerProps {
  runs: readonly NamedRun[];
  shown: readonly string[];
  onAdd: (id: string) => void;
}

/** Charts in one panel. */
const MOST = 24;

export function MetricPicker({ runs, shown, onAdd }: MetricPickerProps) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const listId = useId();
  const known = useMemo(() => metricsOfRuns(runs), [runs]);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const found = findMetric(known, text);
    if (found === undefined) return setProblem(words.add.unknown(text.trim()));
    if (shown.length >= MOST) return setProblem(words.add.full(MOST));
    if (!shown.includes(found)) onAdd(found);
    setProblem("");
    setText("");
  };
  return (
    <form className="curve-add" onSubmit={add}>
      <label title={words.add.hint}>
        {words.add.label}{" "}
        <input
          list={listId}
          value={text}
          data-testid="curves-add"
          placeholder={words.add.example}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <datalist id={listId}>
        {[...known.keys()].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button type="submit" disabled={text.trim() === ""}>
        {words.add.button}
      </button>
      {problem !== "" && <p role="alert">{problem}</p>}
    </form>
  );
}

/**
 * All numbers of all runs by what the reader may write: words with the name in logs beside them; both kinds never share one.
 * The training's come first.
 */
export function metricsOfRuns(runs: readonly NamedRun[]): Map<string, string> {
  const known = new Map<string, string>();
  for (const source of ["train", "heldout"] as const) {
    const names = [...new Set(runs.flatMap(({ log }) => log.metrics(source)))].sort();
    for (const name of names) {
      const { title } = plainMetric(name, source);
      const text = title === name ? name : `${title} · ${name}`;
      known.set(known.has(text) ? `${text} (${words.add.heldout})` : text, metricId(source, name));
    }
  }
  return known;
}

/** By the words with the name, or by either alone; else the shortest that has all words of the text somewhere. */
export function findMetric(known: ReadonlyMap<string, string>, text: string): string | undefined {
  const wanted = text.trim().toLowerCase();
  if (known.has(text.trim())) return known.get(text.trim());
  const isMeant = (full: string) =>
    full
      .toLowerCase()
      .split(" · ")
      .some((part) => part === wanted);
  const parts = wanted.split(/[\s/_-]+/).filter(Boolean);
  const names = [...known.keys()];
  const near = names
    .filter((full) => parts.length > 0 && parts.every((part) => full.toLowerCase().includes(part)))
    .sort((a, b) => a.length - b.length);
  return known.get(names.find(isMeant) ?? near[0] ?? "");
}
