/**
 * Correction for the gap between the sampler's log-probs and those of the training pass under the
 * same weights, l_t = log pi_old(y_t) - log pi_rollout(y_t): constant weights of the policy loss, or
 * tokens or whole rollouts that take no part.
 *
 *   truncate  w = min(e^l, samplerHigh)                                   TIS
 *   mask      w = e^l if samplerLow <= e^l <= samplerHigh, else 0         MIS, IcePop
 *   reject    takes part if samplerLow <= e^l <= samplerHigh              MIS with rejection
 *
 * of each token's l_t, of the rollout's sum, or of its mean. l is clamped to +-20. Masked tokens still
 * count in the loss's denominators; what is rejected counts nowhere, as if it were absent. A turn or a
 * rollout without any token left does not count either, as in verl's agg_loss.
 *
 * Sources: verl/trainer/ppo/rollout_corr_helper.py (rollout_is, rollout_rs; its k1 rules bound the
 * inverse ratio); TRL grpo_trainer.py (token_* and sequence_*, truncate and mask).
 */
import { exp } from "../../numeric/deterministic.ts";
import { broadcast, segmentMean, segmentSum } from "../../numeric/segments.ts";
import { f, open, wording, type TexPiece } from "../formula/tex.ts";
import type { Binding } from "../formula/vocabulary.ts";
import type { NumberSettings } from "../numbers.ts";
import { requireColumn } from "../requireColumn.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { LOG_RATIO_LIMIT, offsetsOf } from "./ratio.ts";

interface SamplerFacts {
  about: string;
  /** What one weight or one decision is of. */
  of: "token" | "sequence" | "mean";
  does: "truncate" | "mask" | "reject";
  /** verl's `rollout_is` or `rollout_rs`. */
  verl: string;
}

/** The table of corrections, except "none". */
export const samplers = {
  "token-truncate": {
    about: "each token weighs by its ratio to the sampler's, at most samplerHigh (TIS)",
    of: "token",
    does: "truncate",
    verl: "token",
  },
  "sequence-truncate": {
    about: "the same by the product over the rollout",
    of: "sequence",
    does: "truncate",
    verl: "sequence",
  },
  "token-mask": {
    about: "each token weighs by its ratio, 0 outside samplerLow .. samplerHigh (IcePop)",
    of: "token",
    does: "mask",
    verl: "token",
  },
  "sequence-mask": {
    about: "the same by the product over the rollout (MIS)",
    of: "sequence",
    does: "mask",
    verl: "sequence",
  },
  "token-reject": {
    about: "tokens whose ratio is outside samplerLow .. samplerHigh take no part",
    of: "token",
    does: "reject",
    verl: "token_k1",
  },
  "sequence-reject": {
    about: "rollouts whose product is outside samplerLow .. samplerHigh take no part",
    of: "sequence",
    does: "reject",
    verl: "seq_sum_k1",
  },
  "mean-reject": {
    about: "the same by the geometric mean over the rollout, which length does not move",
    of: "mean",
    does: "reject",
    verl: "seq_mean_k1",
  },
} as const satisfies Record<string, SamplerFacts>;

export type SamplerName = keyof typeof samplers | "none";

/** The facts of one; null for "none". */
export function samplerFacts(sampler: SamplerName): SamplerFacts | null {
  return sampler === "none" ? null : samplers[sampler];
}

interface SamplerConfig extends Pick<NumberSettings, "samplerLow" | "samplerHigh"> {
  name: string;
  sampler: SamplerName;
}

/** Factor of each token's policy loss, a constant; null if all are 1. [N] */
export function samplerWeights(config: SamplerConfig, batch: TrajectoryBatch): Float64Array | null {
  const facts = samplerFacts(config.sampler);
  if (!facts || facts.does === "reject") return null;
  const weightOf = (w: number) =>
    facts.does === "truncate" ? Math.min(w, config.samplerHigh) : isWithin(w, config) ? w : 0;
  const weight = ratios(config, facts, batch).map(weightOf); // [N] or [B]
  return facts.of === "token" ? weight : broadcast(weight, offsetsOf(batch).trajectory);
}

