/**
 * The verdict of a study: arms that end with a score for each seed and level, compared as their
 * contrasts. Seeds and levels are both samples: a difference must hold for others of both.
 */
import {
  mean,
  quantile,
  studentTail,
  variance,
  type Interval,
  type Numbers,
} from "./statistics.ts";
import { holm, valuesFor } from "./significance.ts";
import { uniforms } from "./rng.ts";

/** All arms of a study have the same seeds and levels, in the same order. */
export interface Arm {
  name: string;
  /** [seeds][levels] */
  scores: readonly Numbers[];
}

type ArmJudgement = "higher" | "lower" | "cannot tell";

export interface ArmContrast {
  a: string;
  b: string;
  /** a - b, over seeds and levels. */
  mean: number;
  /** 95 % for the mean, percentile bootstrap over seeds and levels. */
  interval: Interval;
  /** Probability that a run of a beats a run of b, a tie counting half, with its interval. */
  improvement: number;
  improvementInterval: Interval;
  p: number;
  /** p by Holm over the study's contrasts. */
  holm: number;
  verdict: ArmJudgement;
  /** Seeds that would find this difference four times in five, on as many levels; null: over 10,000. */
  seeds: number | null;
}

/** The most that a p-value by Holm may be for a verdict. */
const LEVEL = 0.05;
const RESAMPLES = 2000;

/** Variances of paired differences, of a table [seeds][levels]. */
interface TableSpread {
  n: number;
  m: number;
  mean: number;
  /** Of the seeds' means. */
  seeds: number;
  /** Of the levels' means. */
  levels: number;
  /** Of what neither seed nor level explains. */
  rest: number;
}

function spreadOf(table: readonly Numbers[]): TableSpread {
  const [n, m] = [table.length, table[0]!.length];
  const bySeed = table.map(mean); // [n]
  const byLevel = Array.from({ length: m }, (_, l) => mean(table.map((row) => row[l]!))); // [m]
  const all = mean(bySeed);
  let squares = 0;
  table.forEach((row, s) =>
    byLevel.forEach((of, l) => (squares += (row[l]! - bySeed[s]! - of + all) ** 2)),
  );
  const levels = m < 2 ? 0 : variance(byLevel);
  const rest = m < 2 ? 0 : squares / ((n - 1) * (m - 1));
  return { n, m, mean: all, seeds: variance(bySeed), levels, rest };
}

/**
 * Two-sided p-value for a mean of 0, of paired differences [seeds][levels], n seeds at least 2: t with n - 1 degrees of
 * freedom. The error is that of a two-way layout with random seeds and levels, and at least that of
 * each part alone: few seeds may agree by chance.
 */
function twoWayTest({ n, m, mean: difference, seeds, levels, rest }: TableSpread): number {
  const cell = rest / (n * m);
  const error = Math.sqrt(Math.max(seeds / n + levels / m - cell, seeds / n, cell));
  return difference === 0 ? 1 : studentTail(difference / error, n - 1);
}

/** Seeds that would find the mean on as many levels: those stay, and their variance with them. */
function seedsFor({ n, m, mean: difference, seeds, levels, rest }: TableSpread, level: number) {
  const ofLevels = Math.max(0, levels - rest / n) / m;
  const effectAt = (count: number) =>
    Math.abs(difference) / Math.sqrt(seeds + count * ofLevels || Number.MIN_VALUE);
  return valuesFor(effectAt, 0.8, 10_000, level);
}

/**
 * Paired differences of the contrasts, judged: p-values by Holm over all of them. The seeds needed are for the strictest
 * level that Holm may demand.
 * @param tables of differences a - b. [contrasts][seeds][levels]
 */
export function judgeTables(
  tables: readonly (readonly Numbers[])[],
): Pick<ArmContrast, "mean" | "p" | "holm" | "verdict" | "seeds">[] {
  const spreads = tables.map(spreadOf);
  const p = spreads.map(twoWayTest);
  const adjusted = holm(p);
  return spreads.map((spread, i) => {
    const isClear = adjusted[i]! < LEVEL;
    const verdict = !isClear ? "cannot tell" : spread.mean > 0 ? "higher" : "lower";
    const seeds = seedsFor(spread, LEVEL / tables.length);
    return { mean: spread.mean, p: p[i]!, holm: adjusted[i]!, verdict, seeds };
  });
}

