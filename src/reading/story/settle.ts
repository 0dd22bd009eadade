/** Whether a cause stands, from the experiment it proposes: the same run with one setting changed, over seeds. */
import { valuesFor } from "../../numeric/significance.ts";
import { mean, std, tInterval, type Interval } from "../../numeric/statistics.ts";

/** One seed's score with the settings as they are and with the one changed, at the start and the end. */
export interface TestedSeed {
  first: number;
  asIs: number;
  changed: number;
}

interface SettledCause {
  verdict: "stands" | "does-not-stand" | "cannot-tell";
  seeds: number;
  /** Means at the end, in the score's unit. */
  asIs: number;
  changed: number;
  /** changed - asIs, paired by seed: its mean and, of two seeds or more, Student's 95 % interval. */
  difference: { mean: number } & Partial<Interval>;
  /** In one sentence. */
  says: string;
}

/** Most seeds that are called for: more is no experiment that anyone runs. */
const MOST_SEEDS = 100;

/**
 * Stands: the change makes the end better, with the interval above 0. Does not stand: at most half
 * of what was lost comes back. Everything else is undecided, also a run that loses nothing again.
 */
export function settleCause(seeds: readonly TestedSeed[]): SettledCause {
  const gains = seeds.map(({ asIs, changed }) => changed - asIs);
  const lost = mean(seeds.map(({ first, asIs }) => first - asIs));
  const interval = gains.length < 2 ? null : tInterval(gains);
  const stands = interval !== null && interval.low > 0;
  const fails = interval !== null && lost > 0 && interval.high < lost / 2;
  const verdict = stands ? "stands" : fails ? "does-not-stand" : "cannot-tell";
  return {
    verdict,
    seeds: seeds.length,
    asIs: mean(seeds.map(({ asIs }) => asIs)),
    changed: mean(seeds.map(({ changed }) => changed)),
    difference: { mean: mean(gains), ...interval },
    says: stands
      ? "The change makes the end better: the cause stands."
      : fails
        ? "At most half of what was lost comes back: the cause does not stand."
        : undecided(gains, lost),
  };
}

function undecided(gains: readonly number[], lost: number): string {
  const none = lost <= 0 ? " On these seeds nothing was lost." : "";
  return `This cannot tell.${none} ${seedsThatTell(gains)}.`;
}

/** How many seeds would show a difference as large as these have, with a power of 0.8; without a full stop. */
export function seedsThatTell(gains: readonly number[]): string {
  const spread = gains.length < 2 ? NaN : std(gains);
  const needed = spread > 0 ? valuesFor(Math.abs(mean(gains)) / spread, 0.8, MOST_SEEDS) : null;
  if (gains.length < 2) return "One seed has no spread";
  return needed === null
    ? `More than ${MOST_SEEDS} seeds would be needed`
    : `About ${needed} seeds would tell`;
}
