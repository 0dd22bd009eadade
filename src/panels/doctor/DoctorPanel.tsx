/** The collapse doctor's findings for the run, or what their absence is based on. */
import { useMemo, useEffect, useState } from "react";
import { allFindings, type Diagnosis, LogDoctor } from "../../reading/diagnosis.ts";
import type { RunView, RunLog } from "../../reading/log/runLog.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { useCursor } from "../shared/useCursor.ts";
import { runConfig } from "../../reading/runConfig.ts";
import { doctor } from "./manifest.ts";
import { checkRows, type Check, type CheckRow } from "./checks.ts";
import { FindingCard } from "./FindingCard.tsx";
import { longestRun, summary } from "./describe.ts";
import { lastBad } from "./over.ts";
import { titleOf } from "../../reading/titles.ts";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { Meanings } from "../../ui/Meanings.tsx";
import { words } from "./words.ts";
import { Empty } from "../../ui/Empty.tsx";

export function DoctorPanel() {
  const { view, move } = useCursor();
  const diagnosis = useDiagnosis(view);
  const jump = (algorithm: string, iteration: number) =>
    move({ algorithm, iteration, episode: 0, turn: 0, token: null });
  return (
    <PanelFrame panel={doctor} about={words.about}>
      {view.origin === "none" ? (
        <Empty>{words.empty}</Empty>
      ) : diagnosis === null ? (
        <Empty>{words.reading}</Empty>
      ) : (
        <Report view={view} diagnosis={diagnosis} onJump={jump} />
      )}
    </PanelFrame>
  );
}

/**
 * Maximum findings drawn: our own doctor reports each once, another program's log may have any
 * number.
 */
const MOST_FINDINGS = 50;

interface ReportProps {
  view: RunView;
  diagnosis: Diagnosis;
  onJump: (algorithm: string, iteration: number) => void;
}

function Report({ view, diagnosis, onJump }: ReportProps) {
  const { log } = view;
  const shown = useMemo(
    () =>
      allFindings(log, diagnosis.findings).map((finding) => ({
        finding,
        over: lastBad(log, finding),
      })),
    [log, diagnosis],
  );
  const findings = useMemo(() => shown.map(({ finding }) => finding), [shown]);
  const rows = useMemo(
    () =>
      checkRows(log.algorithms, findings, diagnosis.notMeasured, (name) =>
        runConfig(log.start?.spec, name),
      ),
    [log, findings, diagnosis],
  );
  if (longestRun(log) === 0 && findings.length === 0) return <Empty>{words.noIterations}</Empty>;
  return (
    <>
      <p data-testid="doctor-summary">{summary(log, shown, rows)}</p>
      <ul className="doctor-findings">
        {shown.slice(0, MOST_FINDINGS).map(({ finding, over }, i) => (
          <FindingCard
            key={`${finding.algorithm} ${finding.detector} ${i}`}
            finding={finding}
            over={over}
            log={log}
            onJump={onJump}
          />
        ))}
      </ul>
      {shown.length > MOST_FINDINGS && (
        <p className="note" data-testid="doctor-cut">
          {words.cut(MOST_FINDINGS, shown.length)}
        </p>
      )}
      <Checks rows={rows} />
    </>
  );
}

// The doctor's findings for the run on screen, computed in short slices.

/** Milliseconds of work between two yields to the page. */
const SLICE = 10;

/** null until the log has been read once. */
function useDiagnosis({ log, version }: RunView): Diagnosis | null {
  const doctor = useMemo(() => new LogDoctor(log), [log]);
  const [known, setKnown] = useState<{ log: RunLog; diagnosis: Diagnosis } | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const work = () => {
      const done = doctor.advance(performance.now() + SLICE);
      if (done) setKnown({ log, diagnosis: doctor.diagnosis });
      else timer = setTimeout(work);
    };
    timer = setTimeout(work);
    return () => clearTimeout(timer);
  }, [doctor, log, version]);
  return known?.log === log ? known.diagnosis : null;
}

/** What the doctor has checked for which method, so that a lack of findings can be interpreted. */
function Checks({ rows }: { rows: readonly CheckRow[] }) {
  const algorithms = rows[0]?.checks.map(({ algorithm }) => algorithm) ?? [];
  if (algorithms.length === 0) return <Empty>{words.noMethods}</Empty>;
  const unmet = rows.filter(({ checks }) => checks.some(({ needs }) => needs !== null));
  return (
    <section aria-label={words.checks}>
      <h4>{words.checks}</h4>
      <p className="chart-hint">{words.checksHint}</p>
      <DataTable
        label={words.checks}
        className="doctor-checks"
        testId="doctor-checks"
        columns={[
          { id: "check", head: words.check, kind: "name", cell: ({ title }) => title },
          ...algorithms.map(stateColumn),
        ]}
        rows={rows}
        keyOf={({ name }) => name}
        rowProps={({ name }) => ({ "data-detector": name })}
      />
      <Meanings
        title={words.checksMeaning}
        meanings={rows.map(({ title, says }) => ({ name: title, hint: says }))}
      />
      <Unfit rows={rows} />
      {unmet.length > 0 && (
        <>
          <h5>{words.needsTitle}</h5>
          <ul className="doctor-needs">
            {unmet.map(({ name, title, checks }) => (
              <li key={name}>
                {title} {words.needs([...new Set(checks.flatMap((c) => c.needs ?? []))].join(", "))}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Which checks do not apply to which methods, and why. */
function Unfit({ rows }: { rows: readonly CheckRow[] }) {
  const unfit = rows.flatMap(({ name, title, checks }) => {
    const methods = checks.filter(({ lacks }) => lacks !== null);
    const lacks = methods[0]?.lacks;
    const titles = methods.map(({ algorithm }) => titleOf(algorithm));
    return lacks ? [{ name, text: words.unfit(title, titles, lacks) }] : [];
  });
  if (unfit.length === 0) return null;
  return (
    <ul className="doctor-needs" data-testid="doctor-unfit">
      {unfit.map(({ name, text }) => (
        <li key={name}>{text}</li>
      ))}
    </ul>
  );
}

function stateColumn(algorithm: string, i: number): TableColumn<CheckRow> {
  return {
    id: algorithm,
    head: titleOf(algorithm),
    cell: ({ checks }) => stateOf(checks[i]!).text,
    cellProps: ({ checks }) => ({ className: stateOf(checks[i]!).tone }),
  };
}

function stateOf({ found, needs, lacks }: Check): { text: string; tone?: string } {
  if (found !== null) return { text: words.state.found(found), tone: "bad" };
  if (lacks !== null) return { text: words.state.unfit, tone: "note" };
  return needs === null
    ? { text: words.state.passed }
    : { text: words.state.notMeasured, tone: "note" };
}
