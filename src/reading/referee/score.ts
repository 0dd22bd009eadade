/**
 * How near a row's credit comes to the truth of a game: over `seeds` independent sets of episodes,
 * in batches as training has them, at the first update, where every ratio is 1.
 *
 *   bias      mean square of E[estimate | state, response] - A, over turns
 *   variance  what is left of the mean squared error
 *             both as shares of the mean square of A: 1 is the error of an estimate of 0
 *   rank      Spearman's correlation with A over a batch's turns; a constant estimate has 0
 *   sign      share of turns with A != 0 whose sign is right; an estimate of 0 counts half
 *   finds     share of episodes whose most decisive turn (largest |A|) has the largest |estimate|; ties share
 *   cosine    between the row's gradient on one batch and the true one; no gradient has 0
 *   limit     the cosine of the row's mean gradient: below 1 the row is biased, however many episodes it gets
 *   episodes  the smallest batch whose cosine is 0.9 or more
 *
 * rank, sign and finds use advantages as they enter the loss. Bias and variance use the estimate before normalisation if
 * that is in units of reward, else the estimate times the factor that fits best. Squares of means
 * are products of different batches, which noise does not make larger.
 */
import { unnormalised } from "../../algorithm/compare.ts";
import {
  computeCredit,
  computeObjective,
  scaleRewards,
  withoutPull,
} from "../../algorithm/registry.ts";
import { mean, spearman, studentT, tInterval, variance } from "../../numeric/statistics.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { numberGame, type Game, type RefereeTask } from "./game.ts";
import {
  criticTable,
  cutGame,
  criticDiscount,
  playGame,
  withCritic,
  type RefereeEpisodes,
} from "./play.ts";
import type { RefereeCritic, RefereeMeasure } from "./lines.ts";
import { addScore, gameTruth, type GameTruth } from "./truth.ts";

/** Episodes of a batch on which credit is compared. */
export const REFEREE_BATCH = 64;
/** Batch sizes on which gradients are compared. */
const SIZES = [16, 32, 64, 128, 256, 512];
/** A gradient this near to the true one counts as good. */
const GOOD_COSINE = 0.9;

/** A mean over seeds with its 95 % interval by Student's t; NaN if it is not defined, as the bounds are with one seed. */
interface OverSeeds {
  value: number;
  low: number;
  high: number;
}

export interface RefereeScore extends Record<RefereeMeasure, OverSeeds> {
  /** Whether bias and variance are those of an estimate in units of reward. */
  units: "reward" | "fitted";
  /** null: not even the largest batch. */
  episodes: number | null;
}

/** A seed's episodes in batches of each size. */
type Batches<T> = Map<number, T[]>;

/** A task with its truth and the episodes that all rows are scored on. */
export interface RefereeCourt {
  game: Game;
  truth: GameTruth;
  /** By seed, from 1. */
  played: Batches<RefereeEpisodes>[];
  /** With a critic's values, by what these depend on. */
  valued: Map<string, Batches<TrajectoryBatch>>;
}

/** seeds: how many; episodes: of each. */
export function openCourt(task: RefereeTask, seeds: number, episodes: number): RefereeCourt {
  const game = numberGame(task);
  const truth = gameTruth(game);
  const played = Array.from({ length: seeds }, (_, i) =>
    inBatches(playGame(game, truth, { seed: i + 1, episodes, purpose: "scored" })),
  );
  return { game, truth, played, valued: new Map() };
}

/** Large batches first, each cut into the next smaller ones. */
function inBatches(played: RefereeEpisodes): Batches<RefereeEpisodes> {
  const made: Batches<RefereeEpisodes> = new Map();
  let from = [played];
  for (const size of SIZES.filter((one) => one <= played.batch.task.length).reverse()) {
    from = from.flatMap((one) => cutGame(one, size));
    made.set(size, from);
  }
  return made;
}

/**
 * The row's score; a row without a critic gets no values. Its KL is left out: that is no credit.
 * @throws InputError if the row needs what a task has not.
 */
export function scoreRow(
  court: RefereeCourt,
  row: AlgorithmConfig,
  critic: RefereeCritic | null,
): RefereeScore {
  const config = { ...withoutPull(row), betaKlReward: 0, klTarget: null };
  const seeds = court.played.map((played, i) =>
    scoreSeed(court, played, valuedBatches(court, i, config, critic), config),
  );
  const { truth } = court;
  const judged = seeds.flatMap(({ credit }) => credit);
  const inRewards = judged.every((batch) => batch.inRewards);
  const scale = inRewards ? 1 : bestFactor(judged);
  const errors = seeds.map(({ credit }) => errorsOf(credit, truth, scale));
  const overSeeds = (of: (one: SeedScore, i: number) => number) => scored(seeds.map(of));
  return {
    units: inRewards ? "reward" : "fitted",
    bias: overSeeds((_, i) => errors[i]!.bias),
    variance: overSeeds((_, i) => errors[i]!.variance),
    rank: overSeeds(({ rank }) => rank),
    sign: overSeeds(({ sign }) => sign),
    finds: overSeeds(({ finds }) => finds),
    cosine: overSeeds(({ cosines }) => cosines.get(REFEREE_BATCH)!),
    limit: jackknife(
      seeds.map(({ gradients }) => gradients),
      (of) => limitOf(of.flat(), truth),
    ),
    episodes: episodesNeeded(seeds),
  };
}

