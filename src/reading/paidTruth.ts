/**
 * True values of what training paid. Oracles earn the environment's rewards, but a critic may have been trained on pay for
 * progress as well. Pay of the form gamma Phi(s') - Phi(s) adds up to -Phi(s) from a state on, whatever is done there (Ng,
 * Harada, Russell 1999, theorem 1), so V and Q lie lower by Phi(s), which is the pay that came; advantages are the same.
 */
import type { Discount } from "../credit/discount.ts";
import type { EpisodeRecord } from "../record/runEvent.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { returnsThatCame } from "./returns.ts";
import type { TurnTruth } from "./truths.ts";

/**
 * What pay adds to the true values of an episode's turns, in reward units; zeros without pay. Null where that is not known:
 * pay that follows from no potential, that a bootstrap cut short, or that is discounted per token. [T]
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

/** The truth of an episode's turns, moved by such pay. */
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
