/** Where a formula is read: one row, one turn of one episode, one token of it; with cached values. */
import {
  computeObjective,
  creditUnderScale,
  correctOnBatch,
  cutOfLogprobs,
  stepTotals,
  ownSurrogate,
  withoutPull,
  type Credit,
  type Objective,
} from "../../algorithm/registry.ts";
import { lossWeights, surrogateLoss } from "../../algorithm/surrogate.ts";
import { samplerWeights } from "../../method/objective/sampler.ts";
import { offsetsOf } from "../../method/objective/ratio.ts";
import { withKlReward } from "../../method/credit/klReward.ts";
import {
  bootstraps,
  tokenRewards,
  trajectoryScores,
  turnRewards,
} from "../../method/credit/rewards.ts";
import { traceUnit, type Trace, type TraceName } from "../../method/credit/trace.ts";
import type { LossTotals } from "../../method/objective/aggregate.ts";
import { broadcast } from "../../numeric/segments.ts";
import { clips } from "../../method/clip/clips.ts";
import { plainLogRatios, poolLogRatios, tokenLogRatios } from "../../method/objective/ratio.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { RowCredit } from "../../reading/credit/rowTypes.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import { recordedAdvantages, type TrainedIteration } from "../../reading/credit/training.ts";

/** What every formula needs, and what the row's own code computes. */
const PREPARED = [
  ...(["recorded", "raw", "credit", "objective", "corrected", "weight"] as const),
  ...(["unitRatio", "unitSurrogate"] as const),
];

/** The values of a whole batch under a row's settings; each part is computed on first use. */
export class BatchNumbers {
  readonly config: AlgorithmConfig;
  readonly row: RowCredit;
  /** The row's training, if these are its episodes; else null. */
  readonly played: TrainedIteration | null;
  #parts = new Map<string, unknown>();

  constructor(config: AlgorithmConfig, row: RowCredit, played: TrainedIteration | null = null) {
    this.config = config;
    this.row = row;
    this.played = played;
  }

  #once<T>(name: string, make: () => T): T {
    if (!this.#parts.has(name)) this.#parts.set(name, make());
    return this.#parts.get(name) as T;
  }

  /** Computes what every formula needs, one part at a time. */
  *prepare(): Sliced<void> {
    for (const part of PREPARED) {
      void this[part];
      yield;
    }
  }

  get batch() {
    return this.row.batch;
  }
  /** With training's own normalisation, if the log has it. */
  get credit(): Credit {
    return this.row.credit;
  }
  /** The estimator's intermediates, in the environment's rewards. */
  get trace(): Trace {
    return this.credit.trace;
  }
  /** The batch with the KL to the reference subtracted from its rewards. */
  get paid(): TrajectoryBatch {
    return this.#once("paid", () => withKlReward(this.batch, this.config.betaKlReward));
  }
  /** Training's advantages; null for a row that was not trained on these episodes. */
  get recorded() {
    return this.#once("recorded", () => this.played && recordedAdvantages(this.played.episodes));
  }
  /** Tokens of each trajectory. [B+1] */
  get tokensOf(): Int32Array {
    return this.#once("offsets", () => offsetsOf(this.batch)).trajectory;
  }
  /** The estimator's output, before batch normalisation. */
  get raw() {
    const plain = { ...this.config, whiten: "none" } as const;
    const { batch, rewardScale } = this.row;
    return this.#once("raw", () => creditUnderScale(plain, batch, rewardScale));
  }