function scored(x: readonly number[]): OverSeeds {
  return { value: mean(x), ...tInterval(x) };
}

/** The smallest batch from which on the mean cosine is good. */
function episodesNeeded(seeds: readonly SeedScore[]): number | null {
  const sizes = [...seeds[0]!.cosines.keys()].sort((a, b) => a - b);
  const isGood = (size: number) =>
    mean(seeds.map(({ cosines }) => cosines.get(size)!)) >= GOOD_COSINE;
  return sizes.find((_, i) => sizes.slice(i).every(isGood)) ?? null;
}

/** A statistic of all seeds, with an interval from leaving out one at a time. */
function jackknife<T>(seeds: readonly T[], statistic: (of: readonly T[]) => number): OverSeeds {
  const n = seeds.length;
  const value = statistic(seeds);
  if (n < 2) return { value, low: NaN, high: NaN };
  const without = seeds.map((_, i) => statistic(seeds.filter((_one, j) => j !== i)));
  const half = studentT(0.95, n - 1) * ((n - 1) * Math.sqrt(variance(without) / n));
  return { value, low: value - half, high: value + half };
}

/** The seed's batches as the row sees them. */
function valuedBatches(
  { game, truth, played, valued }: RefereeCourt,
  i: number,
  config: AlgorithmConfig,
  critic: RefereeCritic | null,
): Batches<TrajectoryBatch> {
  const discount = criticDiscount(config);
  const key = [i, critic, discount.inTurn, discount.afterTurn].join(" ");
  const known = valued.get(key);
  if (known) return known;
  const table = critic && criticTable(game, truth, critic, { seed: i + 1, discount }); // [M]
  const made: Batches<TrajectoryBatch> = new Map();
  for (const [size, cuts] of played[i]!)
    made.set(
      size,
      cuts.map((cut) => (table ? withCritic(cut, table) : cut.batch)),
    );
  valued.set(key, made);
  return made;
}

/** A batch's turns with their estimates. */
interface JudgedBatch {
  inRewards: boolean;
  /** Before normalisation, and the truth. [K] */
  raw: Float64Array;
  A: Float64Array;
  cell: Int32Array;
}

interface SeedScore {
  credit: JudgedBatch[];
  rank: number;
  sign: number;
  finds: number;
  /** By batch size. */
  cosines: Map<number, number>;
  /** Of the batches of REFEREE_BATCH episodes. [*][P] */
  gradients: Float64Array[];
}

function scoreSeed(
  { game, truth }: RefereeCourt,
  played: Batches<RefereeEpisodes>,
  valued: Batches<TrajectoryBatch>,
  config: AlgorithmConfig,
): SeedScore {
  const judged = played.get(REFEREE_BATCH)!.map(({ cell }, j) => {
    const batch = valued.get(REFEREE_BATCH)![j]!;
    const A = Float64Array.from(cell, (c) => truth.advantage[c]!); // [K]
    return { batch, cell, A, ...creditOf(config, batch) };
  });
  const gradients = new Map<number, Float64Array[]>();
  for (const [size, batches] of valued)
    gradients.set(
      size,
      batches.map((batch, j) => gradientOf(game, config, batch, played.get(size)![j]!.param)),
    );
  const cosines = [...gradients].map(
    ([size, made]) => [size, mean(made.map((g) => cosineOf(g, truth.gradient)))] as const,
  );
  const overBatches = (of: (one: (typeof judged)[number]) => number) => mean(judged.map(of));
  return {
    credit: judged,
    rank: overBatches(({ advantage, A }) => spearman(advantage, A) || 0),
    sign: overBatches(({ advantage, A }) => signAgreement(advantage, A)),
    finds: overBatches(({ advantage, A, batch }) => findsDecisive(advantage, A, batch.turnStart)),
    cosines: new Map(cosines),
    gradients: gradients.get(REFEREE_BATCH)!,
  };
}

/** As it enters the loss, and before any normalisation. */
function creditOf(config: AlgorithmConfig, batch: TrajectoryBatch) {
  const plain = unnormalised(config);
  const raw = computeCredit(plain, batch).turnAdvantage; // [K]
  const doubled = computeCredit(plain, scaleRewards(batch, 2)).turnAdvantage; // [K]
  const near = (x: number, y: number) => Math.abs(x - y) <= 1e-9 * (1 + Math.abs(x));
  return {
    raw,
    advantage: computeCredit(config, batch).turnAdvantage, // [K]
    inRewards: raw.every((x, k) => near(doubled[k]!, 2 * x)),
  };
}

