/** The table in words: where each row puts its credit. */
import { formatNumber, formatPercent, formatSigned } from "../../numeric/format.ts";
import type { CreditColumn, Quantity } from "./columns.ts";
import type { TableRow } from "./tableModel.ts";
import { words } from "./words.ts";

type Missing = Pick<TableRow, "missing" | "yesOrNo" | "size">;

/** Shown instead of a number: what a file lacks, and whether a clip cut; null if the number is shown. */
export function cellWords(
  quantity: Quantity,
  { token }: CreditColumn,
  value: number,
  { missing, yesOrNo = false }: Missing = {},
): string | null {
  if (!Number.isFinite(value)) return missing ?? words.notANumber;
  const isShare = token === null && !yesOrNo;
  if (quantity !== "clip" || isShare) return null;
  return value === 0 ? words.free : words.cut;
}

/** All of its digits. */
export function formatCell(
  quantity: Quantity,
  column: CreditColumn,
  value: number | null,
  row: Missing = {},
): string {
  if (value === null) return words.unused;
  const said = cellWords(quantity, column, value, row);
  if (said !== null) return said;
  if (quantity === "advantage") return formatSigned(value);
  return quantity === "ratio" ? formatNumber(value) : formatPercent(value);
}

export function columnName({ turn, token, text }: CreditColumn): string {
  if (turn === null) return words.wholeEpisode;
  return token === null ? words.turn(turn + 1) : `${words.turn(turn + 1)}, “${text}”`;
}

/** One sentence for each row. */
export function summarise(
  rows: readonly TableRow[],
  columns: readonly CreditColumn[],
  quantity: Quantity,
): string {
  return rows.map((row) => sentence(row, columns, quantity)).join(" ");
}

function sentence(row: TableRow, columns: readonly CreditColumn[], quantity: Quantity): string {
  const { title, reason, values } = row;
  if (reason !== null) return words.summaryNone(title, reason);
  // Turns, if there are tokens between them.
  const units = columns.filter(({ token }) => token === null);
  const known = values.flatMap((value, i) =>
    value !== null && Number.isFinite(value) && (units.length === 0 || units.includes(columns[i]!))
      ? [{ value, column: columns[i]! }]
      : [],
  );
  const first = known[0];
  if (!first) return words.summaryNone(title, `${words.unused}.`);
  const say = ({ value, column }: typeof first) =>
    `${columnName(column)} (${formatCell(quantity, column, value, row)})`;
  const most = known.reduce((a, b) => (b.value > a.value ? b : a));
  const least = known.reduce((a, b) => (b.value < a.value ? b : a));
  if (most.value === least.value)
    return words.summaryEqual(title, formatCell(quantity, first.column, first.value, row));
  return words.summary(title, say(most), say(least));
}
