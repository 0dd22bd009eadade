/** What a finding's evidence says, whether it is resolved, and what its limits have in common. */
import { formatNumber } from "../../numeric/format.ts";
import { greatest, least } from "../../numeric/lists.ts";
import type { Evidence, Finding } from "../../record/runEvent.ts";
import { evidenceSeries } from "../../reading/diagnosis.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { words } from "./words.ts";

/** The last bad iteration of a resolved finding; null if it lasts, or the log does not show it. */
export function lastBad(log: RunLog, finding: Finding): number | null {
  const { algorithm, evidence, iteration } = finding;
  const ends = evidence.map((one) => endOf(log, algorithm, one));
  // A detector's rules must all hold, so the end of one ends it; of numbers that were not finite,
  // each must recover.
  const broken = evidence.some(({ value }) => value === null);
  const known = ends.filter((end) => end !== null);
  if (known.length === 0 || (broken && known.length < ends.length)) return null;
  return Math.max(iteration, broken ? greatest(known) : least(known));
}

/** Resolved after as many consecutive good measurements as bad ones were needed to find it. */
function endOf(log: RunLog, algorithm: string, evidence: Evidence): number | null {
  const series = evidenceSeries(log, algorithm, evidence.metric);
  if (!series) return null;
  const last = series.y.findLastIndex((y) => isBad(y, evidence));
  const good = series.y.length - 1 - last;
  return last >= 0 && good >= Math.max(1, evidence.measurements) ? series.x[last]! : null;
}

function isBad(y: number | null, { value, side, limit }: Evidence): boolean {
  if (value === null || y === null) return y === null;
  if (limit === null) return true;
  return side === "above" ? y > limit : y < limit;
}

/** Metrics for which a finding has more than one limit. */
export function twiceLimited({ evidence }: Finding): string[] {
  const names = evidence.filter(({ limit }) => limit !== null).map(({ metric }) => metric);
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
}

/** For one metric: what all its limits have in common is mentioned once. */
export function sayEvidence(evidence: readonly Evidence[]): string {
  const [first] = evidence;
  if (!first || first.value === null) return words.notFinite;
  const { value, measurements } = first;
  const same = evidence.every((one) => one.value === value && one.measurements === measurements);
  if (!same) return evidence.map((one) => sayEvidence([one])).join("; ");
  const limits = evidence.flatMap(sayLimit).join(" and ");
  const passed = limits === "" ? "" : `: ${limits}`;
  return `${words.value(formatNumber(value))}${passed}${words.streak(measurements)}`;
}

function sayLimit({ side, limit, base }: Evidence): string[] {
  if (limit === null) return [];
  const from = base === null ? "" : words.base(formatNumber(base));
  return [`${words.limit(words[side], formatNumber(limit))}${from}`];
}