/** What a rejection leaves. */
interface Accepted {
  /** 1 for the rollouts that take part: one with tokens needs one that does. [B] */
  rollouts: Uint8Array;
  /** 1 for the tokens that take part; null where whole rollouts are judged. [N] */
  tokens: Uint8Array | null;
}

/**
 * What takes part; null if nothing is rejected by its distance from the sampler.
 * @throws InputError naming a missing log-prob, also for a correction by weights: the loss will need it.
 */
export function acceptedBySampler(config: SamplerConfig, batch: TrajectoryBatch): Accepted | null {
  const facts = samplerFacts(config.sampler);
  if (!facts) return null;
  const w = ratios(config, facts, batch); // [N] or [B]
  if (facts.does !== "reject") return null;
  const within = Uint8Array.from(w, (x) => Number(isWithin(x, config))); // [N] or [B]
  if (facts.of !== "token") return { rollouts: within, tokens: null };
  const { trajectory } = offsetsOf(batch); // [B+1]
  const rollouts = Uint8Array.from(batch.task, (_, b) => {
    const own = within.subarray(trajectory[b]!, trajectory[b + 1]!);
    return Number(own.length === 0 || own.includes(1));
  });
  return { rollouts, tokens: within };
}

const isWithin = (w: number, { samplerLow, samplerHigh }: SamplerConfig) =>
  samplerLow <= w && w <= samplerHigh;

/** e^l of each token [N], or of each rollout [B]. @throws InputError naming a missing log-prob. */
function ratios(config: SamplerConfig, { of }: SamplerFacts, batch: TrajectoryBatch): Float64Array {
  const sampled = requireColumn(batch, "rolloutLogprob", config.name); // [N]
  const old = requireColumn(batch, "oldLogprob", config.name); // [N]
  const gap = old.map((x, t) => x - sampled[t]!); // [N]
  const { trajectory } = offsetsOf(batch); // [B+1]
  const pooled = {
    token: () => gap,
    sequence: () => segmentSum(gap, trajectory),
    mean: () => segmentMean(gap, trajectory),
  };
  const clamp = (x: number) => Math.min(LOG_RATIO_LIMIT, Math.max(-LOG_RATIO_LIMIT, x));
  return pooled[of]().map((x) => exp(clamp(x)));
}

/** The factor in the objective, and its definition; null if there is none. */
export function samplerFormula(sampler: SamplerName): { factor: Binding; line: TexPiece } | null {
  const facts = samplerFacts(sampler);
  if (!facts || facts.does === "reject") return null;
  const factor: Binding = facts.of === "token" ? "token.samplerWeight" : "trajectory.samplerWeight";
  const gap = f`${"token.oldLogprob"} - ${"token.rolloutLogprob"}`;
  const sum = facts.of === "token" ? f`\exp(${gap})` : open`\exp\sum_{t\in b}\big(${gap}\big)`;
  const line =
    facts.does === "truncate"
      ? f`${factor} &= \min\big(${sum},\, ${"settings.samplerHigh"}\big)`
      : open`${factor} &= ${sum}\ \text{ from } ${"settings.samplerLow"} \text{ to } ${"settings.samplerHigh"}\text{, else } 0`;
  return { factor, line };
}

/** Which tokens or rollouts take part; null if all do. */
export function rejectionFormula(sampler: SamplerName): TexPiece | null {
  const facts = samplerFacts(sampler);
  if (facts?.does !== "reject") return null;
  const gap = f`${"token.oldLogprob"} - ${"token.rolloutLogprob"}`;
  const count = facts.of === "mean" ? f`\frac{1}{${"trajectory.tokens"}}` : f``;
  const [unit, sum] =
    facts.of === "token"
      ? [wording("t"), open`\exp\big(${gap}\big)`]
      : [wording("b"), open`\exp\Big(${count}\sum_{t\in b}\big(${gap}\big)\Big)`];
  return open`${unit} \text{ takes part} &\iff ${"settings.samplerLow"} \le ${sum} \le ${"settings.samplerHigh"}`;
}
