/**
 * Advantages of algorithms compared with the truth, per turn.
 *
 * Correlations and signs use advantages as they enter the loss; whitening a whole batch does not
 * change a correlation. Bias and variance need units: they use the advantage before normalisation,
 * in reward units, if an algorithm's advantage has those (it doubles when all rewards and values
 * double), and otherwise the advantage after the best-fitting line to the truth, which has no bias
 * by construction. The truth is itself an estimate: the mean square of its standard errors is
 * subtracted from each variance, while correlations are reported as measured, so that even a
 * perfect estimate reaches only sqrt(reliability).
 *
 * A correlation over all turns mixes two things: the order of a task's turns, and the weights of
 * tasks relative to each other, which a divisor per group or a mean over tasks changes without
 * improving any credit. So `within` is the correlation inside a task, averaged over tasks, and
 * `byTurn` the one among turns with the same index. `against` compares rows: the difference of two
 * rows on the same resampled tasks, whose interval is narrower than those of either.
 *
 * Intervals are 95 % percentile bootstrap intervals over tasks: turns of one episode, and episodes
 * of one task, are not independent, so a task is drawn with all of its turns. Advantages are not
 * recomputed in a resample. Resamples in which a number is undefined (a correlation in which all
 * drawn turns are equal) are left out, and their share is reported.
 */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import {
  bootstrapInterval,
  mean,
  pearson,
  spearman,
  variance,
  type BootstrapInterval,
} from "../../numeric/statistics.ts";
import type { Estimates } from "./trueValues.ts";

/** A number with its bootstrap interval; NaN if undefined, as the bounds are with fewer than two tasks. */
export interface Measured extends BootstrapInterval {
  value: number;
}

/** An algorithm's estimate for each turn. */
export interface CreditEstimate {
  config: AlgorithmConfig;
  /** As it enters the loss. [K] */
  advantage: Float64Array;
  /** Before normalisation. [K] */
  raw: Float64Array;
  /** Whether `raw` is in reward units. */
  inRewardUnits: boolean;
  /** The algorithm whose critic gave the values; absent or null if it used none. */
  critic?: string | null;
}

export interface CreditError {
  algorithm: string;
  title: string;
  /** The algorithm whose critic gave the values; null if it used none. */
  critic: string | null;
  units: "reward" | "fitted";
  /** Mean of estimate - truth; null if a line was fitted. */
  bias: Measured | null;
  /** Variance of estimate - truth over turns, minus the truth's own noise. */
  variance: Measured;
  /**
   * Pooled variance of the estimate among visits to one state with one response: the effect of
   * randomness in the rest of the episode, as far as it can be observed. Such visits are mostly
   * first turns, which depend more on chance than later ones, so it may exceed `variance`. NaN if
   * no state was visited twice with one response.
   */
  noise: Measured;
  /** Correlation with the truth: linear, and of ranks. */
  pearson: Measured;
  spearman: Measured;
  /** Mean over tasks of the linear correlation within each, weighted by turns; scales of tasks cancel. */
  within: Measured;
  /** Linear correlation among the h-th turns. */
  byTurn: { turn: number; turns: number; pearson: Measured }[];
  /** This row minus the reference row, on the same tasks; null for the reference itself. */
  against: { algorithm: string; pearson: Measured; within: Measured } | null;
  /** Share of correct signs among turns whose true sign is known (0 is outside its interval); an estimate of 0 counts half. */
  sign: Measured;
}

/** What the estimates are compared with. */
export interface CreditTruth {
  /** [K] */
  advantage: Estimates;
  /** Task of each turn: turns of one task are resampled together. [K] */
  task: readonly string[];
  /** Equal for turns in one state with one response. [K] */
  visit: readonly string[];
  /** Index of each turn in its episode, from 1. [K] */
  turn: readonly number[];
}

export interface TruthSummary {
  turns: number;
  tasks: number;
  /** Turns whose true sign is known. */
  signed: number;
  /**
   * Variance of the true advantage minus its own noise: the error of estimating 0 for every turn.
   */
  variance: number;
  /** Share of the measured truth's variance that is not noise. */
  reliability: number;
}

