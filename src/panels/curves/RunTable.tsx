/** The runs that are drawn, and the settings in which they differ. */
import { useStore } from "zustand";
import { setCurves, toggled } from "../../store/curvesView.ts";
import { useExperiment } from "../../store/hooks.ts";
import {
  dropRun,
  isKept,
  keepRun,
  MAX_KEPT,
  ownNameOf,
  renameRun,
  runShelf,
} from "../../store/runs.ts";
import type { NamedRun } from "../../store/runs.ts";
import { Table } from "../../ui/DataTable.tsx";
import { configDiff, saysAll, type ConfigDifference } from "./configDiff.ts";
import { collapsedIn } from "./ends.ts";
import type { CurveJob } from "./lines.ts";
import { finishedIterations, letterOf, lacksSeed } from "./runGroups.ts";
import { tableRows, SeedRows } from "./SeedRows.tsx";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";
import { CheckBox } from "../../ui/Field.tsx";

const text = words.runs;

export function RunTable({ job: { runs, settings } }: { job: CurveJob }) {
  const differences = configDiff(runs);
  const inOrder = [...runs].sort((a, b) => a.place - b.place);
  const unseeded = runs.filter(lacksSeed);
  const rowOf = (run: NamedRun) => (
    <RunRow
      key={run.id}
      run={run}
      letter={letterOf(run.place)}
      shown={!settings.hidden.includes(run.id)}
      differences={differences}
      place={runs.indexOf(run)}
      alone={runs.length === 1}
      together={lacksSeed(run) && unseeded.length > 1 ? settings.together.includes(run.id) : null}
    />
  );
  return (
    <section aria-label={text.title} className="curve-runs">
      <h4>{text.title}</h4>
      <p className="note">{text.intro}</p>
      <KeepButton />
      {runs.length > 0 && (
        <Table label={text.title} testId="run-table" head={<Head differences={differences} />}>
          {tableRows(inOrder, settings.together).map((group) =>
            group.length > 1 ? (
              <SeedRows
                key={group[0]!.id}
                runs={group}
                hidden={settings.hidden}
                differences={differences}
                place={runs.indexOf(group[0]!)}
              >
                {group.map(rowOf)}
              </SeedRows>
            ) : (
              group.map(rowOf)
            ),
          )}
        </Table>
      )}
      {runs.length > 1 && (
        <Notes runs={runs} settings={settings} differs={differences.length > 0} />
      )}
    </section>
  );
}

function Head({ differences }: { differences: readonly ConfigDifference[] }) {
  return (
    <>
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
    </>
  );
}

interface NotesProps extends CurveJob {
  differs: boolean;
}

/** What the table does not say by itself. */
function Notes({ runs, settings: { together }, differs }: NotesProps) {
  const letters = (some: readonly NamedRun[]) => {
    const places = some.map(({ place }) => place).sort((a, b) => a - b);
    return places.map(letterOf).join(", ");
  };
  const partly = runs.filter((run) => !saysAll(run));
  const unseeded = runs.filter(lacksSeed);
  const joined = unseeded.filter(({ id }) => together.includes(id));
  const apart = unseeded.length > 1 && joined.length < 2;
  return (
    <div className="note" data-testid="run-notes">
      {differs && <p>{text.differ}</p>}
      {!differs && partly.length === 0 && <p>{text.same}</p>}
      {partly.length > 0 && <p>{text.unknownSettings(letters(partly))}</p>}
      {apart && <p>{text.noSeeds(letters(unseeded))}</p>}
      {joined.length > 1 && <p>{text.together(letters(joined))}</p>}
    </div>
  );
}

interface RunRowProps {
  run: NamedRun;
  letter: string;
  shown: boolean;
  differences: readonly ConfigDifference[];
  place: number;
  /** A single run needs no letter. */
  alone: boolean;
  /** Whether the reader counts it as a seed of others; null where that is not asked. */
  together: boolean | null;
}

function RunRow({ run, letter, shown, differences, place, alone, together }: RunRowProps) {
  const { store } = useExperiment();
  const { id, label, origin, spec, log } = run;
  const toggle = () => setCurves(store, { hidden: toggled(store.getState().curves.hidden, id) });
  const collapsed = collapsedIn(log).length;
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
      <td className="number">
        {together === null ? (
          (spec?.seed ?? text.unknown)
        ) : (
          <IsSeed run={run} together={together} />
        )}
      </td>
      <td className="number">
        {finishedIterations(log)}
        {collapsed > 0 && " "}
        {collapsed > 0 && <span className="tag tag-crash">{text.collapsed(collapsed)}</span>}
      </td>
      {differences.map(({ path, values }) => (
        <td key={path}>{values[place] ?? (saysAll(run) ? text.absent : text.unknown)}</td>
      ))}
    </tr>
  );
}

/** Of a run whose file has no seed, the reader may say that it is one. */
function IsSeed({ run: { id, label }, together }: { run: NamedRun; together: boolean }) {
  const { store } = useExperiment();
  const toggle = () =>
    setCurves(store, { together: toggled(store.getState().curves.together, id) });
  return (
    <CheckBox checked={together} aria-label={text.isSeedLabel(label)} onChange={toggle}>
      {text.isSeed}
    </CheckBox>
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
      <Button look="quiet" aria-label={text.dropLabel(label)} onClick={() => dropRun(log)}>
        {text.drop}
      </Button>
    </>
  );
}

function KeepButton() {
  const { store } = useExperiment();
  const { log, origin } = useStore(store, ({ view }) => view);
  const shelf = useStore(runShelf);
  if (origin === "none") return null;
  if (isKept(log, shelf)) return <p className="note">{text.kept}</p>;
  if (shelf.runs.length >= MAX_KEPT) return <p className="note">{text.full(MAX_KEPT)}</p>;
  return (
    <Button
      data-testid="keep-run"
      onClick={() => {
        const label = ownNameOf(log) ?? text.keptLabel(shelf.runs.length + 1);
        keepRun(log, label, origin === "imported" ? origin : "kept");
      }}
    >
      {text.keep}
    </Button>
  );
}
