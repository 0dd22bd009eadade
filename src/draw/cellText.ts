/** The only place where a figure's numbers are rounded. */
import {
  formatBrief,
  formatNumber,
  formatPercent,
  formatSigned,
  formatSignedBrief,
} from "../numeric/format.ts";
import type { FigureCell, NumberUnit } from "../figures/figure.ts";

const NONE = "–";
const YES = "yes";
const NO = "";

const whole = new Intl.NumberFormat("en");

/** Below -100 % the exact share means nothing. */
const shareText = (value: number) => (value < -1 ? "below −100 %" : formatPercent(value));

const WRITE: Record<NumberUnit, (value: number) => string> = {
  text: String,
  count: (value) => whole.format(value),
  number: formatNumber,
  signed: formatSigned,
  share: shareText,
  exact: (value) => String(Number(value.toPrecision(12))),
};

/** As shown in a table; a dash unless it is finite. */
export function cellText(cell: FigureCell, unit: NumberUnit = "text"): string {
  if (cell === null) return NONE;
  if (typeof cell === "boolean") return cell ? YES : NO;
  if (typeof cell === "string") return cell;
  return Number.isFinite(cell) ? WRITE[unit](cell) : NONE;
}

/** As written to a file: in full. */
export function cellInFull(cell: FigureCell): string | number | null {
  return typeof cell === "boolean" ? cellText(cell) : cell;
}

/** Beside a picture: what is negligible beside `limit` is 0. */
export function briefText(value: number | null, unit: NumberUnit, limit?: number): string {
  if (value === null) return NONE;
  return unit === "signed" ? formatSignedBrief(value, limit) : cellText(value, unit);
}

/** In a grid: two decimals, or all digits while the pane explains itself. `limit`: the largest beside it, if known. */
export function gridText(
  value: number,
  unit: NumberUnit,
  limit: number | undefined,
  isInFull: boolean,
): string {
  if (isInFull || !Number.isFinite(value)) return cellText(value, unit);
  return unit === "number" ? formatBrief(value) : briefText(value, unit, limit);
}
