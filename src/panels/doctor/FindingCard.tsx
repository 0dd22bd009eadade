/** One finding: what is happening, the evidence, since when, why, and what to try. */
import type { Evidence, Finding } from "../../record/runEvent.ts";
import { evidenceSeries } from "../../reading/diagnosis.ts";
import type { RunLog, Series } from "../../reading/log/runLog.ts";
import { titleOf } from "../../reading/titles.ts";
import { nearest } from "./checks.ts";
import { sayEvidence } from "./evidence.ts";
import { EvidencePlot } from "./EvidencePlot.tsx";
import { twiceLimited } from "./over.ts";
import { words } from "./words.ts";
import { formatNumber } from "../../numeric/format.ts";
import { NumbersTable } from "../../charts/NumbersTable.tsx";
import { Button } from "../../ui/Button.tsx";

interface FindingCardProps {
  finding: Finding;
  /** The last bad iteration of a resolved finding; null if it is not resolved. */
  over: number | null;
  log: RunLog;
  onJump: (algorithm: string, iteration: number) => void;
}

export function FindingCard({ finding, over, log, onJump }: FindingCardProps) {
  const { title, severity, algorithm, iteration, firstBad, says, cause, remedies } = finding;
  const limits = sayLimits(finding);
  return (
    <li className={`doctor-finding doctor-${severity}`} data-testid="doctor-finding">
      <h4>
        <span className={`tag doctor-tag-${severity}`}>{words[severity]}</span> {title}{" "}
        {words.method(titleOf(algorithm))}{" "}
        {over !== null && <span className="tag">{words.over}</span>}
      </h4>
      <p>
        {over === null ? says : words.saidThen(says)}{" "}
        <span className="note">
          (
          {over === null
            ? words.when(iteration, firstBad)
            : words.wasBad(iteration, firstBad, over)}
          )
        </span>
      </p>
      <h5>{words.evidence}</h5>
      <ul className="doctor-evidence">
        {byMetric(finding).map((evidence) => (
          <EvidenceItem
            key={evidence[0]!.metric}
            evidence={evidence}
            log={log}
            algorithm={algorithm}
            firstBad={firstBad}
          />
        ))}
      </ul>
      {limits !== "" && <p className="note">{limits}</p>}
      <h5>{words.cause}</h5>
      <p>{cause}</p>
      <h5>{over === null ? words.remedies : words.remediesIfAgain}</h5>
      <ol>
        {remedies.map((remedy) => (
          <li key={remedy}>{remedy}</li>
        ))}
      </ol>
      <Jump log={log} algorithm={algorithm} firstBad={firstBad} onJump={onJump} />
    </li>
  );
}

/** Why one number has two limits; nothing if each has one. */
function sayLimits(finding: Finding): string {
  const twice = twiceLimited(finding);
  if (twice.length === 0) return "";
  const own = Object.hasOwn(words.twoLimitsOf, finding.detector);
  return own ? words.twoLimitsOf[finding.detector]! : words.twoLimits(twice.join(", "));
}

/** A finding's evidence grouped by metric: the same metric has the same numbers. */
function byMetric({ evidence }: Finding): Evidence[][] {
  const metrics = [...new Set(evidence.map(({ metric }) => metric))];
  return metrics.map((metric) => evidence.filter((one) => one.metric === metric));
}

interface EvidenceItemProps {
  /** All of one metric. */
  evidence: readonly Evidence[];
  log: RunLog;
  algorithm: string;
  firstBad: number;
}

function EvidenceItem({ evidence, log, algorithm, firstBad }: EvidenceItemProps) {
  const { metric } = evidence[0]!;
  const series = evidenceSeries(log, algorithm, metric);
  const limits = evidence.flatMap(({ limit }) => limit ?? []);
  return (
    <li>
      <code>{metric}</code> {sayEvidence(evidence)}
      {series && (
        <>
          <EvidencePlot
            series={series}
            metric={metric}
            firstBad={firstBad}
            limits={[...new Set(limits)]}
          />
          <EvidenceTable series={series} metric={metric} />
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
    <Button data-testid="doctor-jump" onClick={() => onJump(algorithm, to)}>
      {to === firstBad ? words.jump(to) : words.nearest(to)}
    </Button>
  );
}

// The numbers of one piece of evidence, iteration by iteration.

/** Maximum iterations listed. */
const LISTED = 200;

interface EvidenceTableProps {
  series: Series;
  metric: string;
}

function EvidenceTable({ series: { x, y }, metric }: EvidenceTableProps) {
  const first = Math.max(0, x.length - LISTED);
  return (
    <NumbersTable
      title={words.numbers(metric)}
      testId="doctor-evidence-table"
      {...(first > 0 && { note: words.lastListed(LISTED) })}
      head={[words.iteration, words.number]}
      rows={x.slice(first).map((n, i) => [String(n), formatNumber(y[first + i])])}
    />
  );
}
