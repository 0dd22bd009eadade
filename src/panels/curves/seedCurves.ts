/** Recorded seeds as ghosts: of each method the mean and its 95 % interval by Student's t, iteration by iteration. */
import { curveFrom } from "../../charts/curve.ts";
import type { Curve } from "../../charts/curveTypes.ts";
import { MAX_BAND_POINTS } from "../../numeric/downsample.ts";
import { lineStyles } from "../../charts/palette.ts";
import { mean } from "../../numeric/statistics.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { titleOf } from "../../reading/titles.ts";
import { intervalOf } from "./intervals.ts";
import type { Metric } from "./metrics.ts";
import { words } from "./words.ts";

/** `algorithms`: of the run that is shown, whose colours they have. Methods of fewer than two seeds have no curve. */
export function seedCurves(
  seeds: readonly RunLog[],
  algorithms: readonly string[],
  metric: Metric,
): Curve[] {
  const styles = lineStyles(algorithms);
  return algorithms.flatMap((id) => {
    const logs = seeds.filter((log) => log.algorithms.includes(id));
    const points = pointsOf(logs, id, metric);
    if (logs.length < 2 || points.length === 0) return [];
    const curve = curveFrom(
      {
        id: `band-${id}`,
        name: titleOf(id),
        ...styles.get(id)!,
        weight: "ghost",
        x: points.map(({ x }) => x),
        y: points.map((point) => point.mean),
        n: points.map(({ n }) => n),
        note: words.seedMean(logs.length),
        band: points,
      },
      MAX_BAND_POINTS,
    );
    return [curve];
  });
}

/** Where at least two seeds have a number; a gap in one is never averaged away. */
function pointsOf(logs: readonly RunLog[], id: string, metric: Metric) {
  const numbers = new Map<number, (number | null)[]>();
  for (const log of logs) {
    const { x, y } = log.series(id, metric.key, metric.source);
    x.forEach((n, i) => numbers.set(n, [...(numbers.get(n) ?? []), y[i]!]));
  }
  return [...numbers]
    .sort(([a], [b]) => a - b)
    .flatMap(([x, all]) => {
      const known = all.filter((one) => one !== null);
      if (known.length < 2 || known.length < all.length) return [];
      const { low, high } = intervalOf(known, "t", "mean");
      return [{ x, mean: mean(known), low, high, n: known.length }];
    });
}
