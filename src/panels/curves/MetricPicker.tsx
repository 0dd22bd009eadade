/** Adds a chart of any number that a run has. */
import { useId, useMemo, useState, type FormEvent } from "react";
import type { NamedRun } from "../../store/runs.ts";
import { metricId } from "./metrics.ts";
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
    const found = known.get(text.trim());
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
          placeholder="actor/entropy"
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

/** All numbers of all runs by name, the training's first; both kinds never share one. */
function metricsOfRuns(runs: readonly NamedRun[]): Map<string, string> {
  const names = (source: "train" | "heldout") =>
    [...new Set(runs.flatMap(({ log }) => log.metrics(source)))].sort();
  const known = new Map(names("train").map((name) => [name, metricId("train", name)]));
  for (const name of names("heldout"))
    known.set(known.has(name) ? `${name} (${words.add.heldout})` : name, metricId("heldout", name));
  return known;
}
