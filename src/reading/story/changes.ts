/**
 * When a number of a run changes: the rule that says it has, the iteration at which it left the
 * range of its own beginning, and the interval between.
 */
import { firstAtLeast } from "../../numeric/downsample.ts";
import { greatest } from "../../numeric/lists.ts";
import { mean, quantile, std } from "../../numeric/statistics.ts";
import type { DoctorRule } from "../../train/doctor/rule.ts";
import type { Track } from "./tracks.ts";

/** As the doctor's, with a limit in standard deviations of the beginning, or relative to the highest stretch before, or to the first values. */
export interface StoryRule extends Omit<DoctorRule, "limit" | "base"> {
  limit: DoctorRule["limit"] | { sigmas: number };
  base?: DoctorRule["base"] | "highest" | "start";
}

/** A rule that holds. */
export interface MetricChange {
  metric: string;
  /** The first iteration whose value is beyond the limit. */
  since: number;
  /** The first that is outside the range of the beginning, without a break until `since`. */
  onset: number;
  /** The last before it, and its value; at the very beginning, the same as `onset`. */
  before: number;
  from: number;
  /** The value at `since`. */
  to: number;
}

/** The doctor's base is its first ten (RAGEN); of a short run, a third. */
const BASE = 10;
const RECENT = 5;
/** Of a number that changes at once. */
const START = 3;
/** Standard deviations of the beginning that count as its range, and the least share of the whole change. */
const RANGE = { sigmas: 2, share: 0.1 };

function baseCount(points: number): number {
  return Math.min(BASE, Math.max(3, Math.floor(points / 3)));
}

/** Where a rule holds. */
export interface Ruled {
  track: Track;
  /** For each point, whether the rule holds with it as the last of its window. */
  held: boolean[];
  /** The limit there; NaN where the beginning that it depends on is not known. */
  limits: number[];
}

export function apply(rule: StoryRule, track: Track): Ruled {
  const { last, side, base = "first", baseNeeds = 3 } = rule;
  const { y } = track;
  const most = base === "start" ? START : baseCount(y.length);
  const limits = y.map((_, i) => {
    const start = i - last + 1;
    if (start < 0) return NaN;
    const from = base === "recent" ? Math.max(0, start - RECENT) : 0;
    const before = y.slice(
      from,
      base === "first" || base === "start" ? Math.min(most, start) : start,
    );
    if (before.length < baseNeeds) return limitOf(rule, null);
    return limitOf(rule, base === "highest" ? highest(before, last) : before);
  });
  const held = limits.map((limit, i) => {
    if (Number.isNaN(limit)) return false;
    const window = y.slice(i - last + 1, i + 1);
    const judged = rule.mean ? [mean(window)] : window;
    return judged.every((value) => isBeyond(value, limit, side));
  });
  return { track, held, limits };
}

/** The stretch of `count` values with the highest mean. */
function highest(y: readonly number[], count: number): number[] {
  const stretches = y.slice(0, y.length - count + 1).map((_, i) => y.slice(i, i + count));
  return stretches.reduce((a, b) => (mean(b) > mean(a) ? b : a), y.slice(-count));
}

const isBeyond = (value: number, limit: number, side: StoryRule["side"]) =>
  side === "above" ? value > limit : value < limit;

/** NaN, beyond which nothing is, if it needs a beginning that is not known. */
function limitOf({ limit, side }: StoryRule, before: readonly number[] | null): number {
  if (typeof limit === "number") return limit;
  if (!before) return NaN;
  if ("timesBase" in limit) return limit.timesBase * mean(before);
  return mean(before) + (side === "above" ? 1 : -1) * limit.sigmas * std(before);
}

/** When the number came to where the rule holds, with point `at` as the last of its window. */
export function metricChange(
  { last, side }: StoryRule,
  { track, limits }: Ruled,
  at: number,
): MetricChange {
  const isOut = (i: number) => isBeyond(track.y[i]!, limits[at]!, side);
  let since = at - last + 1;
  while (since < at && !isOut(since)) since++;
  while (since > 0 && isOut(since - 1)) since--;
  return leaving(track, since, side);
}

/** Walks back from point `since` to where the number was still as at the beginning; a size falls by factors. */
function leaving(track: Track, since: number, side: "above" | "below"): MetricChange {
  const { metric, x } = track;
  const isSize = side === "below" && track.y.every((value) => value > 0);
  const y = isSize ? track.y.map(Math.log) : track.y;
  const base = y.slice(0, Math.min(baseCount(y.length), since));
  const smooth = y.map((_, i) => quantile(y.slice(Math.max(0, i - 1), i + 2), 0.5));
  let onset = since;
  if (base.length >= 3) {
    const center = mean(base);
    const change = Math.abs(y[since]! - center);
    const range = Math.max(RANGE.sigmas * std(base), RANGE.share * change);
    const isOut = (value: number) =>
      side === "above" ? value > center + range : value < center - range;
    while (onset > 1 && isOut(y[onset - 1]!) && isOut(smooth[onset - 1]!)) onset--;
  }
  const before = Math.max(0, onset - 1);
  return {
    metric,
    since: x[since]!,
    onset: x[onset]!,
    before: x[before]!,
    from: track.y[before]!,
    to: track.y[since]!,
  };
}

/** The index of the last measurement at an iteration or before it; -1 without one. */
export function lastUntil({ track }: Ruled, iteration: number): number {
  return firstAtLeast(track.x, iteration + 1) - 1;
}

/** Whether the rule holds at an iteration: what its last measurement says. */
export function holdsAt(one: Ruled, iteration: number): boolean {
  return one.held[lastUntil(one, iteration)] ?? false;
}

/**
 * The split of a series into two levels that leaves the smallest squared error, and those whose
 * error is not worse by more than a likelihood ratio of exp(3): about 95 %. Null for fewer than
 * four points, and where one level for all is not worse either.
 */
export function levelChange({
  x,
  y: values,
}: Track): { at: number; from: number; to: number } | null {
  if (values.length < 4) return null;
  // Squares of very large numbers are infinite.
  const size = greatest(values.map(Math.abs)) || 1;
  const y = values.map((value) => value / size);
  const splits = y.slice(1).map((_, i) => {
    const k = i + 1;
    return { k, error: squares(y.slice(0, k)) + squares(y.slice(k)) };
  });
  const best = splits.reduce((a, b) => (b.error < a.error ? b : a));
  const isNear = (error: number) =>
    y.length * Math.log((error + 1e-12) / (best.error + 1e-12)) <= 6;
  if (isNear(squares(y))) return null;
  const near = splits.filter(({ error }) => isNear(error));
  return { at: x[best.k]!, from: x[near[0]!.k - 1]!, to: x[near.at(-1)!.k]! };
}

function squares(y: readonly number[]): number {
  const center = mean(y);
  return y.reduce((sum, value) => sum + (value - center) ** 2, 0);
}
