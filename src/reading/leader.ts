/** Which method leads on a metric: where all were measured together last, or in training so far. */
import { finite } from "../numeric/finite.ts";
import { mean } from "../numeric/statistics.ts";
import type { MetricSource, RunLog } from "./log/runLog.ts";

interface RankedMethod {
  name: string;
  value: number;
}

export interface Lead {
  iteration: number;
  /** All methods, highest first. */
  ranked: readonly RankedMethod[];
  /** Whether the first two are apart. */
  decided: boolean;
}

/** Null before all were measured together; a method that has stopped keeps no other from being compared. */
export function leadOf(log: RunLog, metric: string, source: MetricSource): Lead | null {
  const together = measuredTogether(log, metric, source);
  const iteration = together?.iterations.at(-1);
  if (!together || iteration === undefined) return null;
  return leadFrom(
    iteration,
    together.lines.map(({ name, valueAt }) => ({ name, value: valueAt(iteration) })),
  );
}

/** Iterations of training from which on their mean is worth a sentence: one batch alone is noise. */
const LEAST = 3;

/**
 * Who leads in training so far: means over all iterations that every method has finished, the last of which is
 * `iteration`. Null before there are three.
 */
export function leadSoFar(log: RunLog, metric: string): Lead | null {
  const together = measuredTogether(log, metric, "train");
  if (!together || together.iterations.length < LEAST) return null;
  const { iterations, lines } = together;
  return leadFrom(
    iterations.at(-1)!,
    lines.map(({ name, valueAt }) => ({ name, value: mean(iterations.map(valueAt)) })),
  );
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
