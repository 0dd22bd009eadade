/** What a chart says of a number that no run has. */
import type { RunLog } from "../../reading/log/runLog.ts";
import type { Metric } from "./metrics.ts";
import { words } from "./words.ts";

/** A sentence where runs have numbers of the metric's kind, but none has this one; a run that has begun nothing lacks none. */
export function missingNotes({ source, key }: Metric, logs: readonly RunLog[]): readonly string[] {
  const names = logs.flatMap((log) => log.metrics(source));
  return names.length > 0 && !names.includes(key) ? [words.add.unknown(key)] : [];
}
