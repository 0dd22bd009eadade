/**
 * The numbers that a story is read from: metrics of a run by pattern, under the names that other
 * trainers use too, and a few computed from several of them.
 */
import { finite } from "../../numeric/finite.ts";
import { firstAtLeast } from "../../numeric/downsample.ts";
import { mean, pearson, std } from "../../numeric/statistics.ts";
import { metricEntry } from "../../spec/metricTable.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { specAt } from "../../spec/schedule.ts";
import { runConfig } from "../runConfig.ts";
import type { RunLog } from "../log/runLog.ts";

/** One number over iterations, ascending; missing and not finite values are left out. */
export interface Track {
  /** As the log calls it; for a computed one, its formula. */
  metric: string;
  x: number[];
  y: number[];
}

/** Names that the table of metrics does not have, by ours. */
const ELSEWHERE: Record<string, readonly string[]> = {
  "actor/entropy": ["policy/entropy_avg"],
  "actor/grad_norm": ["grad_norm"],
  "actor/kl_loss": ["objective/kl", "actor/reward_kl_penalty"],
  "critic/score/mean": ["critic/rewards/mean", "reward", "rewards/mean"],
  "response_length/mean": ["completions/mean_length", "turn_len/mean"],
  // Of verl, with the data set's name, which may have a slash.
  "val-env/*/success": ["val-core/*/acc/mean@*", "val-core/*/*/acc/mean@*"],
  "val-env/*/reward": ["val-core/*/reward/mean@*", "val-core/*/*/reward/mean@*"],
};

/** The table's name of a number that a log has under another trainer's. */
export const ownName = (metric: string): string =>
  Object.keys(ELSEWHERE).find((name) => ELSEWHERE[name]!.includes(metric)) ?? metric;

/** Groups in which nobody succeeds, but whose rewards differ. */
export const CHEAP_GROUPS = "1 - */pass@* - frac_reward_zero_std";
/** Rise in training minus rise on held-out levels, since the first evaluation; at most what training solves. */
export const TRAIN_GAP = "rise of */success - rise of val-env/*/success";
/** Tokens with an advantage of 0 in recorded episodes that have others. */
export const UNTRAINED_TOKENS = "recorded tokens without credit";
/** 1 where a response no longer tells which prompt it answers. */
export const RETRIEVED = "prompts found by their response / chance";
/** Different tasks among the recorded episodes of an iteration. */
export const BATCH_TASKS = "different tasks in recorded episodes";
/** Recorded episodes of an iteration: as many as were played, up to the run's own limit. */
export const BATCH_EPISODES = "recorded episodes";
/** Spread of an episode's pay for progress by that of its reward, where that pay changes what is best. */
export const PAY_SHARE = "spread of raw pay for progress / of reward";
/** Tokens whose ratio is not 1 when an iteration's first step is taken. */
export const STALE_TOKENS = "tokens off ratio 1 in the first step";

/** 1 where tokens are drawn as the policy says: mean -log p of the recorded ones by their mean entropy. */
export const DRAWN_SURPRISE = "surprise of recorded tokens / their entropy";

/**
 * The widest clip range that fits the clipped tokens: so many outside of 1 ± eps need a k3 of at
 * least eps²/2 times their share (Chebyshev), with ratios of tokens or of turns' products.
 */
export const CLIP_WIDTH = "clip range that fits clipped tokens and KL";
/** Of the loss's size, that of the penalty by betaKl; the rest is the policy loss. */
export const KL_SHARE = "KL penalty's share of the loss";
/** Of recorded episodes of three turns or more; near 0 the first turn hears nothing of the end. */
export const FIRST_CREDIT = "first turn's advantage and episode's reward, correlation";
/** Mean reward of recorded successes minus that of failures. */
export const PAID_SUCCESS = "reward of a success - of a failure";
/** The largest value, in size, by the largest reward that any episode has earned so far: with a discount at most 1 no return is larger. */
export const VALUE_EXCESS = "largest value / largest reward so far";

/** Success of the best four iterations so far, on average. */
export const BEST_SUCCESS = "success of the best four iterations so far";
/** What the entropy bonus is worth in the loss, beside advantages of about 1, as the run's settings have it. */
export const BONUS = "entropy bonus in the loss";
/** Of the run's settings: the temperature at which tokens are drawn. */
export const TEMPERATURE = "sampling.temperature";
/** Of the run's settings: tasks of an iteration times rollouts of each. */
export const BATCH = "episodes of an iteration";

/** Losses and gradients that were not finite, and crashes. */
export const NOT_FINITE = "numbers that are not finite";

type NumberOfStep = (episodes: readonly EpisodeRecord[], iteration: number) => number | null;

