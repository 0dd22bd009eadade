/**
 * Summary of a sweep's runs: every run's points, then mean, interquartile mean and 95 % intervals
 * over the seeds of each setting and method, and differences between settings, paired by seed. A
 * crashed run counts with its last finite score; a stopped one counts in no mean, since the same
 * command continues it, and is counted separately.
 */
import { finite, firstAndLast, knownOnly, minus } from "../../numeric/finite.ts";
import { resultCollapsed } from "../../spec/collapse.ts";
import type { MethodResult, RunResult } from "./results.ts";
import {
  bootstrapped,
  lastScores,
  pairedBySeed,
  tIntervalOrNull,
  type Score,
} from "./seedStatistics.ts";
import { iqm, mean, type Interval } from "../../numeric/statistics.ts";

/** The evaluations of a run, finished or stopped. */
interface RunPoints {
  seed: number;
  state: RunResult["state"];
  crashedAt: number | null;
  /** The measure; null if not finite. */
  points: [iteration: number, score: number | null][];
}

export interface SummaryRow {
  setting: string;
  method: string;
  measure: string;
  /** Finished runs. */
  n: number;
  /** Of the finished runs. */
  scores: Score[];
  /** For every run that has begun. */
  curves: RunPoints[];
  mean: number | null;
  iqm: number | null;
  /** For the mean, Student's t; null for fewer than two. */
  tInterval: Interval | null;
  /** For the interquartile mean, percentile bootstrap over seeds: one setting is one stratum. Null for fewer than two. */
  bootstrap: Interval | null;
  /** Mean of last minus first score, with its t interval. */
  gain: { mean: number | null; tInterval: Interval | null };
  /** Number of finished runs whose numbers were no longer finite. */
  crashed: number;
  /**
   * Number of finished runs that collapsed, including crashed ones: `spec/collapse.ts` has the
   * definition.
   */
  collapsed: number;
  /** Begun and not finished: stopped by the doctor, killed, or still running. */
  stopped: number;
  /** Those of them that the doctor stopped. */
  stoppedEarly: number;
}

interface PairedDifference {
  measure: string;
  a: { setting: string; method: string };
  b: { setting: string; method: string };
  /** Seeds that both have. */
  n: number;
  /** a - b. */
  mean: number | null;
  tInterval: Interval | null;
  /** For the mean; one stratum of the seeds that both have. */
  bootstrap: Interval | null;
}

export interface Summary {
  runs: { planned: number; done: number; stopped: number; notRun: number };
  rows: SummaryRow[];
  /** From each row to the first of its measure. */
  differences: PairedDifference[];
  /** For the methods that have several settings. */
  methods: MethodAggregate[];
}

export function summariseRuns(results: readonly RunResult[], measures: readonly string[]): Summary {
  const count = (state: RunResult["state"]) => results.filter((one) => one.state === state).length;
  const runs = {
    planned: results.length,
    done: count("done"),
    stopped: count("stopped"),
    notRun: count("not run"),
  };
  const rows = measures.flatMap((measure) => summaryRows(results, measure));
  const ofMeasure = measures.map((measure) => rows.filter((row) => row.measure === measure));
  return {
    runs,
    rows,
    differences: ofMeasure.flatMap(differencesOf),
    methods: ofMeasure.flatMap(aggregatesOf),
  };
}

function summaryRows(results: readonly RunResult[], measure: string): SummaryRow[] {
  const groups = new Map<string, MethodRun[]>();
  for (const run of results) {
    for (const own of run.methods) {
      const key = JSON.stringify([run.run.setting, own.method]);
      groups.set(key, [...(groups.get(key) ?? []), { run, own }]);
    }
  }
  return [...groups].map(([key, all]) => {
    const [setting, method] = JSON.parse(key) as [string, string];
    return { setting, method, measure, ...rowOf(all, measure) };
  });
}

/** A run, and the results of one of its methods. */
interface MethodRun {
  run: RunResult;
  own: MethodResult;
}

function rowOf(all: readonly MethodRun[], measure: string) {
  const begun = all.filter(({ run }) => run.state !== "not run");
  const done = begun.filter(({ run }) => run.state === "done");
  const stopped = begun.filter(({ run }) => run.state === "stopped");
  const scores = done.map((one) => scoreOf(one, measure));
  const last = lastScores(scores);
  const gains = knownOnly(scores.map(({ first, last }) => minus(last, first)));
  return {
    n: done.length,
    scores,
    curves: begun.map((one) => pointsOf(one, measure)),
    mean: finite(mean(last)),
    iqm: finite(iqm(last)),
    tInterval: tIntervalOrNull(last),
    bootstrap: bootstrapped([last]),
    gain: { mean: finite(mean(gains)), tInterval: tIntervalOrNull(gains) },
    crashed: done.filter(({ own }) => own.crashedAt !== null).length,
    collapsed: done.filter(({ own }) => resultCollapsed(own)).length,
    stopped: stopped.length,
    stoppedEarly: stopped.filter(({ run }) => run.stoppedEarly).length,
  };
}

