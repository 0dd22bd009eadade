/** A sweep's summary as a table for a terminal. */
import { greatest } from "../../numeric/lists.ts";
import { significant } from "../../numeric/significant.ts";
import type { Interval } from "../../numeric/statistics.ts";
import type { Summary, SummaryRow } from "./summary.ts";

const HEAD = ["setting", "method", "runs", "mean", "95 %", "IQM", "95 %", "collapsed", "stopped"];

/** A table for each measure, of aligned lines. */
export function summaryTable({ rows }: Pick<Summary, "rows">): string[] {
  const measures = [...new Set(rows.map(({ measure }) => measure))];
  return measures.flatMap((measure) => {
    const own = rows.filter((row) => row.measure === measure);
    return [measure, ...aligned([HEAD, ...own.map(cellsOf)])];
  });
}

function cellsOf(row: SummaryRow): string[] {
  const { setting, method, n, mean, tInterval, iqm, bootstrap, collapsed } = row;
  return [
    ...[setting, method, String(n)],
    ...[short(mean), range(tInterval), short(iqm), range(bootstrap)],
    ...[String(collapsed), stoppedOf(row)],
  ];
}

function stoppedOf({ stopped, stoppedEarly }: SummaryRow): string {
  return stoppedEarly > 0 ? `${stopped} (${stoppedEarly} by the doctor)` : String(stopped);
}

const short = (x: number | null) => (x === null ? "-" : String(significant(x, 3)));

function range(interval: Interval | null): string {
  return interval ? `${short(interval.low)} to ${short(interval.high)}` : "-";
}

function aligned(table: readonly string[][]): string[] {
  const widths = HEAD.map((_, c) => greatest(table.map((cells) => cells[c]!.length)));
  return table.map((cells) =>
    cells
      .map((cell, c) => cell.padEnd(widths[c]!))
      .join("  ")
      .trimEnd(),
  );
}
