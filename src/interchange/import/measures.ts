/**
 * What follows from an iteration's episodes alone, as numbers under the field's names (`spec/metricTable.ts` has their
 * units and definitions), for files that lack them. Each is left out where the files lack a number that it needs. Nothing
 * is held of an episode but its reward and a digest.
 */
import { groupRewards } from "../../algorithm/groupRewards.ts";
import { LOG_RATIO_LIMIT } from "../../method/objective/ratio.ts";
import { exp } from "../../numeric/deterministic.ts";
import { max, std } from "../../numeric/statistics.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { ForeignEpisode, ForeignToken, ForeignTurn } from "./foreign.ts";
import { shortDigest } from "./values.ts";

/** Count, mean and squared deviations of numbers that come one by one (Welford). */
class Moments {
  count = 0;
  mean = 0;
  most = -Infinity;
  #squares = 0;

  add(x: number): void {
    const off = x - this.mean;
    this.mean += off / ++this.count;
    this.#squares += off * (x - this.mean);
    this.most = Math.max(this.most, x);
  }

  /** Unbiased; NaN for fewer than two numbers. */
  get variance(): number {
    return this.count > 1 ? this.#squares / (this.count - 1) : NaN;
  }
}

/** A spread below this counts as none (TRL, as in `train/rolloutMetrics.ts`). */
const ZERO_STD = 1e-6;

/** verl's `rollout_corr/*` of log pi_train - log pi_rollout by token: the numbers of `train/diagnostics/samplerMismatch.ts`. */
class SamplerGap {
  readonly #gap = new Moments();
  readonly #k3 = new Moments();
  readonly #weight = new Moments();
  readonly #square = new Moments();
  readonly #perplexity = new Moments();
  #episode = new Moments();

  add(x: number): void {
    const w = exp(Math.min(x, LOG_RATIO_LIMIT));
    this.#gap.add(x);
    this.#episode.add(x);
    this.#k3.add(w - 1 - x);
    this.#weight.add(w);
    this.#square.add(w * w);
  }

  endEpisode(): void {
    if (this.#episode.count > 0) this.#perplexity.add(exp(-this.#episode.mean));
    this.#episode = new Moments();
  }

  metrics(): Metrics {
    if (this.#gap.count === 0) return {};
    return {
      "rollout_corr/kl": -this.#gap.mean,
      "rollout_corr/k3_kl": this.#k3.mean,
      "rollout_corr/ppl_ratio": this.#perplexity.mean,
      "rollout_corr/rollout_is_mean": this.#weight.mean,
      "rollout_corr/rollout_is_max": this.#weight.most,
      "rollout_corr/rollout_is_eff_sample_size": this.#weight.mean ** 2 / this.#square.mean,
    };
  }
}

export class EpisodeMeasures {
  readonly #score = new Moments();
  /** Rewards of each task; NaN where one is unknown. */
  readonly #groups = new Map<string, number[]>();
  /** How many episodes began with the same response. */
  readonly #first = new Map<number, number>();
  readonly #length = new Moments();
  readonly #entropy = new Moments();
  readonly #logRatio = new Moments();
  readonly #k2 = new Moments();
  readonly #k3 = new Moments();
  readonly #clipped = new Moments();
  readonly #mismatch = new Moments();
  readonly #sampler = new SamplerGap();
  readonly #return = new Moments();
  readonly #error = new Moments();

  /** @param cut what a clip cut of its tokens, where they do not say it themselves. [N] */
  add({ task, reward, turns }: ForeignEpisode, cut: Float64Array | null = null): void {
    if (reward !== null) this.#score.add(reward);
    const group = this.#groups.get(task);
    if (group) group.push(reward ?? NaN);
    else this.#groups.set(task, [reward ?? NaN]);
    const said = turns[0] ? responseOf(turns[0]) : null;
    if (said !== null) this.#first.set(said, (this.#first.get(said) ?? 0) + 1);
    for (const turn of turns) {
      if (turn.tokens.length > 0) this.#length.add(turn.tokens.length);
      else this.#addCritic(turn);
      for (const token of turn.tokens) this.#addToken(token);
    }
    for (const share of cut ?? []) this.#clipped.add(share);
    this.#sampler.endEpisode();
  }

  #addToken(token: ForeignToken): void {
    const { logprob, oldLogprob, rolloutLogprob, entropy, clipped } = token;
    if (entropy !== null) this.#entropy.add(entropy);
    if (clipped !== undefined) this.#clipped.add(Number(clipped));
    if (oldLogprob !== null && rolloutLogprob !== undefined) {
      this.#mismatch.add(Math.abs(exp(rolloutLogprob) - exp(oldLogprob)));
      this.#sampler.add(oldLogprob - rolloutLogprob);
    }
    this.#addCritic(token);
    if (logprob === null || oldLogprob === null) return;
    const d = logprob - oldLogprob;
    const x = Math.min(LOG_RATIO_LIMIT, Math.max(-LOG_RATIO_LIMIT, d));
    this.#logRatio.add(d);
    this.#k2.add((x * x) / 2);
    this.#k3.add(exp(x) - 1 - x);
  }

  #addCritic({ value, return: target }: Pick<ForeignTurn, "value"> & { return?: number | null }) {
    if (value === null || target == null) return;
    this.#return.add(target);
    this.#error.add(target - value);
  }

  metrics(): Metrics {
    const scored = this.#score;
    const known = [...this.#first.values()].reduce((sum, count) => sum + count, 0);
    const means: [string, Moments][] = [
      ["response_length/mean", this.#length],
      ["actor/entropy", this.#entropy],
      ["actor/pg_clipfrac", this.#clipped],
      ["policy/approxkl_avg", this.#k2],
      ["actor/ppo_kl_k3", this.#k3],
      ["training/rollout_probs_diff_mean", this.#mismatch],
    ];
    return {
      ...(scored.count > 1 && { reward_std: Math.sqrt(scored.variance) }),
      ...this.#ofGroups(),
      ...(known > 1 && { "rollout/top_first_response": max([...this.#first.values()]) / known }),
      ...Object.fromEntries(
        means.flatMap(([name, { count, mean }]) => (count > 0 ? [[name, mean]] : [])),
      ),
      ...(this.#logRatio.count > 0 && { "actor/ppo_kl": -this.#logRatio.mean }),
      ...(this.#mismatch.count > 0 && { "training/rollout_probs_diff_max": this.#mismatch.most }),
      ...this.#sampler.metrics(),
      // As verl has it: metric_utils.py.
      ...(this.#return.count > 1 && {
        "critic/vf_explained_var": 1 - this.#error.variance / (this.#return.variance + 1e-5),
      }),
    };
  }

  /** Of tasks that were played more than once. */
  #ofGroups(): Metrics {
    const groups = [...this.#groups.values()].filter(
      (group) => group.length > 1 && !group.some(Number.isNaN),
    );
    if (groups.length === 0) return {};
    const equal = groups.filter((group) => std(group) < ZERO_STD).length;
    return { ...groupRewards("in_group", groups), frac_reward_zero_std: equal / groups.length };
  }
}

/** By its tokens, since some files have no text; null if it is unknown. */
function responseOf({ tokens, text }: ForeignTurn): number | null {
  const isKnown = tokens.length > 0 && tokens.every(({ id }) => id >= 0);
  const said = isKnown ? tokens.map(({ id }) => id).join(" ") : text;
  return said === "" ? null : shortDigest(said);
}
