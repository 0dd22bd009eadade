/** A sweep's methods, aggregated over all their settings. */
import { finite } from "../../numeric/finite.ts";
import { iqm, mean, type Interval } from "../../numeric/statistics.ts";
import { bootstrapped, lastScores, pairedBySeed, type Score } from "./seedStatistics.ts";

/**
 * A method over all its settings: variants, environments, values of a grid. The settings are the
 * strata: their scores, which must share a scale, are pooled, and seeds are resampled within each
 * setting. Source: Agarwal et al. 2021 (arXiv 2108.13264), google-research/rliable,
 * StratifiedBootstrap and aggregate_iqm.
 */
export interface MethodAggregate {
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
export function aggregatesOf(rows: readonly ScoredRow[]): MethodAggregate[] {
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
