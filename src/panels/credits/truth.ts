/** How a row's advantages stand against the truth, over the episodes of which the truth is known. */
import { mean, pearson } from "../../numeric/statistics.ts";
import { truthKey, type EpisodeTruth, type Truths } from "../../store/truths.ts";
import type { Episodes } from "./batch.ts";
import type { RowCredit } from "./rowCredit.ts";

export interface Agreement {
  /** Linear correlation; NaN where either side is constant. */
  correlation: number;
  /** Share of right signs; an advantage of 0 is half right. NaN where no true sign is known. */
  sign: number;
  /** Turns that were compared, and those of them whose true sign is known: 0 is not in its interval. */
  turns: number;
  signed: number;
  episodes: number;
}

/** What is known of an iteration, in the order of its episodes; null where nothing is. */
export type KnownTruths = readonly (EpisodeTruth | null)[];

/** A truth with another number of turns is about another episode. */
export function truthsOf(
  truths: Truths,
  algorithm: string,
  iteration: number,
  episodes: Episodes,
): KnownTruths {
  return episodes.map(({ trajectory, turns }) => {
    const truth = truths[truthKey(algorithm, iteration, trajectory)];
    return truth && truth.turns.length === turns.length ? truth : null;
  });
}

/** null where no truth is known. */
export function agreementOf({ batch, credit }: RowCredit, known: KnownTruths): Agreement | null {
  const pairs = known.flatMap((truth, b) =>
    (truth?.turns ?? []).map((turn, h) => ({
      estimate: credit.turnAdvantage[batch.turnStart[b]! + h]!,
      truth: turn.advantage,
      sign: signOf(turn.advantageInterval),
    })),
  );
  if (pairs.length === 0) return null;
  const signed = pairs.filter(({ sign }) => sign !== 0);
  return {
    correlation: pearson(
      pairs.map(({ estimate }) => estimate),
      pairs.map(({ truth }) => truth),
    ),
    sign: mean(
      signed.map(({ estimate, sign }) => (estimate === 0 ? 0.5 : rightSign(estimate, sign))),
    ),
    turns: pairs.length,
    signed: signed.length,
    episodes: known.filter((truth) => truth !== null).length,
  };
}

function rightSign(estimate: number, sign: number): number {
  return Number(Math.sign(estimate) === sign);
}

/** 1 or -1 where the interval leaves no doubt, else 0. */
function signOf([low, high]: readonly [number, number]): number {
  return low > 0 ? 1 : high < 0 ? -1 : 0;
}
