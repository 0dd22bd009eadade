/**
 * A batch of trajectories as packed columns: produced by rollouts, used by credit and objective. It
 * contains only trainable tokens (those the policy sampled); environment tokens never appear, so
 * they cannot influence an estimator.
 *
 * B trajectories contain K turns with N tokens. Offsets are in compressed-row form: the turns of
 * trajectory b are turnStart[b] .. turnStart[b+1]-1, the tokens of turn k are tokenStart[k] ..
 * tokenStart[k+1]-1. An optional column is either absent, or has NaN for units without the number.
 */
export interface TrajectoryBatch {
  /** Task (start state) of each trajectory; equal strings form a group. [B] */
  task: string[];
  /** Whether the environment terminated the episode; a truncated one bootstraps. [B] */
  terminated: boolean[];
  /** V of the state after the last turn; used only if terminated is false. [B] */
  bootstrapValue: Float64Array;
  /** [B+1] */
  turnStart: Int32Array;
  /** [K+1] */
  tokenStart: Int32Array;
  /** 1 if the task was solved, else 0: used to filter groups (DAPO). [B] */
  success?: Float64Array;
  /** Score of a greedy rollout of the trajectory's task (ReMax). [B] */
  greedyScore?: Float64Array;
  /** Reward of the turn, at its last token. [K] */
  turnReward: Float64Array;
  /** Part of the turn's reward that is pay or penalty for its form (GDPO). [K] */
  turnFormat?: Float64Array;
  /** Part of the reward within the turn that is process pay (GDPO). [K] */
  turnProcess?: Float64Array;
  /** Extra reward on single tokens (added to the turn's). [N] */
  tokenReward?: Float64Array;
  /** V(s_h), read at the state-end before the turn, when sampled. [K] */
  turnValue?: Float64Array;
  /** V(s_h) under the critic being trained. [K] */
  turnNewValue?: Float64Array;
  /** V of the prefix before the token, when sampled. [N] */
  tokenValue?: Float64Array;
  /** The same under the critic being trained. [N] */
  tokenNewValue?: Float64Array;
  /** Externally given advantage, used before whitening. [K] */
  turnAdvantage?: Float64Array;
  /** Externally given advantage, used before whitening. [N] */
  tokenAdvantage?: Float64Array;
  /** Name of the state before the turn; equal names in a group are one state (GiGPO). [K] */
  anchor?: string[];
  /** Name of the state after the last turn (SALT). [B] */
  finalAnchor?: string[];
  /** Name of what the turn did; equal names from one state are one action (SALT). [K] */
  action?: string[];
  /** Information gain of the turn; an answering turn needs none (A2TGPO). [K] */
  turnGain?: Float64Array;
  /** Log-prob under the policy being trained. [N] */
  logprob?: Float64Array;
  /** Log-prob under the policy before the first update. [N] */
  oldLogprob?: Float64Array;
  /** The sampler's own log-prob, beside `oldLogprob` of the same weights (TIS). [N] */
  rolloutLogprob?: Float64Array;
  /** Log-prob under the reference policy. [N] */
  refLogprob?: Float64Array;
  /** Sum of the squared probabilities of the distribution that the token was sampled from (OTB). [N] */
  sumPiSquared?: Float64Array;
}
