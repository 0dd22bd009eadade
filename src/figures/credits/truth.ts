/** The agreement of a row's advantages with the truth, over the episodes with known truth. */
import { isZeroBeside } from "../../numeric/format.ts";
import { pearson } from "../../numeric/statistics.ts";
import { truthOfEpisode } from "../../store/forks.ts";
import type { EpisodeTruth, Truths } from "../../reading/truths.ts";
import type { Episodes } from "../../reading/credit/batch.ts";
import type { RowCredit } from "../../reading/credit/rowTypes.ts";

export interface Agreement {
  /** Linear correlation; NaN if either side is constant. */
  correlation: number;
  /** Number of correct signs, among the known ones; an advantage of 0 counts half. */
  right: number;
  /**
   * Turns that were compared, and those of them whose true sign is known: 0 is outside its
   * interval.
   */
  turns: number;
  signed: number;
  episodes: number;
}

/** The known truths of an iteration, in the order of its episodes; null if there are none. */
export type KnownTruths = readonly (EpisodeTruth | null)[];

export function truthsOf(
  truths: Truths,
  algorithm: string,
  iteration: number,
  episodes: Episodes,
): KnownTruths {
  return episodes.map((episode) => truthOfEpisode(truths, { algorithm, iteration }, episode));
}

/** null if no truth is known. */
export function agreementOf({ batch, credit }: RowCredit, known: KnownTruths): Agreement | null {
  return agreementWith((b, h) => credit.turnAdvantage[batch.turnStart[b]! + h]!, known);
}

/** For any advantages, by episode and turn; values that are not finite are left out. null if nothing is left. */
export function agreementWith(
  advantage: (episode: number, turn: number) => number,
  known: KnownTruths,
): Agreement | null {
  const pairs = known.flatMap((truth, b) =>
    (truth?.turns ?? []).map((turn, h) => {
      const sign = signOf(turn.advantageInterval);
      return { b, estimate: advantage(b, h), truth: turn.advantage, sign };
    }),
  );
  const compared = pairs.filter(({ estimate }) => Number.isFinite(estimate));
  if (compared.length === 0) return null;
  const signed = compared.filter(({ sign }) => sign !== 0);
  return {
    correlation: correlationOf(
      compared.map(({ estimate }) => estimate),
      compared.map(({ truth }) => truth),
    ),
    right: signed.reduce((sum, { estimate, sign }) => sum + rightSign(estimate, sign), 0),
    turns: compared.length,
    signed: signed.length,
    episodes: new Set(compared.map(({ b }) => b)).size,
  };
}

/** Equal numbers have no correlation, even if their mean is rounded. */
function correlationOf(x: readonly number[], y: readonly number[]): number {
  const equal = [x, y].some((one) => one.every((value) => isZeroBeside(value - one[0]!)));
  return equal ? NaN : pearson(x, y);
}

function rightSign(estimate: number, sign: number): number {
  return isZeroBeside(estimate) ? 0.5 : Number(Math.sign(estimate) === sign);
}

/** 1 or -1 if the interval excludes 0, else 0. */
export function signOf([low, high]: readonly [number, number]): number {
  if (isZeroBeside(low) || isZeroBeside(high)) return 0;
  return low > 0 ? 1 : high < 0 ? -1 : 0;
}
