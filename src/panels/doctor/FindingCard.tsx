/** One finding: what is going on, what says so, since when, why, and what to try. */
import type { Evidence, Finding } from "../../record/runEvent.ts";
import { evidenceSeries } from "../../store/diagnosis.ts";
import type { RunLog } from "../../store/runLog.ts";
import { titleOf } from "../curves/chartSeries.ts";
import { nearest } from "./checks.ts";
import { sayEvidence } from "./evidence.ts";
import { EvidencePlot } from "./EvidencePlot.tsx";
import { EvidenceTable } from "./EvidenceTable.tsx";
import { words } from "./words.ts";

interface FindingCardProps {
  finding: Finding;
  log: RunLog;
  onJump: (algorithm: string, iteration: number) => void;
}

export function FindingCard({ finding, log, onJump }: FindingCardProps) {
  const { title, severity, algorithm, iteration, firstBad, says, cause, remedies } = finding;
  return (
    <li className={`doctor-finding doctor-${severity}`} data-testid="doctor-finding">
      <h4>
        <span className={`tag doctor-tag-${severity}`}>{words[severity]}</span> {title}{" "}
        {words.method(titleOf(algorithm))}
      </h4>
      <p>
        {says} <span className="note">({words.when(iteration, firstBad)})</span>
      </p>
      <h5>{words.evidence}</h5>
      <ul className="doctor-evidence">
        {finding.evidence.map((one, i) => (
          <EvidenceItem key={i} evidence={one} {...{ log, algorithm, firstBad }} />
        ))}
      </ul>
      <h5>{words.cause}</h5>
      <p>{cause}</p>
      <h5>{words.remedies}</h5>
      <ol>
        {remedies.map((remedy) => (
          <li key={remedy}>{remedy}</li>
        ))}
      </ol>
      <Jump {...{ log, algorithm, firstBad, onJump }} />
    </li>
  );
}

interface EvidenceItemProps {
  evidence: Evidence;
  log: RunLog;
  algorithm: string;
  firstBad: number;
}

function EvidenceItem({ evidence, log, algorithm, firstBad }: EvidenceItemProps) {
  const series = evidenceSeries(log, algorithm, evidence.metric);
  return (
    <li>
      <code>{evidence.metric}</code> {sayEvidence(evidence)}
      {series && (
        <>
          <EvidencePlot {...{ series, evidence, firstBad }} />
          <EvidenceTable series={series} metric={evidence.metric} />
        </>
      )}
    </li>
  );
}

interface JumpProps {
  log: RunLog;
  algorithm: string;
  firstBad: number;
  onJump: FindingCardProps["onJump"];
}

function Jump({ log, algorithm, firstBad, onJump }: JumpProps) {
  const to = nearest(log.iterationsWithEpisodes(algorithm), firstBad);
  if (to === null) return <p className="note">{words.cannotJump}</p>;
  return (
    <button type="button" data-testid="doctor-jump" onClick={() => onJump(algorithm, to)}>
      {to === firstBad ? words.jump(to) : words.nearest(to)}
    </button>
  );
}
