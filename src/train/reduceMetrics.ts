/** Reduces the metrics of an iteration's updates to one number each, as verl does. */
import { max, mean, min } from "../numeric/statistics.ts";
import type { Metrics } from "../record/runEvent.ts";

/**
 * Maximum of maxima, minimum of minima, mean of the rest, over the updates that have the metric;
 * not finite if any of them is not.
 */
export function reduceMetrics(updates: Metrics[]): Metrics {
  const names = new Set(updates.flatMap((metrics) => Object.keys(metrics)));
  return Object.fromEntries(
    [...names].map((name) => {
      const having = updates.filter((metrics) => name in metrics);
      const numbers = having.map((metrics) => metrics[name] ?? Number.NaN);
      return [name, reducer(name)(numbers)];
    }),
  );
}

function reducer(name: string): (numbers: number[]) => number {
  if (/[/_]max$/.test(name)) return max;
  return /[/_]min$/.test(name) ? min : mean;
}
