/** Ends and ticks of a y axis that fit the data and fall on round numbers. */
import { finitePoints, type ChartBand, type ChartSeries } from "./describe.ts";

const STEPS = [1, 2, 2.5, 5, 10];
const INTERVALS = 4;

/** Round ticks from at or below `low` to at or above `high`; the outer two are the axis' ends. */
export function niceTicks(low: number, high: number): number[] {
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Flat data, or as good as flat: an axis of its size around it.
  const flat = high - low <= Math.max(size * 1e-9, 1e-12);
  const span = !flat ? high - low : size > 1e-12 ? size : 1;
  const rough = span / INTERVALS;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * STEPS.find((factor) => factor * unit >= rough * (1 - 1e-9))!;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  // Multiples of the step, rounded so that 0.1 + 0.2 stays 0.3.
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

/** Ticks for all series together; null when there is nothing to fit. */
export function yTicks(
  series: readonly ChartSeries[],
  fixed?: readonly [number, number],
  bands: readonly ChartBand[] = [],
): number[] | null {
  if (fixed) return niceTicks(...fixed);
  let low = Infinity;
  let high = -Infinity;
  for (const { y } of series.flatMap(({ points }) => finitePoints(points))) {
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  for (const point of bands.flatMap(({ points }) => points)) {
    low = Math.min(low, point.low);
    high = Math.max(high, point.high);
  }
  return low <= high ? niceTicks(low, high) : null;
}
