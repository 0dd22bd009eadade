/** A run's curves for its link, and the comparison of another run with the curves in a link. */
import type { Metrics } from "../record/runEvent.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import {
  curvesToText,
  roundingOf,
  type LinkCurve,
  type LinkMetric,
  type SentCurve,
} from "../spec/linkCurves.ts";
import { learnerNames } from "../spec/preference.ts";
import { curveKeys, environmentOf, type CurveKey } from "./curveMetrics.ts";
import { RunLog } from "./log/runLog.ts";

/**
 * Two runs are the same within tolerance if, at every iteration in the link, each method's value
 * differs from the sender's by at most this share of the metric's range, from the lowest to the
 * highest value of all methods in the link, or by LEAST_TOLERANCE if that is more.
 */
export const TOLERANCE = 0.05;
/** In the metric's own unit: one percentage point of a success rate. */
const LEAST_TOLERANCE = 0.01;

/** In the metric's own unit. */
export function toleranceOf(curve: SentCurve): number {
  return Math.max(LEAST_TOLERANCE, TOLERANCE * (curve.high - curve.low)) + roundingOf(curve);
}

/** One number that differs from the sender's; null if a run has none. */
export interface Apart {
  metric: LinkMetric;
  algorithm: string;
  iteration: number;
  theirs: number | null;
  yours: number | null;
}

interface CurveCheck {
  /** The first number that differs at all, as far as the sender's are known. */
  differs: Apart | null;
  /** The first that differs by more than the tolerance. */
  outside: Apart | null;
}

/** Compares as much of a run as there is. */
export function compareCurves(log: RunLog, curves: readonly SentCurve[]): CurveCheck {
  const keys = curveKeys(environmentOf(log));
  const check: CurveCheck = { differs: null, outside: null };
  for (const curve of curves) {
    const limits = { differs: roundingOf(curve), outside: toleranceOf(curve) };
    for (const point of pointsOf(log, curve, keys[curve.metric]))
      for (const kind of ["differs", "outside"] as const)
        if (areApart(point, limits[kind]) && isEarlier(point, check[kind])) check[kind] = point;
  }
  return check;
}

/** The numbers of both runs, at iterations that this one has finished. */
function pointsOf(log: RunLog, { metric, x, y }: SentCurve, { key, source }: CurveKey): Apart[] {
  return log.algorithms.flatMap((algorithm, method) => {
    const own = log.series(algorithm, key, source);
    const known = new Map(own.x.map((at, i) => [at, own.y[i] ?? null]));
    return x.flatMap((iteration, i) => {
      if (!known.has(iteration) && !log.end) return [];
      const numbers = { theirs: y[method]?.[i] ?? null, yours: known.get(iteration) ?? null };
      return [{ metric, algorithm, iteration, ...numbers }];
    });
  });
}

function areApart({ theirs, yours }: Apart, limit: number): boolean {
  if (theirs === null || yours === null) return theirs !== yours;
  return Math.abs(theirs - yours) > limit;
}

const isEarlier = (a: Apart, b: Apart | null) => b === null || a.iteration < b.iteration;

/** Metrics that a link may carry; the first one available is used. */
const ORDER: readonly LinkMetric[] = ["reward", "heldout", "success"];

/** A run's curves as a link carries them; "" if it has none. */
export function curvesTextOf(log: RunLog): string {
  return curvesToText(ORDER.map((metric) => linkCurveOf(log, metric)));
}

/** A run's curve of one metric, all its methods at the same iterations. */
export function linkCurveOf(log: RunLog, metric: LinkMetric): LinkCurve {
  const { key, source } = curveKeys(environmentOf(log))[metric];
  const all = log.algorithms.map((algorithm) => log.series(algorithm, key, source));
  const x = [...new Set(all.flatMap((one) => one.x))].sort((a, b) => a - b);
  const y = all.map((own) => {
    const known = new Map(own.x.map((at, i) => [at, own.y[i] ?? null]));
    return x.map((at) => known.get(at) ?? null);
  });
  return { metric, x, y };
}

/**
 * The sender's curves as a log that contains nothing else, so that they can be drawn like any run.
 */
export function logOfCurves(spec: ExperimentSpec, curves: readonly SentCurve[]): RunLog {
  const log = new RunLog();
  const unknown = { engine: "", backend: "", adapter: "", reproducible: "no" };
  const about = { chain: "", time: { at: "" } };
  log.append({
    type: "start",
    ...about,
    format: 1,
    version: "",
    spec,
    engine: unknown,
    parameters: 0,
  });
  const keys = curveKeys(spec.environment.kind);
  for (const [method, algorithm] of learnerNames(spec).entries())
    for (const source of ["train", "heldout"] as const)
      for (const [iteration, metrics] of metricsBy(curves, method, keys, source)) {
        const one = { ...about, algorithm, iteration, metrics };
        if (source === "heldout") log.append({ type: "eval", ...one, levels: 0 });
        else log.append({ type: "iteration", ...one, warmup: false, episodes: [] });
      }
  return log;
}

/** One method's metrics of one source by iteration, ascending. */
function metricsBy(
  curves: readonly SentCurve[],
  method: number,
  keys: Record<LinkMetric, CurveKey>,
  source: CurveKey["source"],
): [number, Metrics][] {
  const found = new Map<number, Metrics>();
  for (const { metric, x, y } of curves)
    if (keys[metric].source === source)
      x.forEach((at, i) => {
        found.set(at, { ...found.get(at), [keys[metric].key]: y[method]?.[i] ?? null });
      });
  return [...found].sort(([a], [b]) => a - b);
}
