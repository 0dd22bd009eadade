/**
 * A sweep's runs summed up: every run's points, then mean, interquartile mean and 95 % intervals over the seeds of each
 * setting and method, and differences between settings, paired by seed. Crashed runs count with the last score they had.
 */
import {
  bootstrapInterval,
  iqm,
  mean,
  tInterval,
  type Interval,
} from "../../numeric/statistics.ts";
import type { MethodResult, RunResult } from "./results.ts";
import { minus } from "../../numeric/finite.ts";

interface Score {
  seed: number;
  first: number | null;
  last: number | null;
}

export interface SummaryRow {
  setting: string;
  method: string;
  measure: string;
  /** Of the finished runs. */
  n: number;
  scores: Score[];
  mean: number | null;
  iqm: number | null;
  /** Of the mean, Student's t; null for fewer than two. */
  tInterval: Interval | null;
  /** Of the interquartile mean, percentile bootstrap over seeds; null for fewer than two. */
  bootstrap: Interval | null;
  /** Mean of last minus first score, with its t interval. */
  gain: { mean: number | null; tInterval: Interval | null };
  crashed: number;
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
  bootstrap: Interval | null;
}

export interface Summary {
  runs: { planned: number; done: number; stopped: number; notRun: number };
  rows: SummaryRow[];
  /** Of each row to the first of its measure. */
  differences: PairedDifference[];
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
  return { runs, rows, differences: measures.flatMap((measure) => differencesOf(rows, measure)) };
}

function summaryRows(results: readonly RunResult[], measure: string): SummaryRow[] {
  const groups = new Map<string, { run: RunResult; own: MethodResult }[]>();
  for (const run of results) {
    for (const own of run.methods) {
      const key = JSON.stringify([run.run.setting, own.method]);
      groups.set(key, [...(groups.get(key) ?? []), { run, own }]);
    }
  }
  return [...groups].map(([key, all]) => {
    const [setting, method] = JSON.parse(key) as [string, string];
    const done = all.filter(({ run }) => run.state === "done");
    const scores = done.map(({ run, own }) => scoreOf(run.run.seed, own, measure));
    const last = known(scores.map((score) => score.last));
    const gains = known(scores.map(({ first, last }) => minus(last, first)));
    return {
      setting,
      method,
      measure,
      n: done.length,
      scores,
      mean: orNull(mean(last)),
      iqm: orNull(iqm(last)),
      tInterval: interval(tInterval(last)),
      bootstrap: bootstrapped(last),
      gain: { mean: orNull(mean(gains)), tInterval: interval(tInterval(gains)) },
      crashed: done.filter(({ own }) => own.crashedAt !== null).length,
    };
  });
}

function scoreOf(seed: number, { points }: MethodResult, measure: string): Score {
  return {
    seed,
    first: points[0]?.[1][measure] ?? null,
    last: points.at(-1)?.[1][measure] ?? null,
  };
}

function differencesOf(rows: readonly SummaryRow[], measure: string): PairedDifference[] {
  const [base, ...others] = rows.filter((row) => row.measure === measure);
  if (!base) return [];
  const place = ({ setting, method }: SummaryRow) => ({ setting, method });
  return others.map((row) => {
    const paired = row.scores.flatMap(({ seed, last }) => {
      const other = base.scores.find((score) => score.seed === seed);
      return other ? known([minus(last, other.last)]) : [];
    });
    return {
      measure,
      a: place(row),
      b: place(base),
      n: paired.length,
      mean: orNull(mean(paired)),
      tInterval: interval(tInterval(paired)),
      bootstrap: bootstrapped(paired, mean),
    };
  });
}

function bootstrapped(x: number[], statistic: typeof mean = iqm): Interval | null {
  if (x.length < 2) return null;
  const { low, high } = bootstrapInterval([x], { statistic });
  return { low, high };
}

function known(x: (number | null)[]): number[] {
  return x.filter((one) => one !== null);
}

function orNull(x: number): number | null {
  return Number.isNaN(x) ? null : x;
}

function interval({ low, high }: Interval): Interval | null {
  return Number.isNaN(low) ? null : { low, high };
}
