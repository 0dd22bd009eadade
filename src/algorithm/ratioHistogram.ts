/**
 * Counts of log-ratios, in bins aligned with the clip's band: what lies beyond it is counted
 * exactly, and one outlier does not make all bins wide. For clip "adaptive" the band is that of the
 * factor c = 1 while each turn has its own, of range c·eps: the bins do not show how many lie
 * beyond theirs.
 */
import type { Histogram } from "../record/runEvent.ts";
import type { Band } from "../method/clip/band.ts";

/** Equal bins of a histogram without a band, an odd number so that 0 has its own. */
const BINS = 41;
/** Numbers of bins within the band; the one that puts 0 nearer to the middle of its bin is used. */
const IN_BAND = [9, 10];
/** Limit of bins of the same width on either side of it. */
const BESIDE = 15;

/**
 * Histogram of x, none of which is further from 0 than `limit`. With a band bins are aligned with its edges, unless
 * all of x is within it.
 */
export function ratioHistogram(
  x: Iterable<number>,
  limit: number,
  band: Pick<Band, "low" | "high"> | null,
): Histogram {
  const shape = alignedShape(limit, band) ?? { bins: BINS };
  const histogram: Histogram = { limit, counts: Array<number>(shape.bins).fill(0) };
  if (shape.inner) histogram.inner = shape.inner;
  for (const value of x) histogram.counts[binAt(histogram, value)]! += 1;
  return histogram;
}

/** Null if equal bins from -limit to limit are as good. */
function alignedShape(
  limit: number,
  band: Pick<Band, "low" | "high"> | null,
): { bins: number; inner?: [number, number] } | null {
  // Without a bound on one side, bins are as if it were as far away as that on the other.
  const high = band?.high ?? -(band?.low ?? NaN);
  const low = band?.low ?? -high;
  if (!(low < high) || limit <= Math.min(-low, high)) return null;
  const within = IN_BAND.toSorted((a, b) => offCentre(low, high, a) - offCentre(low, high, b))[0]!;
  const width = (high - low) / within;
  const beside = (edge: number) =>
    Math.min(BESIDE, Math.max(1, Math.ceil((limit - Math.abs(edge)) / width)));
  return {
    bins: 1 + beside(low) + within + beside(high) + 1,
    inner: [low - beside(low) * width, high + beside(high) * width],
  };
}

/** How far 0 is from the middle of its bin, in bins. */
function offCentre(low: number, high: number, bins: number): number {
  const place = (-low / (high - low)) * bins;
  return Math.abs(place - Math.floor(place) - 0.5);
}

/** The lower edge of bin i. */
export function binEdge({ limit, counts, inner }: Histogram, i: number): number {
  const bins = counts.length;
  if (!inner) return -limit + (2 * limit * i) / bins;
  const [from, to] = inner;
  if (i <= 0) return Math.min(-limit, from);
  if (i >= bins) return Math.max(limit, to);
  return from + ((to - from) * (i - 1)) / (bins - 2);
}

/** The bin of a log-ratio; values beyond all bins go into the last one on their side. */
export function binAt({ limit, counts, inner }: Histogram, x: number): number {
  const bins = counts.length;
  const [from, to] = inner ?? [-limit, limit];
  const equal = inner ? bins - 2 : bins;
  const bin = Math.floor(((x - from) / (to - from)) * equal) + (inner ? 1 : 0);
  return Math.min(bins - 1, Math.max(0, bin));
}
