/** A chart in words: what somebody who does not see it needs to know first. */
import type { Point } from "./downsample.ts";

export interface ChartSeries {
  id: string;
  name: string;
  colour: string;
  dash: string;
  points: readonly Point[];
  /** Where the series ended in numbers that are not finite. */
  crashes: readonly { x: number; cause: string }[];
}

/** Several runs of one method together, behind its line. */
export interface ChartBand {
  id: string;
  name: string;
  colour: string;
  dash: string;
  /** Runs. */
  n: number;
  /** Mean and 95 % interval of as many runs as have a number there; x ascending. */
  points: readonly { x: number; mean: number; low: number; high: number; n: number }[];
}

type Format = (value: number) => string;

/** One sentence per series. */
export function describeSeries(series: ChartSeries, xName: string, format: Format): string {
  const finite = finitePoints(series.points);
  const crash = series.crashes[0] ? ` It crashed at ${xName} ${series.crashes[0].x}.` : "";
  const first = finite[0];
  const last = finite.at(-1);
  if (!first || !last) return `${series.name}: no numbers yet.${crash}`;
  if (finite.length === 1)
    return `${series.name}: ${format(first.y)} at ${xName} ${first.x}.${crash}`;
  const best = finite.reduce((a, b) => (b.y > a.y ? b : a));
  return (
    `${series.name}: from ${format(first.y)} at ${xName} ${first.x} to ${format(last.y)} at ` +
    `${xName} ${last.x}, highest ${format(best.y)} at ${best.x}.${crash}`
  );
}

/** One sentence per band. */
export function describeBand(band: ChartBand, xName: string, format: Format): string {
  const last = band.points.at(-1);
  if (!last) return "";
  const { x, mean, low, high, n } = last;
  return (
    `${band.name}, ${band.n} recorded seeds: mean ${format(mean)} at ${xName} ${x}, ` +
    `95 % interval ${format(low)} to ${format(high)} (n = ${n}).`
  );
}

export function finitePoints(points: readonly Point[]): { x: number; y: number }[] {
  return points.filter((point): point is { x: number; y: number } => point.y !== null);
}

/** Rows of the data table: every x that any series has, ascending, with each series' y there. */
export function tableRows(
  all: readonly ChartSeries[],
): { x: number; values: (number | null | undefined)[] }[] {
  const columns = all.map(({ points }) => new Map(points.map(({ x, y }) => [x, y])));
  const xs = [...new Set(all.flatMap(({ points }) => points.map(({ x }) => x)))];
  xs.sort((a, b) => a - b);
  return xs.map((x) => ({ x, values: columns.map((column) => column.get(x)) }));
}

/** Where a crash is drawn: at the last finite height, or at 0 when there is none. */
export function crashHeight(series: ChartSeries, x: number): number {
  return finitePoints(series.points).findLast((point) => point.x <= x)?.y ?? 0;
}