/** The contrasts of a study, each a pair of names. @throws RangeError for fewer than two seeds or arms of unequal shape. */
export function compareArms(
  arms: readonly Arm[],
  pairs: readonly (readonly [a: string, b: string])[],
  { seed = 0, resamples = RESAMPLES } = {},
): ArmContrast[] {
  checkShapes(arms);
  const named = (name: string) => arms.find((arm) => arm.name === name)!.scores;
  const tables = pairs.map(([a, b]) => minusTable(named(a), named(b)));
  const judged = judgeTables(tables);
  return pairs.map(([a, b], i) => {
    const [ours, theirs] = [named(a), named(b)];
    return {
      a,
      b,
      ...judged[i]!,
      improvement: improvementOf(ours.map(mean), theirs.map(mean)),
      ...resampled(ours, theirs, seed, resamples),
    };
  });
}

function checkShapes(arms: readonly Arm[]): void {
  const [n, m] = [arms[0]!.scores.length, arms[0]!.scores[0]?.length ?? 0];
  const isSame = ({ scores }: Arm) =>
    scores.length === n && scores.every((row) => row.length === m);
  if (n < 2 || m < 1 || !arms.every(isSame))
    throw new RangeError("arms need the same two or more seeds, and the same levels");
}

const minusTable = (a: readonly Numbers[], b: readonly Numbers[]) =>
  a.map((row, s) => Float64Array.from(row, (x, l) => x - b[s]![l]!)); // [n][m]

/** P(a > b) + P(a = b) / 2 over all pairs of runs (rliable, arXiv 2108.13264). */
function improvementOf(a: readonly number[], b: readonly number[]): number {
  let halves = 0;
  for (const x of a) for (const y of b) halves += x > y ? 2 : x === y ? 1 : 0;
  return halves / (2 * a.length * b.length);
}

/** Seeds and levels are each drawn again with replacement, the same for both arms. */
function resampled(
  a: readonly Numbers[],
  b: readonly Numbers[],
  seed: number,
  resamples: number,
): Pick<ArmContrast, "interval" | "improvementInterval"> {
  const [n, m] = [a.length, a[0]!.length];
  const means = new Float64Array(resamples);
  const wins = new Float64Array(resamples);
  for (let r = 0; r < resamples; r++) {
    const key = { seed, stream: "study-bootstrap", iteration: r, trajectory: 0, step: 0 };
    const u = uniforms(key, n + m);
    const levels = new Float64Array(m);
    for (let l = 0; l < m; l++) levels[Math.floor(u[n + l]! * m)]! += 1;
    const rows = Array.from({ length: n }, (_, s) => Math.floor(u[s]! * n));
    const ofRows = (scores: readonly Numbers[]) => rows.map((s) => weighted(scores[s]!, levels));
    const [ours, theirs] = [ofRows(a), ofRows(b)];
    means[r] = mean(ours) - mean(theirs);
    wins[r] = improvementOf(ours, theirs);
  }
  return { interval: middle95(means), improvementInterval: middle95(wins) };
}

/** Mean of a row in which each level occurs that often. */
function weighted(row: Numbers, count: Float64Array): number {
  let sum = 0;
  for (let l = 0; l < row.length; l++) sum += row[l]! * count[l]!;
  return sum / row.length;
}

const middle95 = (x: Numbers): Interval => ({ low: quantile(x, 0.025), high: quantile(x, 0.975) });

/** Share of an arm's runs whose mean score is at least each limit (rliable's performance profile). [limits] */
export function profileOf({ scores }: Pick<Arm, "scores">, limits: Numbers): number[] {
  const runs = scores.map(mean);
  return Array.from(limits, (limit) => mean(runs.map((x) => Number(x >= limit))));
}
