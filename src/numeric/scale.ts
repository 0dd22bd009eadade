/** From numbers to places on an axis and back, and the axis that numbers need. */
import { niceTicks } from "./axis.ts";

/** Lowest and highest. */
export type Window = readonly [number, number];

export interface Scale {
  /** Pixel of a number; NaN where a logarithm has none. */
  at(value: number): number;
  back(pixel: number): number;
}

export function linearScale([low, high]: Window, [start, end]: Window): Scale {
  const span = high - low || 1;
  return {
    at: (value) => start + ((value - low) / span) * (end - start),
    back: (pixel) => low + ((pixel - start) / (end - start || 1)) * span,
  };
}

/** The scale is logarithmic, not the data: what is written beside it stays as it is. */
export function logScale([low, high]: Window, range: Window): Scale {
  const inner = linearScale([Math.log(low), Math.log(high)], range);
  return {
    at: (value) => (value > 0 ? inner.at(Math.log(value)) : NaN),
    back: (pixel) => Math.exp(inner.back(pixel)),
  };
}

const FEW_DECADES = 2;

/** Powers of ten from at or below `low` to at or above `high`, both above 0; 2 and 5 of each where they are few. */
export function logTicks(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low) + 1e-9);
  const decades = Math.max(1, Math.ceil(Math.log10(high) - 1e-9) - first);
  const steps = decades <= FEW_DECADES ? [1, 2, 5] : [1];
  const every = Math.ceil(decades / 4);
  const last = first + every * Math.ceil(decades / every);
  const ticks: number[] = [];
  for (let power = first; power <= last; power += every)
    for (const step of steps)
      if (power < last || step === 1) ticks.push(Number((step * 10 ** power).toPrecision(12)));
  // The outer ticks are the axis' ends: those that leave nothing of the data outside.
  const from = Math.max(
    0,
    ticks.findLastIndex((tick) => tick <= low * (1 + 1e-9)),
  );
  const to = ticks.findIndex((tick) => tick >= high * (1 - 1e-9));
  return ticks.slice(from, to > from ? to + 1 : from + 2);
}

/** The numbers of an axis: its ends and its ticks. */
export interface Axis {
  domain: Window;
  ticks: number[];
  log: boolean;
}

/** Of the whole range, how much an axis shows at least: noise around 0 is no mountain. */
const LEAST_SHARE = 0.1;

/**
 * An axis that holds all values; those that a logarithm has no place for are left out. `range`: ends of what such numbers can
 * be; the axis begins at the lower one and reaches no further than the values.
 */
export function fitAxis(values: Iterable<number>, log: boolean, range?: Window): Axis {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value) || (log && value <= 0)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const some = low <= high;
  if (log) return axisOf(some ? logTicks(low, high) : [1, 10], true);
  if (range) return axisOf(niceTicks(range[0], some ? topWithin(range, high) : range[1]), false);
  return axisOf(some ? niceTicks(low, high) : niceTicks(0, 1), false);
}

function topWithin([low, high]: Window, most: number): number {
  return Math.min(high, Math.max(most, low + (high - low) * LEAST_SHARE));
}

function axisOf(ticks: number[], log: boolean): Axis {
  return { domain: [ticks[0]!, ticks.at(-1)!], ticks, log };
}

export function scaleOf({ domain, log }: Pick<Axis, "domain" | "log">, range: Window): Scale {
  return log ? logScale(domain, range) : linearScale(domain, range);
}
