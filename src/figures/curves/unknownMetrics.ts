/** What is said of a metric that no run has. */
import { nearestNames } from "../../numeric/nearestNames.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { metricOf, namedMetrics, type Metric } from "./metrics.ts";
import { words } from "./words.ts";

/** A sentence where runs have numbers of the metric's kind, but none has this one; a run that has begun nothing lacks none. */
export function missingNotes({ source, key }: Metric, logs: readonly RunLog[]): readonly string[] {
  const names = logs.flatMap((log) => log.metrics(source));
  if (names.length === 0 || names.includes(key)) return [];
  return [words.add.unknown(key, nearestNames(key, names))];
}

/** A sentence for each id of a cell that is no metric's, with the nearest that runs have. */
export function unknownMetricNotes(
  ids: string | undefined,
  logs: readonly Pick<RunLog, "metrics">[],
): string[] {
  const listed = ids?.split(",").map((id) => id.trim()) ?? [];
  const known = (["train", "heldout"] as const).flatMap((source) =>
    logs.flatMap((log) => log.metrics(source).map((name) => `${source}:${name}`)),
  );
  return listed
    .filter((id) => id !== "" && metricOf(id.replace(":", "|"), "") === null)
    .map((id) => {
      const inFull = known.filter((name) => name.endsWith(`:${id}`));
      const near = nearestNames(id, [...Object.keys(namedMetrics("")), ...known]);
      return words.add.unknown(id, inFull.length > 0 ? inFull : near);
    });
}
