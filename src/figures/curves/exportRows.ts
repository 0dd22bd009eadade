/** The charts' numbers as one table: every point of every run that is drawn, unsmoothed, nothing sampled. */
import { xOf } from "./axes.ts";
import type { CurveNumbers } from "./table.ts";
import { letterOf, shownRuns, type CurveJob } from "./lines.ts";
import type { Metric } from "./metrics.ts";

const HEAD = [
  ...["run", "label", "origin", "seed", "algorithm", "source", "metric", "title"],
  ...["iteration", "turns", "tokens", "seconds", "value"],
];

export function exportRows(job: CurveJob, metrics: readonly Metric[]): CurveNumbers {
  const isShown = (method: string) => !job.settings.hidden.includes(method);
  const rows = shownRuns(job).flatMap(({ log, label, origin, spec, place }) =>
    log.algorithms.filter(isShown).flatMap((method) =>
      metrics.flatMap(({ key, title, source }) => {
        const { x, y } = log.series(method, key, source);
        const names = [letterOf(place), label, origin, spec?.seed ?? null, method, source, key];
        return x.map((iteration, i) => {
          const used = (["turns", "tokens", "time"] as const).map((axis) =>
            xOf(log, method, axis, iteration),
          );
          return [...names, title, iteration, ...used, y[i] ?? null];
        });
      }),
    ),
  );
  return { head: HEAD, rows };
}