const kept = new WeakMap<RunLog, Map<string, number | null>>();

/** Recorded iterations that are opened for a computed number: reading all of a long run would take long. */
const OPENED = 5;
/** The same of a short run, for what says when something began. */
const MANY = 30;
/** The same of what looks at one turn of each episode, and needs a mean over several iterations. */
const ALL = Infinity;
/** Training iterations that count as the same time as an evaluation. */
const NEAR = 5;

/** One method of a run. */
export class Tracks {
  readonly log: RunLog;
  readonly algorithm: string;
  #known = new Map<string, Track | null>();

  constructor(log: RunLog, algorithm: string) {
    this.log = log;
    this.algorithm = algorithm;
  }

  /** Null without a single value. */
  of(pattern: string): Track | null {
    if (!this.#known.has(pattern)) this.#known.set(pattern, this.#find(pattern));
    return this.#known.get(pattern)!;
  }

  #find(pattern: string): Track | null {
    const compute = COMPUTED[pattern];
    const found = compute ? compute(this, pattern) : this.#read(pattern);
    return found && found.x.length > 0 ? found : null;
  }

  #read(pattern: string): Track | null {
    const also = metricEntry(pattern)?.also?.split(" ").at(-1);
    for (const name of [pattern, ...(ELSEWHERE[pattern] ?? []), ...(also ? [also] : [])])
      for (const source of ["train", "heldout"] as const)
        for (const metric of this.log.metrics(source)) {
          if (!isNamed(name, metric)) continue;
          const { x, y } = this.log.series(this.algorithm, metric, source);
          const kept = x.flatMap((_, i) =>
            y[i] === null || this.#hasNoStep(metric, x[i]!, y[i]!) ? [] : [i],
          );
          if (kept.length > 0)
            return { metric, x: kept.map((i) => x[i]!), y: kept.map((i) => y[i]!) };
        }
    return null;
  }

  /**
   * While a policy waits for its critic it takes no steps: their size is not small, there are none.
   * An iteration's first step is measured before it is taken: if it is the only one, the KL is 0.
   */
  #hasNoStep(metric: string, iteration: number, value: number): boolean {
    if (!STEP_METRICS.includes(metric)) return false;
    if (value === 0) return true;
    const { x, y } = this.log.series(this.algorithm, "actor/lr");
    const i = x.indexOf(iteration);
    return i >= 0 && y[i] === 0;
  }

  /** A number of each of the first, the last and some recorded iterations between. */
  recorded(metric: string, number: NumberOfStep, most = OPENED): Track {
    const all = this.log.iterationsWithEpisodes(this.algorithm);
    const opened = all.length <= most && this.log.holdsAll ? most : OPENED;
    const stride = Math.max(1, (all.length - 1) / (opened - 1));
    const some = all.filter((_, i) => i % stride < 1);
    const points = some.flatMap((iteration) => {
      const value = this.#once(metric, iteration, number);
      return value === null ? [] : [{ iteration, value }];
    });
    return { metric, x: points.map((p) => p.iteration), y: points.map((p) => p.value) };
  }

  /** Of episodes that are not all held it is kept: each telling would read them again. */
  #once(metric: string, iteration: number, number: NumberOfStep): number | null {
    const known = kept.get(this.log) ?? new Map<string, number | null>();
    const key = `${metric} ${this.algorithm} ${iteration}`;
    if (known.has(key)) return known.get(key)!;
    const episodes = this.log.peekEpisodes(this.algorithm, iteration) ?? [];
    const value = number(episodes, iteration);
    if (episodes.length > 0 && !this.log.holdsAll) kept.set(this.log, known.set(key, value));
    return value;
  }
}

const STEP_METRICS = [
  "actor/ppo_kl_k3",
  "policy/approxkl_avg",
  "actor/ppo_kl",
  "actor/pg_clipfrac",
];

/** An asterisk stands for any letters within one part of a name. */
function isNamed(pattern: string, metric: string): boolean {
  if (!pattern.includes("*")) return pattern === metric;
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]+")}$`).test(metric);
}

type ComputeTrack = (tracks: Tracks, metric: string) => Track | null;

