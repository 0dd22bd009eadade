/** The runs that are drawn, and the settings in which they differ; recorded seeds of one setting are one row, and each of them on demand. */
import { useState, type ReactNode } from "react";
import { useStore } from "zustand";
import { configDiff, saysAll, type ConfigDifference } from "../../figures/curves/configDiff.ts";
import { collapsedIn, whereRunsEnded } from "../../figures/curves/ends.ts";
import {
  finishedIterations,
  groupRuns,
  lacksSeed,
  letterOf,
  lettersOf,
  methodsIn,
  type CurveJob,
} from "../../figures/curves/lines.ts";
import { words } from "../../figures/curves/words.ts";
import { titleOf } from "../../reading/titles.ts";
import { setCurves, toggled } from "../../store/curvesView.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import {
  dropRun,
  isKept,
  keepRun,
  MAX_KEPT,
  ownNameOf,
  renameRun,
  runShelf,
  type NamedRun,
} from "../../store/runs.ts";
import { Button } from "../../ui/Button.tsx";
import { Table } from "../../ui/DataTable.tsx";
import { CheckBox } from "../../ui/Field.tsx";

const text = words.runs;

export function RunTable({ job }: { job: CurveJob }) {
  const { runs, settings } = job;
  const differences = configDiff(runs);
  const inOrder = [...runs].sort((a, b) => a.place - b.place);
  return (
    <section aria-label={text.title} className="curve-part curve-runs">
      <h4>{text.title}</h4>
      <p className="note">{text.intro}</p>
      <KeepButton />
      {runs.length > 0 && (
        <Table label={text.title} testId="run-table" head={<Head differences={differences} />}>
          {tableRows(inOrder, settings.together).map((group) => {
            const RowOf = group.length > 1 ? SeedRows : RunRow;
            return <RowOf key={group[0]!.id} runs={group} job={job} differences={differences} />;
          })}
        </Table>
      )}
      {runs.length > 1 && <Notes {...job} differs={differences.length > 0} />}
    </section>
  );
}

/** What a run's rows are made of: seeds recorded together are one, whatever the charts make of seeds. */
function tableRows(runs: readonly NamedRun[], together: readonly string[]): NamedRun[][] {
  return groupRuns(runs, { seeds: "mean", together }).flatMap((group) =>
    group.runs.every(({ origin }) => origin === "recorded")
      ? [group.runs]
      : group.runs.map((run) => [run]),
  );
}

function Head({ differences }: Pick<RowsProps, "differences">) {
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

/** What the table does not say by itself. */
function Notes({ runs, settings: { together }, differs }: CurveJob & { differs: boolean }) {
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

interface RowsProps {
  /** One, or seeds of one setting in the order of their letters. */
  runs: readonly NamedRun[];
  job: CurveJob;
  differences: readonly ConfigDifference[];
}

interface RowProps extends RowsProps {
  /** Its name in the control that shows or hides it. */
  label: string;
  name: ReactNode;
  seed: ReactNode;
  iterations: number;
  /** Its runs, or methods of a run, whose policy collapsed. */
  collapsed: number;
  data: Record<`data-${string}`, string>;
}

function Row({ runs, job, differences, label, name, seed, ...rest }: RowProps) {
  const { store } = useExperiment();
  const first = runs[0]!;
  const ids = runs.map(({ id }) => id);
  const shown = ids.filter((id) => !job.settings.hidden.includes(id)).length;
  const toggle = () => {
    const others = store.getState().curves.hidden.filter((id) => !ids.includes(id));
    setCurves(store, { hidden: shown === 0 ? others : [...others, ...ids] });
  };
  return (
    <tr {...rest.data}>
      <td>
        <input
          type="checkbox"
          checked={shown > 0}
          ref={(box) => void (box && (box.indeterminate = shown > 0 && shown < runs.length))}
          aria-label={text.show(label)}
          onChange={toggle}
        />
      </td>
      <th scope="row">
        {/* A single run needs no letter. */}
        {job.runs.length > 1 && (
          <span className="curve-letter-tag">{lettersOf(runs.map(({ place }) => place))}</span>
        )}{" "}
        {name}
      </th>
      <td>{text.origins[first.origin]}</td>
      <td className="number">{seed}</td>
      <td className="number">
        {rest.iterations}
        {rest.collapsed > 0 && " "}
        {rest.collapsed > 0 && (
          <span className="tag tag-crash">{text.collapsed(rest.collapsed)}</span>
        )}
      </td>
      {differences.map(({ path, values }) => (
        <td key={path}>
          {values[job.runs.indexOf(first)] ?? (saysAll(first) ? text.absent : text.unknown)}
        </td>
      ))}
    </tr>
  );
}

/** One row for seeds, with the mean of where they ended on held-out levels. */
function SeedRows(props: RowsProps) {
  const { runs } = props;
  const [isOpen, setOpen] = useState(false);
  const logs = runs.map(({ log }) => log);
  const label = methodsIn(logs).map(titleOf).join(", ");
  const end = whereRunsEnded(logs);
  return (
    <>
      <Row
        {...props}
        label={label}
        name={`${label}: ${end?.text ?? text.noEnd}`}
        seed={
          <Button
            aria-expanded={isOpen}
            aria-label={text.seedsOf(runs.length, label)}
            onClick={() => setOpen(!isOpen)}
          >
            {text.seeds(runs.length)}
          </Button>
        }
        iterations={end?.iteration ?? finishedIterations(logs[0]!)}
        collapsed={logs.filter((log) => collapsedIn(log).length > 0).length}
        data={{ "data-seeds": label }}
      />
      {isOpen && runs.map((run) => <RunRow key={run.id} {...props} runs={[run]} />)}
    </>
  );
}

function RunRow(props: RowsProps) {
  const run = props.runs[0]!;
  const { runs, settings } = props.job;
  const letter = letterOf(run.place);
  const isAsked = lacksSeed(run) && runs.filter(lacksSeed).length > 1;
  return (
    <Row
      {...props}
      label={run.label}
      name={<RunName run={run} letter={letter} />}
      seed={
        isAsked ? (
          <IsSeed run={run} together={settings.together.includes(run.id)} />
        ) : (
          (run.spec?.seed ?? text.unknown)
        )
      }
      iterations={finishedIterations(run.log)}
      collapsed={collapsedIn(run.log).length}
      data={{ "data-run": letter }}
    />
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
  const { log, origin } = useExperimentState("view");
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
