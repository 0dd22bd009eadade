/**
 * True values under training's rewards. Oracles earn the environment's rewards, but a critic may
 * have been trained with process rewards too. Rewards of the form gamma Phi(s') - Phi(s) sum to
 * -Phi(s) from a state on, whatever the actions (Ng, Harada, Russell 1999, theorem 1), so V and Q
 * are lower by Phi(s), the sum of those received; advantages are the same.
 */
import type { Discount } from "../method/credit/discount.ts";
import type { EpisodeRecord } from "../record/runEvent.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { returnsThatCame } from "./returns.ts";
import type { TurnTruth } from "./truths.ts";

/**
 * What process rewards add to the true values of an episode's turns, in reward units; zeros without
 * them. Null if unknown: rewards that are not potential-based, that a bootstrap truncated, or with
 * a discount per token. [T]
 */
export function payOfTurns(
  episode: Pick<EpisodeRecord, "turns" | "truncated">,
  discount: Discount,
  spec: ExperimentSpec | undefined,
): readonly number[] | null {
  const isPaid = episode.turns.some(({ processReward }) => processReward !== undefined);
  if (!isPaid) return episode.turns.map(() => 0);
  const isCut = episode.truncated && spec?.optimisation.bootstrapOnTruncation !== false;
  const isLumped = discount.steps === "token" && discount.gamma < 1;
  if (spec?.processReward?.shaping !== "potential" || isCut || isLumped) return null;
  return returnsThatCame(episode, discount, ({ processReward }) => processReward ?? 0);
}

/** The truth of an episode's turns, shifted by such rewards. */
export function movedBy(truth: readonly TurnTruth[], pay: readonly number[]): readonly TurnTruth[] {
  if (pay.every((x) => x === 0)) return truth;
  return truth.map((turn, h) => {
    const [low, high] = turn.valueInterval;
    return {
      ...turn,
      value: turn.value + pay[h]!,
      valueInterval: [low + pay[h]!, high + pay[h]!] as const,
    };
  });
}
