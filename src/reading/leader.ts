/** Which method leads on a metric, at the last iteration at which all of them were measured. */
import { finite } from "../numeric/finite.ts";
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
  const lines = log.algorithms.map((name) => ({ name, ...log.series(name, metric, source) }));
  const measured = lines.filter(({ x }) => x.length > 0);
  if (measured.length < 2 || measured.length < log.algorithms.length) return null;
  const shared = measured[0]!.x.filter((n) => measured.every(({ x }) => x.includes(n)));
  const iteration = shared.at(-1);
  if (iteration === undefined) return null;
  const ranked = measured
    .flatMap(({ name, x, y }) => {
      const value = finite(y[x.indexOf(iteration)] ?? NaN);
      return value === null ? [] : [{ name, value }];
    })
    .sort((a, b) => b.value - a.value);
  if (ranked.length < 2) return null;
  return { iteration, ranked, decided: ranked[0]!.value > ranked[1]!.value };
}