const COMPUTED: Record<string, ComputeTrack> = {
  [CHEAP_GROUPS]: (tracks, metric) => {
    const [passed, silent] = [tracks.of("*/pass@*"), tracks.of("frac_reward_zero_std")];
    return passed && silent && together(metric, [passed, silent], ([p, s]) => 1 - p! - s!);
  },
  [RETRIEVED]: (tracks, metric) => {
    const of = (name: string) => tracks.of(`collapse_first_turn_sample/retrieval_${name}`);
    const [found, chance] = [of("accuracy"), of("chance_level")];
    return found && chance && together(metric, [found, chance], ([f, c]) => f! / c!);
  },
  [TRAIN_GAP]: (tracks, metric) => {
    const [train, held] = [tracks.of("*/success"), tracks.of("val-env/*/success")];
    if (!train || !held || held.x.length < 2) return null;
    const near = held.x.map((t) => meanNear(train, t));
    const y = held.y.map((h, i) => Math.min(near[i]!, near[i]! - near[0]! - (h - held.y[0]!)));
    return { metric, x: held.x, y };
  },
  [NOT_FINITE]: (tracks, metric) => {
    const x = notFinite(tracks);
    return { metric, x, y: x.map(() => 1) };
  },
  [CLIP_WIDTH]: (tracks, metric) => {
    if (configOf(tracks)?.ratio.endsWith("geomean")) return null;
    const kl = tracks.of("actor/ppo_kl_k3") ?? tracks.of("policy/approxkl_avg");
    const clipped = tracks.of("actor/pg_clipfrac");
    const width = ([k, c]: number[]) => Math.sqrt((2 * k!) / Math.max(c!, 1e-9));
    return kl && clipped && together(metric, [kl, clipped], width);
  },
  [KL_SHARE]: (tracks, metric) => {
    const [loss, kl] = [tracks.of("actor/pg_loss"), tracks.of("actor/kl_loss")];
    const beta = configOf(tracks)?.betaKl ?? tracks.of("actor/kl_coef")?.y.at(-1) ?? 0;
    if (!loss || !kl || beta === 0) return null;
    return together(metric, [kl, loss], ([k, l]) => (beta * k!) / (beta * k! + Math.abs(l!)));
  },
  [BEST_SUCCESS]: (tracks, metric) => {
    const solved = tracks.of("*/success");
    if (!solved) return null;
    let best = 0;
    const levels = solved.y.slice(3).map((_, i) => mean(solved.y.slice(i, i + 4)));
    return {
      metric,
      x: solved.x.slice(3),
      y: levels.map((level) => (best = Math.max(best, level))),
    };
  },
  [BONUS]: (tracks, metric) => {
    const [entropy, own] = [tracks.of("actor/entropy"), settingsOf(tracks)];
    const coef = own?.optimisation.entropyCoef;
    return entropy && coef ? { ...entropy, metric, y: entropy.y.map((h) => coef * h) } : null;
  },
  [TEMPERATURE]: (tracks, metric) =>
    setting(tracks, metric, ({ sampling }) => sampling.temperature),
  [BATCH]: (tracks, metric) =>
    setting(
      tracks,
      metric,
      ({ optimisation: { tasksPerIteration, groupSize } }) => tasksPerIteration * groupSize,
    ),
  [FIRST_CREDIT]: (tracks, metric) => tracks.recorded(metric, firstCredit, ALL),
  [PAID_SUCCESS]: (tracks, metric) => tracks.recorded(metric, paidSuccess, MANY),
  [VALUE_EXCESS]: valueExcess,
  [UNTRAINED_TOKENS]: (tracks, metric) => tracks.recorded(metric, untrainedShare),
  [BATCH_TASKS]: (tracks, metric) =>
    tracks.recorded(
      metric,
      (episodes) => new Set(episodes.map(({ task }) => task)).size || null,
      MANY,
    ),
  [BATCH_EPISODES]: (tracks, metric) =>
    tracks.recorded(metric, (episodes) => episodes.length || null, MANY),
  // Pay by a potential leaves the best policy what it was (Ng, Harada and Russell 1999).
  [PAY_SHARE]: (tracks, metric) =>
    tracks.log.start?.spec.processReward?.shaping === "raw"
      ? tracks.recorded(metric, payShare, MANY)
      : null,
  [DRAWN_SURPRISE]: (tracks, metric) => tracks.recorded(metric, drawnSurprise, MANY),
  [STALE_TOKENS]: (tracks, metric) =>
    tracks.recorded(metric, (_, iteration) => {
      const first = tracks.log.updates(tracks.algorithm, iteration)?.[0];
      const counts = first?.token?.counts;
      if (!Array.isArray(counts) || counts.length % 2 === 0) return null;
      const all = counts.reduce((sum, n) => sum + n, 0);
      return all > 0 ? 1 - counts[(counts.length - 1) / 2]! / all : null;
    }),
};

/** Those with which the method begins; null for a log without settings, or with unknown ones. */
const settingsOf = ({ log, algorithm }: Tracks) =>
  configOf({ log, algorithm }) && specAt(log.start!.spec, algorithm, 0);