/** The sum of the scores of all tokens, each weighted by -dL/dlogprob. param [N] -> [P] */
function gradientOf(
  game: Game,
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  param: Int32Array,
): Float64Array {
  const credit = computeCredit(config, batch);
  const { dLogprob } = computeObjective(config, { ...batch, logprob: batch.oldLogprob! }, credit);
  const gradient = new Float64Array(game.paramChance.length); // [P]
  param.forEach((p, t) => addScore(game, p, -dLogprob[t]!, gradient));
  return gradient;
}

function dot(x: Float64Array, y: Float64Array): number {
  return x.reduce((sum, xi, i) => sum + xi * y[i]!, 0);
}

function cosineOf(g: Float64Array, G: Float64Array): number {
  const size = Math.sqrt(dot(g, g) * dot(G, G));
  return size > 0 ? dot(g, G) / size : 0;
}

/** NaN where the mean gradient is too small to be told from noise. gradients [*][P] */
function limitOf(gradients: readonly Float64Array[], { gradient: G }: GameTruth): number {
  const n = gradients.length;
  const sum = new Float64Array(G.length); // [P]
  let own = 0;
  for (const g of gradients) {
    g.forEach((x, p) => (sum[p]! += x));
    own += dot(g, g);
  }
  const square = (dot(sum, sum) - own) / (n * (n - 1));
  if (!(square > 0)) return NaN;
  return Math.max(-1, Math.min(1, dot(sum, G) / n / Math.sqrt(square * dot(G, G))));
}

function signAgreement(advantage: Float64Array, A: Float64Array): number {
  let [right, signed] = [0, 0];
  A.forEach((truth, k) => {
    if (isNothing(truth)) return;
    signed += 1;
    const estimate = isNothing(advantage[k]!) ? 0 : Math.sign(advantage[k]!);
    right += estimate === 0 ? 0.5 : Number(estimate === Math.sign(truth));
  });
  return right / signed;
}

/** Rounding beside advantages of the size of rewards. */
const isNothing = (x: number) => Math.abs(x) < 1e-9;

/** Over the episodes with several turns of which one is the most decisive. */
function findsDecisive(advantage: Float64Array, A: Float64Array, turnStart: Int32Array): number {
  const shares: number[] = [];
  for (let b = 0; b < turnStart.length - 1; b++) {
    const [from, to] = [turnStart[b]!, turnStart[b + 1]!];
    const decisive = largest(A.subarray(from, to));
    if (to - from < 2 || decisive.length !== 1) continue;
    const found = largest(advantage.subarray(from, to));
    shares.push(found.includes(decisive[0]!) ? 1 / found.length : 0);
  }
  return mean(shares);
}

/** Indices of the largest absolute values. */
function largest(x: Float64Array): number[] {
  const most = x.reduce((high, xi) => Math.max(high, Math.abs(xi)), 0);
  return [...x.keys()].filter((k) => Math.abs(x[k]!) >= most - 1e-9);
}

/** The factor that fits the estimates best to the truth: least squares. */
function bestFactor(batches: readonly JudgedBatch[]): number {
  const [both, own] = batches.reduce(
    ([xA, xx], { raw, A }) => [xA + dot(raw, A), xx + dot(raw, raw)],
    [0, 0],
  );
  return own > 0 ? both / own : 0;
}

/** Bias and variance as shares of the truth's mean square. */
function errorsOf(
  batches: readonly JudgedBatch[],
  { cellVisits, meanSquare }: GameTruth,
  scale: number,
): { bias: number; variance: number } {
  const [sums, squares, counts] = [
    cellVisits.map(() => 0),
    cellVisits.map(() => 0),
    cellVisits.map(() => 0),
  ] as const; // [C]
  let [squared, K] = [0, 0];
  for (const { raw, A, cell } of batches) {
    const own = new Map<number, number[]>();
    cell.forEach((c, k) => {
      const error = scale * raw[k]! - A[k]!;
      if (!own.has(c)) own.set(c, []);
      own.get(c)!.push(error);
      squared += error * error;
      K += 1;
    });
    for (const [c, errors] of own) {
      sums[c]! += mean(errors);
      squares[c]! += mean(errors) * mean(errors);
      counts[c]! += 1;
    }
  }
  // The squared mean of each cell, from products of different batches; a cell that two batches have not is left out.
  let [bias, weight] = [0, 0];
  cellVisits.forEach((visits, c) => {
    const n = counts[c]!;
    if (n < 2) return;
    bias += (visits * (sums[c]! * sums[c]! - squares[c]!)) / (n * (n - 1));
    weight += visits;
  });
  const share = bias / weight / meanSquare;
  return { bias: share, variance: squared / K / meanSquare - share };
}
