/** Which of a cell's metrics no run has, above the charts of the others. */
import { unknownMetricNotes } from "../../figures/curves/unknownMetrics.ts";
import type { RunLog } from "../../reading/log/runLog.ts";

interface UnknownMetricsProps {
  /** Ids of the cell, with commas; absent: it lists none. */
  metrics: string | undefined;
  logs: readonly RunLog[];
}

export function UnknownMetrics({ metrics, logs }: UnknownMetricsProps) {
  return unknownMetricNotes(metrics, logs).map((note) => (
    <p key={note} role="alert" className="notice notice-warning" data-testid="unknown-metric">
      {note}
    </p>
  ));
}
