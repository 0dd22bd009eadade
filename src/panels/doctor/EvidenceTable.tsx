/** The numbers of one piece of evidence, iteration by iteration. */
import { formatNumber } from "../../charts/format.ts";
import { NumbersTable } from "../../charts/NumbersTable.tsx";
import type { Series } from "../../reading/log/runLog.ts";
import { words } from "./words.ts";

/** Iterations that are listed. */
const LISTED = 200;

interface EvidenceTableProps {
  series: Series;
  metric: string;
}

export function EvidenceTable({ series: { x, y }, metric }: EvidenceTableProps) {
  const first = Math.max(0, x.length - LISTED);
  return (
    <NumbersTable
      {...{ title: words.numbers(metric), testId: "doctor-evidence-table" }}
      {...(first > 0 && { note: words.lastListed(LISTED) })}
      head={[words.iteration, words.number]}
      rows={x.slice(first).map((n, i) => [String(n), formatNumber(y[first + i])])}
    />
  );
}
