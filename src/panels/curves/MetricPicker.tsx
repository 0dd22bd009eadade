/** Adds a chart of any number that a run has. */
import { useId, useMemo, useState, type FormEvent } from "react";
import { findMetric, metricsByText } from "../../figures/curves/metrics.ts";
import { words } from "../../figures/curves/words.ts";
import type { RunLog } from "../../reading/log/runLog.ts";

interface MetricPickerProps {
  logs: readonly RunLog[];
  shown: readonly string[];
  onAdd: (id: string) => void;
}

/** Charts in one panel. */
const MOST = 24;

export function MetricPicker({ logs, shown, onAdd }: MetricPickerProps) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const listId = useId();
  const known = useMemo(() => metricsByText(logs), [logs]);
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
