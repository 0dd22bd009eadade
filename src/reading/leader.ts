/** Which method leads on a metric: where all were last measured together, or in training so far. */
import { finite } from "../numeric/finite.ts";
import { mean, tInterval } from "../numeric/statistics.ts";
import { firstLearned } from "../spec/schedule.ts";
import type { MetricSource, RunLog } from "./log/runLog.ts";

interface RankedMethod {
  name: string;
  value: number;
}

export interface Lead {
  iteration: number;
  /** All methods, highest first. */
  ranked: readonly RankedMethod[];
  /** Whether the first two are clearly apart. */
  decided: boolean;
}

/** Null before all were measured together; a method that has stopped does not prevent a comparison of the others. */
export function leadOf(log: RunLog, metric: string, source: MetricSource): Lead | null {
  const together = measuredTogether(log, metric, source);
  const iteration = together?.iterations.at(-1);
  if (!together || iteration === undefined) return null;
  return leadFrom(
    iteration,
    together.lines.map(({ name, valueAt }) => ({ name, value: valueAt(iteration) })),
  );
}

/** Minimum iterations of training for a statement about their mean: one batch alone is noise. */
const LEAST = 3;

export interface TrainingLead extends Lead {
  /** The first iteration counted; `iteration` is the last. */
  from: number;
}

/**
 * Which method leads in training so far: means over the iterations that every method has finished,
 * from the first one played with an updated policy. Decided if the differences of the first two,
 * iteration by iteration, have a mean whose 95 % interval (Student's t) is above zero. Null before
 * there are three.
 */
export function leadSoFar(log: RunLog, metric: string): TrainingLead | null {
  const together = measuredTogether(log, metric, "train");
  const from = log.start ? firstLearned(log.start.spec) : 0;
  const iterations = together?.iterations.filter((one) => one >= from) ?? [];
  if (!together || iterations.length < LEAST) return null;
  const lead = leadFrom(
    iterations.at(-1)!,
    together.lines.map(({ name, valueAt }) => ({ name, value: mean(iterations.map(valueAt)) })),
  );
  if (!lead) return null;
  const [first, second] = lead.ranked.map(({ name }) =>
    together.lines.find((line) => line.name === name)!,
  );
  const apart = iterations.map((one) => first!.valueAt(one) - second!.valueAt(one));
  return { ...lead, from: iterations[0]!, decided: tInterval(apart).low > 0 };
}

interface MeasuredLine {
  name: string;
  has: (iteration: number) => boolean;
  valueAt: (iteration: number) => number;
}

/** Iterations at which all methods have the metric, ascending. */
function measuredTogether(
  log: RunLog,
  metric: string,
  source: MetricSource,
): { iterations: number[]; lines: MeasuredLine[] } | null {
  const all = log.algorithms.map((name) => ({ name, ...log.series(name, metric, source) }));
  if (all.length < 2 || all.some(({ x }) => x.length === 0)) return null;
  const lines = all.map(({ name, x, y }) => {
    const at = new Map(x.map((iteration, i) => [iteration, y[i] ?? NaN]));
    return {
      name,
      has: (iteration: number) => at.has(iteration),
      valueAt: (iteration: number) => at.get(iteration) ?? NaN,
    };
  });
  return { iterations: all[0]!.x.filter((n) => lines.every(({ has }) => has(n))), lines };
}

function leadFrom(iteration: number, values: readonly RankedMethod[]): Lead | null {
  const ranked = values
    .filter(({ value }) => finite(value) !== null)
    .sort((a, b) => b.value - a.value);
  if (ranked.length < 2) return null;
  return { iteration, ranked, decided: ranked[0]!.value > ranked[1]!.value };
}
