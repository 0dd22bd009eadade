/** What x counts: the position of an iteration on it, and how its numbers are written. */
import { firstAtLeast } from "../../numeric/downsample.ts";
import { formatDuration } from "../../numeric/format.ts";
import { greatest, least } from "../../numeric/lists.ts";
import type { CurveAxis } from "../../store/curvesView.ts";
import type { RunLog } from "../../reading/log/runLog.ts";

/** The position of an algorithm's iteration; null if the run does not say. */
export function xOf(
  log: RunLog,
  algorithm: string,
  axis: CurveAxis,
  iteration: number,
): number | null {
  if (axis === "iteration") return iteration;
  // Up to the last finished iteration: the one that crashed has no end.
  const done = log.iterations(algorithm);
  const at = firstAtLeast(done, iteration + 1) - 1;
  if (at < 0) return iteration === 0 || done.length === 0 ? 0 : null;
  const clock = log.clock(algorithm);
  const totals = { turns: clock.turns, tokens: clock.tokens, time: clock.seconds }[axis];
  return totals[at] ?? null;
}

/** The iteration of an algorithm whose place is closest to x; null when it has none. */
export function iterationAt(
  log: RunLog,
  algorithm: string,
  axis: CurveAxis,
  x: number,
): number | null {
  let best: number | null = null;
  let distance = Infinity;
  for (const iteration of log.iterations(algorithm)) {
    const at = xOf(log, algorithm, axis, iteration);
    if (at === null || Math.abs(at - x) >= distance) continue;
    best = iteration;
    distance = Math.abs(at - x);
  }
  return best;
}

/** Shortest x axis: with fewer points a line says little. */
const SHORTEST = { iteration: 5, turns: 1, tokens: 1, time: 1 } satisfies Record<CurveAxis, number>;

/** An axis that all runs have room on; of iterations it begins just before the first there is. */
export function fullDomain(logs: readonly RunLog[], axis: CurveAxis): [number, number] {
  const ends = logs.flatMap((log) => log.algorithms.map((name) => lastX(log, name, axis)));
  if (axis !== "iteration") return [0, greatest([SHORTEST[axis], ...ends])];
  const crashes = logs.flatMap((log) => log.crashes.map(({ iteration }) => iteration));
  const firsts = logs.flatMap((log) => log.algorithms.map((name) => firstIteration(log, name)));
  const start = Math.max(0, least([...firsts, ...crashes]) - 1);
  // No run has an iteration yet.
  if (!Number.isFinite(start)) return [0, SHORTEST[axis]];
  return [start, greatest([start + SHORTEST[axis], ...ends, ...crashes])];
}

function lastX(log: RunLog, algorithm: string, axis: CurveAxis): number {
  return xOf(log, algorithm, axis, log.iterations(algorithm).at(-1) ?? 0) ?? 0;
}

/** Of those with a number; held-out levels may be played before the first. Infinity without any. */
function firstIteration(log: RunLog, algorithm: string): number {
  const heldout = log.metrics("heldout").map((name) => log.series(algorithm, name, "heldout").x[0]);
  return least([log.iterations(algorithm)[0] ?? Infinity, ...heldout.map((x) => x ?? Infinity)]);
}

/** A place on the axis, short. */
export function formatX(axis: CurveAxis, x: number): string {
  if (axis === "time") return x < 60 ? `${tidy(x)}\u00a0s` : formatDuration(x);
  if (axis === "iteration" || x < 1000) return tidy(x);
  return x < 1e6 ? `${tidy(x / 1e3)}k` : `${tidy(x / 1e6)}M`;
}

/** Three digits, without decimals that say nothing. */
function tidy(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return String(Number(value.toFixed(digits)));
}
