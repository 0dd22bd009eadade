/** The charts' numbers as files: every point of every run that is drawn, unsmoothed, nothing sampled. */
import { csvOf } from "../../ui/csv.ts";
import { shownRuns, type CurveJob } from "./lines.ts";
import { letterOf } from "./runGroups.ts";
import { xOf } from "./axes.ts";
import type { Metric } from "./metrics.ts";

interface ExportRow {
  run: string;
  label: string;
  origin: string;
  seed: number | null;
  algorithm: string;
  source: string;
  metric: string;
  /** The metric in words. */
  title: string;
  iteration: number;
  turns: number | null;
  tokens: number | null;
  seconds: number | null;
  value: number | null;
}

export function exportRows(job: CurveJob, metrics: readonly Metric[]): ExportRow[] {
  const { settings } = job;
  const rows: ExportRow[] = [];
  for (const { log, label, origin, spec, place } of shownRuns(job)) {
    const run = letterOf(place);
    const seed = spec?.seed ?? null;
    for (const algorithm of log.algorithms) {
      if (settings.hidden.includes(algorithm)) continue;
      for (const { key: metric, title, source } of metrics) {
        const { x, y } = log.series(algorithm, metric, source);
        x.forEach((iteration, i) =>
          rows.push({
            run,
            label,
            origin,
            seed,
            algorithm,
            source,
            metric,
            title,
            iteration,
            turns: xOf(log, algorithm, "turns", iteration),
            tokens: xOf(log, algorithm, "tokens", iteration),
            seconds: xOf(log, algorithm, "time", iteration),
            value: y[i] ?? null,
          }),
        );
      }
    }
  }
  return rows;
}

const COLUMNS = [
  ...["run", "label", "origin", "seed", "algorithm", "source", "metric", "title"],
  ...["iteration", "turns", "tokens", "seconds", "value"],
] as (keyof ExportRow)[];

export function toCsv(rows: readonly ExportRow[]): string {
  return csvOf(
    COLUMNS,
    rows.map((row) => COLUMNS.map((name) => row[name])),
  );
}

/** One object a line; a number that was not finite is null. */
export function toJsonl(rows: readonly ExportRow[]): string {
  return rows.map((row) => JSON.stringify(row) + "\n").join("");
}
