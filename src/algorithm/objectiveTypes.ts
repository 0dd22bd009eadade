/** What an objective reports about a minibatch. */
import type { ClipShares } from "../method/objective/clipShares.ts";
import type { TurnUse } from "./turnUse.ts";

export interface Objective extends TurnUse {
  /** Policy loss + betaKl k3 + betaOld k2, or the row's own regulariser, + lmWeight NLL of successes, - entropyCoef H. */
  loss: number;
  /** [N] */
  dLogprob: Float64Array;
  /** The part that the clip removed. [N] */
  dLogprobCut: Float64Array;
  /** Shares of what was clipped. */
  clipShares: ClipShares;
  /** 1 where the clip rule picked the token's unit from among the batch's; null if it picks none. [N] */
  picked: Uint8Array | null;
  /** null without an entropy bonus. [N] */
  dEntropy: Float64Array | null;
  /** null without a critic or without new values. */
  valueLoss: number | null;
  /** [K] for a turn critic, [N] for a token critic. */
  dValue: Float64Array | null;
  /** exp(d_t), 1 without old log-probs. [N] */
  tokenRatio: Float64Array;
  /** Numbers of this minibatch under verl's names. */
  metrics: Record<string, number>;
}