  /** Over all recorded episodes, without a KL to a reference that is not recorded. */
  get objective(): Objective {
    const make = () => computeObjective(withoutPull(this.config), this.batch, this.credit);
    return this.#once("objective", make);
  }
  /** How much the clip cut, of the gradient with respect to log-probs. */
  get cut() {
    const { norms, fractions } = cutOfLogprobs(this.objective, this.totals.tokens);
    return { norm: norms[0]!, fraction: fractions[0]! };
  }
  /** With the gradient corrected for the clip's cut, as far as that is possible without the model. */
  get corrected(): { objective: Objective; note: string | null; denominator: number | null } {
    return this.#once("corrected", () => {
      const made = correctOnBatch(this.config, this.batch, this.credit, this.objective);
      const denominator = made.objective.metrics["actor/clip_bias_denominator/mean"] ?? null;
      return { ...made, denominator };
    });
  }
  /** Of what takes part. */
  get totals(): LossTotals {
    return this.#once("totals", () => stepTotals(this.config, this.batch, this.credit));
  }
  /** Weight of each token in the loss. [N] */
  get weight(): Float64Array {
    return this.#once("weight", () => lossWeights(this.config, this.batch, this.totals));
  }
  /** The sampler's correction of each token's policy loss; null if there is none. [N] */
  get samplerWeight(): Float64Array | null {
    return this.#once("samplerWeight", () => samplerWeights(this.config, this.batch));
  }
  /** [B] */
  get score(): Float64Array {
    return this.#once("score", () => trajectoryScores(this.paid));
  }
  /** [K] */
  get turnReward(): Float64Array {
    return this.#once("turnReward", () => turnRewards(this.paid));
  }
  /** [N] */
  get tokenReward(): Float64Array {
    return this.#once("tokenReward", () => tokenRewards(this.paid));
  }
  /** V after the last step. [B] */
  get bootstrap(): Float64Array {
    return this.#once("bootstrap", () => bootstraps(this.batch));
  }
  /** [N] */
  get logRatio(): Float64Array {
    const { logprob, oldLogprob } = this.batch;
    return this.#once("logRatio", () => tokenLogRatios(logprob!, oldLogprob!));
  }

  /** The policy loss of the batch, with the row's own code. */
  get actor() {
    const make = () => surrogateLoss(this.config, this.batch, this.credit, this.totals);
    return this.#once("actor", make);
  }
  /** What each token's unit adds to the objective by the row's own clip rule; null without one. [N] */
  get unitSurrogate(): Float64Array | null {
    const make = () => ownSurrogate(this.config, this.actor, this.credit.tokenAdvantage);
    return this.#once("unitSurrogate", make);
  }

  /** The ratio of each token's unit, its log-ratios clipped first if the row does that (GMPO). [N] */
  get unitRatio(): Float64Array {
    const { ratio: level } = this.config;
    const make = () => {
      if (level === "none") return new Float64Array(this.batch.tokenStart.at(-1)!).fill(1);
      if (this.config.own?.ratio !== undefined) return broadcast(this.actor.ratio, this.actor.unit);
      const d = this.heldLogRatio ?? plainLogRatios(this.batch); // [N]
      const { unit, ratio } = poolLogRatios(level, d, offsetsOf(this.batch));
      return broadcast(ratio, unit);
    };
    return this.#once("unitRatio", make);
  }
  /**
   * GMPO: clipped on the side that the advantage pushes to. Null for rows that clip no log-ratio.
   * [N]
   */
  get heldLogRatio(): Float64Array | null {
    const { held } = clips[this.config.clip];
    if (!held || this.config.own?.ratio !== undefined) return null;
    const { tokenAdvantage } = this.credit;
    const make = () =>
      plainLogRatios(this.batch).map((d, n) => held.of(d, tokenAdvantage[n]!, this.config));
    return this.#once("heldLogRatio", make);
  }

  /** V of each token if the row has a critic of tokens. [N] */
  get tokenValue(): Float64Array | null {
    return this.config.critic === "token" ? (this.batch.tokenValue ?? null) : null;
  }
}

export interface BatchPlace {
  all: BatchNumbers;
  /** Episode, from 0 in the batch. */
  b: number;
  /** Turn, from 0 in its episode and in the batch. */
  h: number;
  k: number;
  /** Token, from 0 in its turn and in the batch; for a turn, its last one. */
  t: number;
  n: number;
  /** Turns of the episode, tokens of the turn. */
  turns: number;
  tokens: number;
}

/** token null: the turn as a whole. */
export function placeAt(all: BatchNumbers, b: number, h: number, token: number | null): BatchPlace {
  const { turnStart, tokenStart } = all.batch;
  const k = turnStart[b]! + h;
  const tokens = tokenStart[k + 1]! - tokenStart[k]!;
  const t = token ?? tokens - 1;
  const turns = turnStart[b + 1]! - turnStart[b]!;
  return { all, b, h, k, t, n: tokenStart[k]! + t, turns, tokens };
}

/** An intermediate of the estimator at a place; null if the row has none. */
export function tracedAt(name: TraceName, { all, b, k, n }: BatchPlace): number | null {
  const at = { token: n, turn: k, trajectory: b }[traceUnit(name)];
  return all.trace[name]?.[at] ?? null;
}