const RESAMPLES = 1000;

/** Statistics of the truth itself. */
export function summariseTruth({ advantage, task }: CreditTruth): TruthSummary {
  const noise = meanSquare(advantage.standardError);
  const measured = variance(advantage.mean);
  return {
    turns: task.length,
    tasks: new Set(task).size,
    signed: advantage.mean.reduce((n, _, k) => n + Math.abs(signOf(advantage, k)), 0),
    variance: measured - noise,
    reliability: (measured - noise) / measured,
  };
}

interface ErrorOptions {
  resamples?: number;
  seed?: number;
  /** Name of the reference row; if absent or not found: the first. */
  against?: string | undefined;
}

/** One entry per estimate, in order. */
export function creditErrors(
  estimates: readonly CreditEstimate[],
  truth: CreditTruth,
  { resamples = RESAMPLES, seed = 0, against }: ErrorOptions = {},
): CreditError[] {
  const tasks = turnsByTask(truth.task); // [T][*]
  const measure = (statistic: (turns: Int32Array, drawn: number[]) => number): Measured => {
    const all = tasks.map((_, t) => t);
    const of = (drawn: ArrayLike<number>) => {
      const chosen = Array.from(drawn);
      return statistic(Int32Array.from(chosen.flatMap((t) => tasks[t]!)), chosen);
    };
    const value = of(all);
    if (tasks.length < 2) return { value, low: NaN, high: NaN, undefinedShare: NaN };
    return { value, ...bootstrapInterval([all], { statistic: of, resamples, seed }) };
  };
  const base = estimates.find(({ config }) => config.name === against) ?? estimates[0];
  return estimates.map((estimate) => ({
    ...errorOf(estimate, truth, tasks, measure),
    against: estimate === base ? null : difference(estimate, base!, truth, measure),
  }));
}

/** Every resample of tasks is used for both rows. */
function difference(
  { advantage }: CreditEstimate,
  base: CreditEstimate,
  truth: CreditTruth,
  measure: MeasureTurns,
): NonNullable<CreditError["against"]> {
  const A = truth.advantage.mean; // [K]
  const [own, other] = [advantage, base.advantage].map((x) => withinTasks(x, A, truth.task));
  return {
    algorithm: base.config.name,
    pearson: measure(
      (turns) => pearsonOf(advantage, A, turns) - pearsonOf(base.advantage, A, turns),
    ),
    within: measure((_, drawn) => meanOfDrawn(own!, drawn) - meanOfDrawn(other!, drawn)),
  };
}

type MeasureTurns = (statistic: (turns: Int32Array, drawn: number[]) => number) => Measured;

function errorOf(
  { config, advantage, raw, inRewardUnits, critic = null }: CreditEstimate,
  truth: CreditTruth,
  tasks: number[][],
  measure: MeasureTurns,
): Omit<CreditError, "against"> {
  const { mean: A, standardError } = truth.advantage;
  const used = inRewardUnits ? raw : fitted(advantage, A); // [K]
  const error = used.map((x, k) => x - A[k]!); // [K]
  const within = tasks.map((turns) => withinVisits(used, truth.visit, turns)); // [T]
  const inTasks = withinTasks(advantage, A, truth.task);
  return {
    algorithm: config.name,
    title: config.title,
    critic,
    units: inRewardUnits ? "reward" : "fitted",
    bias: inRewardUnits ? measure((turns) => mean(pick(error, turns))) : null,
    variance: measure(
      (turns) => variance(pick(error, turns)) - meanSquare(pick(standardError, turns)),
    ),
    noise: measure((_, drawn) => pooled(drawn.map((t) => within[t]!))),
    pearson: measure((turns) => pearsonOf(advantage, A, turns)),
    within: measure((_, drawn) => meanOfDrawn(inTasks, drawn)),
    byTurn: turnNumbers(truth.turn).map(({ turn, turns }) => ({
      turn,
      turns,
      pearson: measure((drawn) =>
        pearsonOf(
          advantage,
          A,
          drawn.filter((k) => truth.turn[k] === turn),
        ),
      ),
    })),
    spearman: measure((turns) => spearman(pick(advantage, turns), pick(A, turns))),
    sign: measure((turns) => signAccuracy(advantage, truth.advantage, turns)),
  };
}

