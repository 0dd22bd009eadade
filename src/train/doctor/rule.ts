/** A rule about one metric: on which side of which limit it stays, for how many measurements. */
import { mean } from "../../numeric/statistics.ts";
import type { Evidence } from "../../record/runEvent.ts";
import { BASE_POINTS, splitAt, type SeriesPoint, type KeptSeries } from "./series.ts";

export interface DoctorRule {
  /** Metric name; `*` matches one part of it, such as the environment's name. */
  metric: string;
  side: "above" | "below";
  /** A number, or a multiple of the baseline. */
  limit: number | { timesBase: number };
  /** Baseline: mean of the first ten measurements (RAGEN), or of the five just before the last ones. Default first. */
  base?: "first" | "recent";
  /** Minimum number of measurements for a baseline. Default 3. */
  baseNeeds?: number;
  /** Number of most recent measurements that must be beyond the limit. */
  last: number;
  /** Their mean must be beyond it, rather than each of them: for noisy estimates. */
  mean?: boolean;
}

const RECENT = 5;

/** The evidence if the rule holds now, else null. */
export function holds(
  rule: DoctorRule,
  series: KeptSeries,
): { since: number; evidence: Evidence } | null {
  const { before, window } = splitAt(series, rule.last);
  if (window.length < rule.last) return null;
  const base = baseOf(rule, before);
  const limit = typeof rule.limit === "number" ? rule.limit : rule.limit.timesBase * (base ?? NaN);
  const beyond = (x: number) => (rule.side === "above" ? x > limit : x < limit);
  const values = window.map(({ value }) => value);
  const judged = rule.mean ? [mean(values)] : values;
  if (!judged.every(beyond)) return null;
  const first = window.find(({ value }) => beyond(value)) ?? window[0]!;
  return {
    since: streakStart([...before, ...window], first, beyond),
    evidence: {
      metric: rule.metric,
      value: rule.mean ? judged[0]! : values.at(-1)!,
      side: rule.side,
      limit,
      base: typeof rule.limit === "number" ? null : base,
      measurements: rule.last,
    },
  };
}

function baseOf(
  { base = "first", baseNeeds = 3 }: DoctorRule,
  before: SeriesPoint[],
): number | null {
  const points = base === "first" ? before.slice(0, BASE_POINTS) : before.slice(-RECENT);
  return points.length < baseNeeds ? null : mean(points.map(({ value }) => value));
}

/** The first iteration from which every measurement up to the given one is beyond the limit. */
function streakStart(
  points: SeriesPoint[],
  at: SeriesPoint,
  beyond: (x: number) => boolean,
): number {
  let i = points.indexOf(at);
  while (i > 0 && beyond(points[i - 1]!.value)) i--;
  return points[i]!.iteration;
}

/** Whether a metric's name matches the rule's pattern. */
export function ruleMatches(pattern: string, name: string): boolean {
  const parts = pattern.split("/");
  const own = name.split("/");
  return parts.length === own.length && parts.every((part, i) => part === "*" || part === own[i]);
}
