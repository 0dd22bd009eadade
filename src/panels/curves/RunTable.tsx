/** The runs that are drawn, and the settings in which they differ. */
import { useStore } from "zustand";
import { setCurves, toggled } from "../../store/curvesView.ts";
import { useExperiment } from "../../store/hooks.ts";
import { dropRun, isKept, keepRun, MAX_KEPT, renameRun, runShelf } from "../../store/runs.ts";
import type { NamedRun } from "../../store/runs.ts";
import { configDiff, type ConfigDifference } from "./configDiff.ts";
import type { CurveJob } from "./lines.ts";
import { iterationsOf, letterOf } from "./runGroups.ts";
import { words } from "./words.ts";

const text = words.runs;

export function RunTable({ job: { runs, settings } }: { job: CurveJob }) {
  const differences = configDiff(runs);
  return (
    <section aria-label={text.title} className="curve-runs">
      <h4>{text.title}</h4>
      <p className="note">{text.intro}</p>
      <KeepButton />
      {runs.length > 0 && (
        <div className="table-scroll" tabIndex={0} role="group" aria-label={text.title}>
          <table data-testid="run-table">
            <thead>
              <tr>
                {Object.values(text.columns).map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
                {differences.map(({ path }) => (
                  <th key={path} scope="col" data-path={path}>
                    <code>{path}</code>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {runs.map((run, i) => (
                <RunRow
                  key={run.id}
                  run={run}
                  letter={letterOf(run.place)}
                  shown={!settings.hidden.includes(run.id)}
                  differences={differences}
                  place={i}
                  alone={runs.length === 1}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {runs.length > 1 && (
        <p className="note">{differences.length === 0 ? text.same : text.differ}</p>
      )}
    </section>
  );
}

interface RunRowProps {
  run: NamedRun;
  letter: string;
  shown: boolean;
  differences: readonly ConfigDifference[];
  place: number;
  /** One run needs no letter to tell it by. */
  alone: boolean;
}

function RunRow({ run, letter, shown, differences, place, alone }: RunRowProps) {
  const { store } = useExperiment();
  const { id, label, origin, spec, log } = run;
  const toggle = () => setCurves(store, { hidden: toggled(store.getState().curves.hidden, id) });
  const crashes = new Set(log.crashes.map(({ algorithm }) => algorithm)).size;
  return (
    <tr data-run={letter}>
      <td>
        <input type="checkbox" checked={shown} aria-label={text.show(label)} onChange={toggle} />
      </td>
      <th scope="row">
        {!alone && <span className="curve-letter-tag">{letter}</span>}{" "}
        <RunName run={run} letter={letter} />
      </th>
      <td>{text.origins[origin]}</td>
      <td className="number">{spec?.seed ?? text.unknown}</td>
      <td className="number">
        {iterationsOf(log)}
        {crashes > 0 && " "}
        {crashes > 0 && <span className="tag tag-crash">{text.crashed(crashes)}</span>}
      </td>
      {differences.map(({ path, values }) => (
        <td key={path}>{values[place] ?? text.absent}</td>
      ))}
    </tr>
  );
}

/** A kept run can be called something, and dropped. */
function RunName({ run: { log, label }, letter }: { run: NamedRun; letter: string }) {
  const kept = useStore(runShelf, (shelf) => isKept(log, shelf));
  if (!kept) return label;
  return (
    <>
      <input
        value={label}
        maxLength={60}
        aria-label={text.name(letter)}
        onChange={({ target }) => renameRun(log, target.value)}
      />{" "}
      <button
        type="button"
        className="quiet"
        aria-label={text.dropLabel(label)}
        onClick={() => dropRun(log)}
      >
        {text.drop}
      </button>
    </>
  );
}

function KeepButton() {
  const { store } = useExperiment();
  const log = useStore(store, ({ view }) => (view.origin === "none" ? null : view.log));
  const shelf = useStore(runShelf);
  if (!log) return null;
  if (isKept(log, shelf)) return <p className="note">{text.kept}</p>;
  if (shelf.runs.length >= MAX_KEPT) return <p className="note">{text.full(MAX_KEPT)}</p>;
  return (
    <button
      type="button"
      data-testid="keep-run"
      onClick={() => keepRun(log, text.keptLabel(shelf.runs.length + 1))}
    >
      {text.keep}
    </button>
  );
}
