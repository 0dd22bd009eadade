/** Recorded seeds of one setting in the table of runs: one row for all, and each of them below it on demand. */
import { useState, type ReactNode } from "react";
import { setCurves } from "../../store/curvesView.ts";
import { useExperiment } from "../../store/hooks.ts";
import type { NamedRun } from "../../store/runs.ts";
import { environmentOf } from "../../reading/curveMetrics.ts";
import { titleOf } from "../../reading/titles.ts";
import { Button } from "../../ui/Button.tsx";
import type { ConfigDifference } from "./configDiff.ts";
import { algorithmsOf } from "./lines.ts";
import { collapsedIn, endOfRuns } from "./ends.ts";
import { metricOf } from "./metrics.ts";
import { finishedIterations, groupRuns, lettersOf } from "./runGroups.ts";
import { words } from "./words.ts";

const text = words.runs;

/** What a run's rows are made of: seeds recorded together are one, whatever the charts make of seeds. */
export function tableRows(
  runs: readonly NamedRun[],
  together: readonly string[],
): readonly (readonly NamedRun[])[] {
  const groups = groupRuns(runs, { seeds: "mean", together });
  return groups.flatMap((group) =>
    group.runs.every(({ origin }) => origin === "recorded")
      ? [group.runs]
      : group.runs.map((run) => [run]),
  );
}

interface SeedRowsProps {
  /** At least two, in the order of their letters. */
  runs: readonly NamedRun[];
  hidden: readonly string[];
  differences: readonly ConfigDifference[];
  /** Of the first, in `differences`. */
  place: number;
  /** The rows of the seeds. */
  children: ReactNode;
}

export function SeedRows({ runs, hidden, differences, place, children }: SeedRowsProps) {
  const { store } = useExperiment();
  const [isOpen, setOpen] = useState(false);
  const name = algorithmsOf(runs).map(titleOf).join(", ");
  const shown = runs.filter(({ id }) => !hidden.includes(id)).length;
  const toggle = () => {
    const { hidden: now } = store.getState().curves;
    const others = now.filter((one) => !runs.some(({ id }) => id === one));
    const all = shown === 0 ? [] : runs.map(({ id }) => id);
    setCurves(store, { hidden: [...others, ...all] });
  };
  const end = endOf(runs);
  const collapsed = runs.filter(({ log }) => collapsedIn(log).length > 0).length;
  return (
    <>
      <tr data-seeds={name}>
        <td>
          <input
            type="checkbox"
            checked={shown > 0}
            ref={(box) => void (box && (box.indeterminate = shown > 0 && shown < runs.length))}
            aria-label={text.show(name)}
            onChange={toggle}
          />
        </td>
        <th scope="row">
          <span className="curve-letter-tag">{lettersOf(runs.map(({ place }) => place))}</span>{" "}
          {name}: {end?.text ?? text.noEnd}
          {collapsed > 0 && " "}
          {collapsed > 0 && <span className="tag tag-crash">{text.collapsed(collapsed)}</span>}
        </th>
        <td>{text.origins.recorded}</td>
        <td className="number">
          <Button
            aria-expanded={isOpen}
            aria-label={text.seedsOf(runs.length, name)}
            onClick={() => setOpen(!isOpen)}
          >
            {text.seeds(runs.length)}
          </Button>
        </td>
        <td className="number">{end?.iteration ?? finishedIterations(runs[0]!.log)}</td>
        {differences.map(({ path, values }) => (
          <td key={path}>{values[place] ?? text.absent}</td>
        ))}
      </tr>
      {isOpen && children}
    </>
  );
}

/** Where they ended on held-out levels: the mean, with its interval by Student's t; null where nothing was measured. */
function endOf(runs: readonly NamedRun[]): { text: string; iteration: number } | null {
  const logs = runs.map(({ log }) => log);
  const metric = metricOf("heldout", environmentOf(logs[0]!));
  const [method] = algorithmsOf(runs);
  const end = metric && method !== undefined ? endOfRuns(logs, method, metric) : null;
  if (!metric || !end) return null;
  const { title, format } = metric;
  const { value, interval, iteration } = end;
  const spread = interval ? text.interval(format(interval.low), format(interval.high)) : "";
  return { text: text.end(title, format(value), spread, iteration), iteration };
}