function pick(x: Float64Array, turns: ArrayLike<number>): Float64Array {
  return Float64Array.from(turns, (k) => x[k]!);
}

function pearsonOf(x: Float64Array, y: Float64Array, turns: ArrayLike<number>): number {
  return pearson(pick(x, turns), pick(y, turns));
}

/** A task's own correlation, NaN if one side is constant, and its number of turns. */
interface InTask {
  pearson: number;
  turns: number;
}

/** [T] */
function withinTasks(x: Float64Array, A: Float64Array, task: readonly string[]): InTask[] {
  return turnsByTask(task).map((turns) => ({
    pearson: pearsonOf(x, A, turns),
    turns: turns.length,
  }));
}

/** Over the tasks that have a correlation. */
function meanOfDrawn(tasks: readonly InTask[], drawn: readonly number[]): number {
  const able = drawn.map((t) => tasks[t]!).filter(({ pearson }) => pearson === pearson);
  const total = able.reduce((sum, { turns }) => sum + turns, 0);
  return able.reduce((sum, { pearson, turns }) => sum + pearson * turns, 0) / total;
}

/** The turn indices that occur, ascending, with the number of turns of each. */
function turnNumbers(turn: readonly number[]): { turn: number; turns: number }[] {
  const counts = new Map<number, number>();
  for (const h of turn) counts.set(h, (counts.get(h) ?? 0) + 1);
  return [...counts].map(([h, turns]) => ({ turn: h, turns })).sort((a, b) => a.turn - b.turn);
}

/** The estimate on the best-fitting line to the truth (least squares). [K] */
function fitted(x: Float64Array, A: Float64Array): Float64Array {
  const slope =
    variance(x) > 0 ? (pearson(x, A) * Math.sqrt(variance(A))) / Math.sqrt(variance(x)) : 0;
  const [mx, mA] = [mean(x), mean(A)];
  return x.map((xk) => mA + slope * (xk - mx));
}

/** Sum of squares about the means of visits, and its degrees of freedom. */
interface Within {
  squares: number;
  df: number;
}

function withinVisits(x: Float64Array, visit: readonly string[], turns: number[]): Within {
  const visits = new Map<string, number[]>();
  for (const k of turns) visits.set(visit[k]!, [...(visits.get(visit[k]!) ?? []), x[k]!]);
  const repeated = [...visits.values()].filter((values) => values.length > 1);
  return {
    squares: repeated.reduce((sum, values) => sum + variance(values) * (values.length - 1), 0),
    df: repeated.reduce((sum, values) => sum + values.length - 1, 0),
  };
}

function pooled(parts: Within[]): number {
  const sum = (of: (part: Within) => number) => parts.reduce((total, part) => total + of(part), 0);
  return sum(({ squares }) => squares) / sum(({ df }) => df);
}

/** 1 or -1 if the interval excludes 0, else 0. */
function signOf({ low, high }: Estimates, k: number): number {
  return low[k]! > 0 ? 1 : high[k]! < 0 ? -1 : 0;
}

function signAccuracy(x: Float64Array, truth: Estimates, turns: Int32Array): number {
  const scores: number[] = [];
  for (const k of turns) {
    const sign = signOf(truth, k);
    if (sign !== 0) scores.push(x[k] === 0 ? 0.5 : Number(Math.sign(x[k]!) === sign));
  }
  return mean(scores);
}

function meanSquare(x: Float64Array): number {
  return mean(x.map((y) => y * y));
}

/** Indices of each task's turns, tasks in order of first appearance. [T][*] */
function turnsByTask(task: readonly string[]): number[][] {
  const turns = new Map<string, number[]>();
  task.forEach((name, k) => {
    const own = turns.get(name);
    if (own) own.push(k);
    else turns.set(name, [k]);
  });
  return [...turns.values()];
}
