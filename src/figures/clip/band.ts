/** The clip's band relative to a histogram's bins. */
import { greatest } from "../../numeric/lists.ts";
import type { Band } from "../../method/clip/band.ts";
import { binEdge } from "../../algorithm/ratioHistogram.ts";
import type { Histogram } from "../../record/runEvent.ts";

/** A bin's edge within this distance of the band's counts as the band's edge. */
const SAME = 1e-9;

/** Whether a bin lies wholly beyond the band. */
export function isBeyond({ low, high }: Band, from: number, to: number): boolean {
  return (low !== null && to <= low + SAME) || (high !== null && from >= high - SAME);
}

/** Whether an edge of the band goes through a bin. */
function isCrossed({ low, high }: Band, from: number, to: number): boolean {
  return [low, high].some((edge) => edge !== null && from < edge - SAME && edge + SAME < to);
}

interface Beyond {
  /** Counts in bins wholly beyond the band. */
  n: number;
  /** Whether there may be more, in a bin that an edge of the band goes through. */
  atLeast: boolean;
}

/** How many of a histogram's counts lie beyond the band. */
export function countBeyond(histogram: Histogram, band: Band): Beyond {
  const edge = (i: number) => binEdge(histogram, i);
  const { counts } = histogram;
  return {
    n: counts.reduce((sum, n, i) => sum + (isBeyond(band, edge(i), edge(i + 1)) ? n : 0), 0),
    atLeast: counts.some((n, i) => n > 0 && isCrossed(band, edge(i), edge(i + 1))),
  };
}

/** The width of the overflow bins at the ends, in bins. */
const END_BINS = 2;

/** The position of a histogram on its axis. */
export interface Places {
  /** The axis's ends. */
  from: number;
  to: number;
  /** The lower edge of bin i. */
  edge: (i: number) => number;
  /** Where the overflow bins begin; the ends if there are none. */
  inner: readonly [number, number];
}

export function bandPlaces(histogram: Histogram, band: Band | null): Places {
  const { inner, counts } = histogram;
  if (!inner) {
    const limit = axisLimit(histogram.limit, band);
    return { from: -limit, to: limit, inner: [-limit, limit], edge: (i) => binEdge(histogram, i) };
  }
  const end = (END_BINS * (inner[1] - inner[0])) / (counts.length - 2);
  const [from, to] = [inner[0] - end, inner[1] + end];
  const edge = (i: number) => Math.min(to, Math.max(from, binEdge(histogram, i)));
  return { from, to, inner, edge: (i) => (i <= 0 ? from : i >= counts.length ? to : edge(i)) };
}

/** Half of the axis: the counts' own range, widened to the band if that is not far away. */
export function axisLimit(limit: number, band: Band | null): number {
  const edges = [band?.low, band?.high].filter((edge) => typeof edge === "number");
  const near = edges.map((edge) => Math.abs(edge) * 1.15).filter((edge) => edge <= 3 * limit);
  return greatest([limit, ...near]);
}