function pointsOf({ run, own }: MethodRun, measure: string): RunPoints {
  return {
    seed: run.run.seed,
    state: run.state,
    crashedAt: own.crashedAt,
    points: own.points.map(([iteration, scores]) => [iteration, finite(scores[measure])]),
  };
}

function scoreOf({ run, own }: MethodRun, measure: string): Score {
  return { seed: run.run.seed, ...firstAndLast(own.points.map(([, all]) => all[measure])) };
}

/** @param rows of one measure */
function differencesOf(rows: readonly SummaryRow[]): PairedDifference[] {
  const [base, ...others] = rows;
  if (!base) return [];
  const place = ({ setting, method }: SummaryRow) => ({ setting, method });
  return others.map((row) => {
    const paired = pairedBySeed(row.scores, base.scores);
    return {
      measure: base.measure,
      a: place(row),
      b: place(base),
      n: paired.length,
      mean: finite(mean(paired)),
      tInterval: tIntervalOrNull(paired),
      bootstrap: bootstrapped([paired], mean),
    };
  });
}

/**
 * A method over all its settings: variants, environments, values of a grid. The settings are the
 * strata: their scores, which must share a scale, are pooled, and seeds are resampled within each
 * setting. Source: Agarwal et al. 2021 (arXiv 2108.13264), google-research/rliable,
 * StratifiedBootstrap and aggregate_iqm.
 */
interface MethodAggregate {
  measure: string;
  method: string;
  /** Those with a finished run; at least two. */
  settings: string[];
  /** Finished runs with a score, over all settings. */
  n: number;
  mean: number | null;
  iqm: number | null;
  /** For the interquartile mean; null if a setting has fewer than two scores. */
  bootstrap: Interval | null;
  /** Minus the sweep's first method, paired by seed within each setting that has both; null if none has. */
  difference: StratifiedDifference | null;
}

interface StratifiedDifference {
  to: string;
  settings: string[];
  /** Number of pairs over all settings. */
  n: number;
  mean: number | null;
  /** For the mean, resampling pairs within each setting; null if one has fewer than two. */
  bootstrap: Interval | null;
}

/** For one setting and method. */
interface ScoredRow {
  setting: string;
  method: string;
  measure: string;
  scores: readonly Score[];
}

/** @param rows of one measure */
function aggregatesOf(rows: readonly ScoredRow[]): MethodAggregate[] {
  const methods = [...new Set(rows.map(({ method }) => method))];
  return methods.flatMap((method) => {
    const own = rows.filter((row) => row.method === method);
    const strata = strataOf(own, ({ scores }) => lastScores(scores));
    if (strata.length < 2) return [];
    const { measure } = own[0]!;
    const base = rows.filter((row) => row.method === methods[0]);
    return {
      measure,
      method,
      ...pooled(strata, iqm),
      iqm: finite(iqm(strata.flatMap(({ values }) => values))),
      difference: method === methods[0] ? null : differenceTo(base, own),
    };
  });
}

function differenceTo(
  base: readonly ScoredRow[],
  own: readonly ScoredRow[],
): StratifiedDifference | null {
  const strata = strataOf(own, ({ setting, scores }) => {
    const other = base.find((row) => row.setting === setting);
    return other ? pairedBySeed(scores, other.scores) : [];
  });
  return strata.length === 0 ? null : { to: base[0]!.method, ...pooled(strata, mean) };
}

interface Stratum {
  setting: string;
  values: number[];
}

/** The rows that have values, in order. */
function strataOf(rows: readonly ScoredRow[], valuesOf: (row: ScoredRow) => number[]): Stratum[] {
  const all = rows.map((row) => ({ setting: row.setting, values: valuesOf(row) }));
  return all.filter(({ values }) => values.length > 0);
}

/** @param statistic the statistic of the bootstrap interval */
function pooled(strata: readonly Stratum[], statistic: typeof mean) {
  const values = strata.map((one) => one.values); // [settings][seeds]
  return {
    settings: strata.map(({ setting }) => setting),
    n: values.flat().length,
    mean: finite(mean(values.flat())),
    bootstrap: bootstrapped(values, statistic),
  };
}
