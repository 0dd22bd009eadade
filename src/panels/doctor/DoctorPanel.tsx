/** What the collapse doctor says of the run: its findings, or what its silence rests on. */
import { useMemo } from "react";
import { allFindings, type Diagnosis } from "../../reading/diagnosis.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { useCursor } from "../shared/useCursor.ts";
import { runConfig } from "../../reading/runConfig.ts";
import { doctor } from "./manifest.ts";
import { checkRows } from "./checks.ts";
import { Checks } from "./Checks.tsx";
import { FindingCard } from "./FindingCard.tsx";
import { iterationsOf, summary } from "./describe.ts";
import { lastBad } from "./over.ts";
import { useDiagnosis } from "./useDiagnosis.ts";
import { words } from "./words.ts";

export function DoctorPanel() {
  const { view, move } = useCursor();
  const diagnosis = useDiagnosis(view);
  const jump = (algorithm: string, iteration: number) =>
    move({ algorithm, iteration, episode: 0, turn: 0, token: null });
  return (
    <PanelFrame panel={doctor} about={words.about}>
      {view.origin === "none" ? (
        <p className="empty">{words.empty}</p>
      ) : diagnosis === null ? (
        <p className="empty">{words.reading}</p>
      ) : (
        <Report view={view} diagnosis={diagnosis} onJump={jump} />
      )}
    </PanelFrame>
  );
}

/** Findings drawn: our own doctor reports each once, another program's log may have any number. */
const MOST_FINDINGS = 50;

interface ReportProps {
  view: RunView;
  diagnosis: Diagnosis;
  onJump: (algorithm: string, iteration: number) => void;
}

function Report({ view, diagnosis, onJump }: ReportProps) {
  const { log } = view;
  const told = useMemo(
    () =>
      allFindings(log, diagnosis.findings).map((finding) => ({
        finding,
        over: lastBad(log, finding),
      })),
    [log, diagnosis],
  );
  const findings = useMemo(() => told.map(({ finding }) => finding), [told]);
  const rows = useMemo(
    () =>
      checkRows(log.algorithms, findings, diagnosis.notMeasured, (name) =>
        runConfig(log.start?.spec, name),
      ),
    [log, findings, diagnosis],
  );
  if (iterationsOf(log) === 0 && findings.length === 0)
    return <p className="empty">{words.noIterations}</p>;
  return (
    <>
      <p data-testid="doctor-summary">{summary(log, told, rows)}</p>
      <ul className="doctor-findings">
        {told.slice(0, MOST_FINDINGS).map(({ finding, over }, i) => (
          <FindingCard
            key={`${finding.algorithm} ${finding.detector} ${i}`}
            {...{ finding, over, log, onJump }}
          />
        ))}
      </ul>
      {told.length > MOST_FINDINGS && (
        <p className="note" data-testid="doctor-cut">
          {words.cut(MOST_FINDINGS, told.length)}
        </p>
      )}
      <Checks rows={rows} />
    </>
  );
}
