/** The numbers of all charts as CSV or JSON lines. */
import { download } from "../../ui/download.ts";
import { exportRows, toCsv, toJsonl } from "./exportRows.ts";
import type { CurveJob } from "./lines.ts";
import type { Metric } from "./metrics.ts";
import { words } from "./words.ts";

interface NumberButtonsProps {
  job: CurveJob;
  metrics: readonly Metric[];
}

export function NumberButtons({ job, metrics }: NumberButtonsProps) {
  const rows = () => exportRows(job, metrics);
  return (
    <div className="curve-export" role="group" aria-label={words.export.title}>
      <span className="note">{words.export.numbers}</span>
      <button
        type="button"
        onClick={() => download(toCsv(rows()), "curves.csv", "text/csv;charset=utf-8")}
      >
        CSV
      </button>
      <button
        type="button"
        onClick={() => download(toJsonl(rows()), "curves.jsonl", "application/jsonl")}
      >
        JSONL
      </button>
    </div>
  );
}
