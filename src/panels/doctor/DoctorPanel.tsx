/** What the collapse doctor says of the run: its findings, or what its silence rests on. */
import { useMemo } from "react";
import type { Finding } from "../../record/runEvent.ts";
import { allFindings, type Diagnosis } from "../../store/diagnosis.ts";
import type { RunLog, RunView } from "../../store/runLog.ts";
import { OriginTag } from "../OriginTag.tsx";
import { useCursor } from "../lens/useCursor.ts";
import { checkRows } from "./checks.ts";
import { Checks } from "./Checks.tsx";
import { FindingCard } from "./FindingCard.tsx";
import { useDiagnosis } from "./useDiagnosis.ts";
import { words } from "./words.ts";

/** Fewer iterations than this give most detectors no base. */
const SHORT = 5;

export function DoctorPanel() {
  const { view, move } = useCursor();
  const diagnosis = useDiagnosis(view);
  const jump = (algorithm: string, iteration: number) =>
    move({ algorithm, iteration, episode: 0, turn: 0, token: null });
  return (
    <section
      className="panel"
      aria-label={words.title}
      data-scope="turns"
      data-testid="doctor-panel"
      tabIndex={-1}
    >
      <header className="panel-header">
        <h3>{words.title}</h3>
        <OriginTag />
      </header>
      <p className="note">{words.about}</p>
      {view.origin === "none" ? (
        <p className="empty">{words.empty}</p>
      ) : diagnosis === null ? (
        <p className="empty">{words.reading}</p>
      ) : (
        <Report view={view} diagnosis={diagnosis} onJump={jump} />
      )}
    </section>
  );
}

interface ReportProps {
  view: RunView;
  diagnosis: Diagnosis;
  onJump: (algorithm: string, iteration: number) => void;
}

function Report({ view, diagnosis, onJump }: ReportProps) {
  const { log } = view;
  const findings = useMemo(() => allFindings(log, diagnosis.findings), [log, diagnosis]);
  const rows = useMemo(
    () => checkRows(log.algorithms, findings, diagnosis.notMeasured),
    [log, findings, diagnosis],
  );
  if (iterationsOf(log) === 0 && findings.length === 0)
    return <p className="empty">{words.noIterations}</p>;
  return (
    <>
      <p data-testid="doctor-summary">{summary(log, findings, diagnosis)}</p>
      <ul className="doctor-findings">
        {findings.map((finding) => (
          <FindingCard
            key={`${finding.algorithm} ${finding.detector}`}
            {...{ finding, log, onJump }}
          />
        ))}
      </ul>
      <Checks rows={rows} />
    </>
  );
}

function iterationsOf(log: RunLog): number {
  return Math.max(0, ...log.algorithms.map((name) => log.iterations(name).at(-1) ?? 0));
}

function summary(log: RunLog, findings: readonly Finding[], { notMeasured }: Diagnosis): string {
  const iterations = iterationsOf(log);
  const critical = findings.filter(({ severity }) => severity === "critical").length;
  const told =
    findings.length > 0
      ? words.found(critical, findings.length - critical)
      : words.quiet(log.algorithms.length, iterations);
  const parts = [
    told,
    iterations < SHORT ? words.short : "",
    notMeasured.length > 0 ? words.blind(notMeasured.length) : "",
    isWatched(log) ? words.watched : words.unwatched,
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** Older and foreign specs say nothing of a doctor. */
function isWatched(log: RunLog): boolean {
  const spec = log.start?.spec as { doctor?: { on?: boolean } } | undefined;
  return spec?.doctor?.on === true || log.findings.length > 0;
}
