/**
 * Advantages of algorithms against the truth, per turn.
 *
 * Correlations and signs look at advantages as the loss takes them; whitening a whole batch does not change a
 * correlation. Bias and variance need units: they look at the advantage before normalisation, in reward units, where
 * an algorithm's advantage has those (it doubles when all rewards and values double), and else at the advantage after
 * the straight line that fits the truth best, which leaves no bias by construction. The truth is itself estimated:
 * the mean square of its standard errors is taken off each variance, while correlations are told as measured, so that
 * even a perfect estimate reaches sqrt(reliability) only.
 *
 * Intervals are 95 % percentile bootstrap intervals over tasks: turns of one episode, and episodes of one task, are
 * not independent, so a task is drawn with all of its turns. Advantages are not computed anew in a resample. Draws in
 * which a number is undefined (a correlation where all drawn turns are alike) are left out, and their share is told.
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

/** A number with its bootstrap interval; NaN where it is undefined, as bounds are for fewer than two tasks. */
export interface Measured extends BootstrapInterval {
  value: number;
}

/** What an algorithm says of each turn. */
export interface CreditEstimate {
  config: AlgorithmConfig;
  /** As the loss takes it. [K] */
  advantage: Float64Array;
  /** Before normalisation. [K] */
  raw: Float64Array;
  /** Whether `raw` is in reward units. */
  inRewardUnits: boolean;
  /** The algorithm whose critic gave the values; absent or null where none was asked. */
  critic?: string | null;
}

export interface CreditError {
  algorithm: string;
  title: string;
  /** The algorithm whose critic gave the values; null where none was asked. */
  critic: string | null;
  units: "reward" | "fitted";
  /** Mean of estimate - truth; null where a line was fitted. */
  bias: Measured | null;
  /** Variance of estimate - truth over turns, the truth's own noise taken off. */
  variance: Measured;
  /**
   * Pooled variance of the estimate among visits to one state with one response: what chance in the rest of the
   * episode does to it, where that can be seen. Such visits are mostly first turns, of which more hangs on chance than
   * of later ones, so it may exceed `variance`. NaN where no state was visited twice with one response.
   */
  noise: Measured;
  /** Correlation with the truth, linear and of ranks. */
  pearson: Measured;
  spearman: Measured;
  /** Share of right signs among turns whose true sign is known (0 is not in its interval); an estimate of 0 is half right. */
  sign: Measured;
}

/** What the estimates are held against. */
export interface CreditTruth {
  /** [K] */
  advantage: Estimates;
  /** Task of each turn: equal names are drawn together. [K] */
  task: readonly string[];
  /** Equal for turns in one state with one response. [K] */
  visit: readonly string[];
}

export interface TruthSummary {
  turns: number;
  tasks: number;
  /** Turns whose true sign is known. */
  signed: number;
  /** Variance of the true advantage, its own noise taken off: what saying 0 of every turn leaves. */
  variance: number;
  /** Share of the variance of the measured truth that is no noise. */
  reliability: number;
}

const RESAMPLES = 1000;

/** What can be said of the truth itself. */
export function summarise({ advantage, task }: CreditTruth): TruthSummary {
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

/** One line per estimate, in their order. */
export function creditErrors(
  estimates: readonly CreditEstimate[],
  truth: CreditTruth,
  { resamples = RESAMPLES, seed = 0 } = {},
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
  return estimates.map((estimate) => errorOf(estimate, truth, tasks, measure));
}

type Measure = (statistic: (turns: Int32Array, drawn: number[]) => number) => Measured;

function errorOf(
  { config, advantage, raw, inRewardUnits, critic = null }: CreditEstimate,
  truth: CreditTruth,
  tasks: number[][],
  measure: Measure,
): CreditError {
  const { mean: A, standardError } = truth.advantage;
  const told = inRewardUnits ? raw : fitted(advantage, A); // [K]
  const error = told.map((x, k) => x - A[k]!); // [K]
  const within = tasks.map((turns) => withinVisits(told, truth.visit, turns)); // [T]
  const pick = (x: Float64Array, turns: Int32Array) => Float64Array.from(turns, (k) => x[k]!);
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
    pearson: measure((turns) => pearson(pick(advantage, turns), pick(A, turns))),
    spearman: measure((turns) => spearman(pick(advantage, turns), pick(A, turns))),
    sign: measure((turns) => signAccuracy(advantage, truth.advantage, turns)),
  };
}

/** The estimate on the straight line that fits the truth best (least squares). [K] */
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

/** 1 or -1 where the interval leaves no doubt, else 0. */
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

/** Numbers of each task's turns, tasks in order of first appearance. [T][*] */
function turnsByTask(task: readonly string[]): number[][] {
  const turns = new Map<string, number[]>();
  task.forEach((name, k) => {
    const own = turns.get(name);
    if (own) own.push(k);
    else turns.set(name, [k]);
  });
  return [...turns.values()];
}