/** A setting as a number of every iteration. */
function setting(
  tracks: Tracks,
  metric: string,
  of: (spec: ExperimentSpec) => number,
): Track | null {
  const own = settingsOf(tracks);
  const x = [...tracks.log.iterations(tracks.algorithm)];
  return own && { metric, x, y: x.map(() => of(own)) };
}

const configOf = ({ log, algorithm }: Pick<Tracks, "log" | "algorithm">) =>
  runConfig(log.start?.spec, algorithm);

function notFinite({ log, algorithm }: Tracks): number[] {
  const lost = LOSSES.flatMap((metric) => {
    const { x, y } = log.series(algorithm, metric);
    return x.filter((_, i) => y[i] === null);
  });
  const crashes = log.crashes.filter((crash) => crash.algorithm === algorithm);
  return [...lost, ...crashes.map(({ iteration }) => iteration)].toSorted((a, b) => a - b);
}

const LOSSES = ["actor/pg_loss", "actor/grad_norm", "critic/vf_loss"];

/** At the iterations that all have. */
function together(metric: string, tracks: Track[], value: (y: number[]) => number): Track {
  const [first, ...rest] = tracks;
  const at = (track: Track, x: number) => track.y[track.x.indexOf(x)];
  const points = first!.x.flatMap((x, i) => {
    const y = [first!.y[i], ...rest.map((track) => at(track, x))];
    return y.includes(undefined) ? [] : [{ x, y: value(y as number[]) }];
  });
  return { metric, x: points.map(({ x }) => x), y: points.map(({ y }) => y) };
}

function meanNear({ x, y }: Track, iteration: number): number {
  const from = Math.min(firstAtLeast(x, iteration - NEAR / 2), y.length - 1);
  return mean(y.slice(from, from + NEAR));
}

function untrainedShare(episodes: readonly EpisodeRecord[]): number | null {
  const tokens = episodes.flatMap(({ turns }) => {
    const own = turns.flatMap((turn) => turn.tokens);
    return own.some(({ advantage }) => finite(advantage) !== 0) ? own : [];
  });
  if (tokens.length === 0) return null;
  return tokens.filter(({ advantage }) => advantage === 0).length / tokens.length;
}

/** Of fewer the mean surprise is off by a tenth or more by chance. */
const ENOUGH_TOKENS = 100;

function drawnSurprise(episodes: readonly EpisodeRecord[]): number | null {
  const tokens = episodes.flatMap(({ turns }) => turns.flatMap((turn) => turn.tokens));
  const known = tokens.flatMap(({ oldLogprob, entropy }) => {
    const [p, h] = [finite(oldLogprob), finite(entropy)];
    return p === null || h === null ? [] : [{ p, h }];
  });
  const entropy = mean(known.map(({ h }) => h));
  return known.length >= ENOUGH_TOKENS && entropy > 0
    ? -mean(known.map(({ p }) => p)) / entropy
    : null;
}

/** Fewer say little of a correlation. */
const FEW_EPISODES = 6;

function firstCredit(episodes: readonly EpisodeRecord[]): number | null {
  const pairs = episodes.flatMap(({ turns, reward }) => {
    const credit = finite(turns[0]?.advantage);
    return turns.length < 3 || credit === null ? [] : [{ credit, reward }];
  });
  if (pairs.length < FEW_EPISODES) return null;
  const [credits, rewards] = [pairs.map((one) => one.credit), pairs.map((one) => one.reward)];
  return finite(pearson(credits, rewards));
}

function paidSuccess(episodes: readonly EpisodeRecord[]): number | null {
  const rewards = (wanted: boolean) =>
    episodes.filter(({ success }) => success === wanted).map(({ reward }) => reward);
  const [won, lost] = [rewards(true), rewards(false)];
  return won.length > 0 && lost.length > 0 ? mean(won) - mean(lost) : null;
}

function valueExcess(tracks: Tracks, metric: string): Track | null {
  // Pay for progress is no part of an episode's reward.
  if (tracks.log.start?.spec.processReward) return null;
  const all = ["values/max", "values/min", "score/max", "score/min"];
  const found = all.flatMap((name) => tracks.of(`critic/${name}`) ?? []);
  if (found.length < all.length) return null;
  let most = 0;
  return together(metric, found, ([high, low, best, worst]) => {
    most = Math.max(most, Math.abs(best!), Math.abs(worst!));
    return most > 0 ? Math.max(Math.abs(high!), Math.abs(low!)) / most : 0;
  });
}

function payShare(episodes: readonly EpisodeRecord[]): number | null {
  const pays = episodes.map(({ turns }) =>
    turns.reduce((sum, { processReward }) => sum + (processReward ?? 0), 0),
  );
  const spread = std(episodes.map(({ reward }) => reward));
  return episodes.length > 1 && spread > 0 ? std(pays) / spread : null;
}
