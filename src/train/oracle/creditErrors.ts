/**
 * Advantages of algorithms against the truth, per turn.
 *
 * Correlations and signs look at advantages as the loss takes them; whitening a whole batch does not change a
 * correlation. Bias and variance need units: they look at the advantage before normalisation, in reward units, where
 * an algorithm's advantage has those (it doubles when all rewards and values double), and else at the advantage after
 * the straight line that fits the truth best, which leaves no bias by construction. The truth is itself estimated:
 * the mean square of its standard errors is taken off each variance, while correlations are reported as measured, so that
 * even a perfect estimate reaches sqrt(reliability) only.
 *
 * A correlation over all turns mixes two things: ordering a task's turns, and weighing tasks against each other, which
 * a divisor per group or a mean over tasks changes without any credit being better placed. So `within` gives the
 * correlation inside a task, averaged over tasks, and `byTurn` the one among turns of one number. Rows are compared by
 * `against`: the difference of two rows on the same drawn tasks, whose interval is narrower than those of either.
 *
 * Intervals are 95 % percentile bootstrap intervals over tasks: turns of one episode, and episodes of one task, are
 * not independent, so a task is drawn with all of its turns. Advantages are not computed anew in a resample. Draws in
 * which a number is undefined (a correlation where all drawn turns are alike) are left out, and their share is reported.
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
  /** Mean over tasks of the linear correlation within each, tasks counting by their turns; scales of tasks drop out. */
  within: Measured;
  /** Linear correlation among the h-th turns. */
  byTurn: { turn: number; turns: number; pearson: Measured }[];
  /** This row minus the one that it is compared with, on the same tasks; null for that row itself. */
  against: { algorithm: string; pearson: Measured; within: Measured } | null;
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
  /** Number of each turn in its episode, from 1. [K] */
  turn: readonly number[];
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
  /** Name of the row that the others are compared with; absent, or not among them: the first. */
  against?: string | undefined;
}

/** One line per estimate, in their order. */
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

/** Every draw of tasks is one of both rows. */
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

/** A task's own correlation, NaN where one side is constant in it, and its turns. */
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

/** Over the tasks that have one. */
function meanOfDrawn(tasks: readonly InTask[], drawn: readonly number[]): number {
  const able = drawn.map((t) => tasks[t]!).filter(({ pearson }) => pearson === pearson);
  const total = able.reduce((sum, { turns }) => sum + turns, 0);
  return able.reduce((sum, { pearson, turns }) => sum + pearson * turns, 0) / total;
}

/** The numbers there are, rising, and how many turns bear each. */
function turnNumbers(turn: readonly number[]): { turn: number; turns: number }[] {
  const counts = new Map<number, number>();
  for (const h of turn) counts.set(h, (counts.get(h) ?? 0) + 1);
  return [...counts].map(([h, turns]) => ({ turn: h, turns })).sort((a, b) => a.turn - b.turn);
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
