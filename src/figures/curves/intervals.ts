/** Intervals of a mean over seeds. They cost more than all the rest, so each is found once, a few at a time. */
import {
  bootstrapInterval,
  iqm,
  mean,
  tInterval,
  type Interval,
} from "../../numeric/statistics.ts";
import type { IntervalKind } from "../../store/curvesView.ts";

export type Middle = "mean" | "iqm";

export const middles: Record<Middle, (values: ArrayLike<number>) => number> = { mean, iqm };

const RESAMPLES = 1000;
/** Intervals kept; beyond that all are found anew. */
const MOST = 50_000;

/** Student's t speaks of a plain mean: anything else is resampled. */
function intervalKind(kind: IntervalKind, middle: Middle): IntervalKind {
  return kind === "t" && middle === "iqm" ? "bootstrap" : kind;
}

function intervalOf(values: readonly number[], kind: IntervalKind, middle: Middle): Interval {
  if (values.length < 2 || kind === "none") return { low: NaN, high: NaN };
  if (intervalKind(kind, middle) === "t") return tInterval(values);
  return bootstrapInterval([values], { statistic: middles[middle], resamples: RESAMPLES });
}

/** Known intervals by their numbers, and a clock for how long finding more may take. */
export class Intervals {
  #known = new Map<string, Interval>();
  #now: () => number;
  #until = Infinity;
  /** Whether some had to be left for later since the last `allow`. */
  unfinished = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** This many milliseconds, from now on. */
  allow(milliseconds: number): void {
    this.#until = this.#now() + milliseconds;
    this.unfinished = false;
  }

  /** Null if no time is left to find it. */
  of(values: readonly number[], kind: IntervalKind, middle: Middle): Interval | null {
    const name = `${intervalKind(kind, middle)} ${middle} ${values.join(" ")}`;
    const known = this.#known.get(name);
    if (known) return known;
    if (this.#now() >= this.#until) {
      this.unfinished = true;
      return null;
    }
    const found = intervalOf(values, kind, middle);
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(name, found);
    return found;
  }
}
