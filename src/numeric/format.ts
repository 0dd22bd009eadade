/** The number format of the whole screen. */

const MINUS = "\u2212";
/** Keeps a number and its unit on one line. */
const NBSP = "\u00a0";

/** Three significant digits or more, a true minus sign, no exponent for everyday sizes. */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "not a number";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return tidy(value.toExponential(2));
  return tidy(value.toFixed(decimalsOf(size)));
}

/** Decimals by size for numbers of everyday size: lower limit, and number of decimals. */
const DECIMALS = [
  [1000, 0],
  [100, 1],
  [10, 2],
  [0.1, 3],
  [0.01, 4],
  [1e-3, 5],
] as const;
/** A number this close to 1 is written with more digits, e.g. a ratio that has moved a little. */
const NEAR_ONE = 5e-4;
/** Closer than this, it is 1 up to rounding. */
const IS_ONE = 5e-6;

function decimalsOf(size: number): number {
  const off = Math.abs(size - 1);
  if (off < NEAR_ONE && off >= IS_ONE) return 5;
  return DECIMALS.find(([from]) => size >= from)?.[1] ?? 3;
}

/** With its sign, also if positive; a rounding residue has none. */
export function formatSigned(value: number | null | undefined): string {
  return withSign(formatNumber(isZeroBeside(value) ? 0 : value));
}

/** A formatted number with its sign; one written as 0 has none. */
function withSign(text: string): string {
  return /^[\d.]/.test(text) && Number.parseFloat(text) > 0 ? `+${text}` : text;
}

/** Range in which two decimals are informative and not too many. */
const TWO_DECIMALS = [0.005, 1000] as const;

/** Two decimals, for overviews; a number that would become 0 keeps its first digit, unless it is a rounding residue. */
export function formatBrief(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return formatNumber(value);
  const size = Math.abs(value);
  const [from, to] = TWO_DECIMALS;
  if (isZeroBeside(value) || (size >= from && size < to)) return tidy(value.toFixed(2));
  return size < from ? tidy(String(Number(value.toPrecision(1)))) : formatNumber(value);
}

/** A smaller number is the rounding residue of sums that cancel. */
const ROUNDING = 1e-9;

/** Two decimals for numbers up to `size`, or two digits of the largest if all are small. */
function decimalsBeside(size: number): number {
  return size < ROUNDING ? 2 : Math.max(2, 1 - Math.floor(Math.log10(size)));
}

/**
 * The one rule of what counts as 0 among signed numbers, wherever they are written, coloured or
 * drawn: a number that rounds to 0 relative to the largest of them, `size`. If that is unknown,
 * only rounding residues.
 */
export function isZeroBeside(value: number | null | undefined, size?: number): boolean {
  return Math.abs(value ?? NaN) < zeroBeside(size);
}

/** Smaller numbers count as 0. */
export function zeroBeside(size?: number): number {
  return size === undefined ? ROUNDING : Math.max(ROUNDING, 0.5 * 10 ** -decimalsBeside(size));
}

/** Short, with its sign, also if positive; `size`: of the largest number that it is shown with. */
export function formatSignedBrief(value: number | null | undefined, size?: number): string {
  if (isZeroBeside(value, size)) return "0.00";
  const isFine = size !== undefined && Math.abs(value ?? NaN) < TWO_DECIMALS[1];
  return withSign(isFine ? formatFixed(value!, decimalsBeside(size)) : formatBrief(value));
}

/** With its sign and this many decimals. */
export function formatSignedFixed(value: number, digits: number): string {
  return withSign(formatFixed(value, digits));
}

/** The short form in a chart's labels of what its tables write in full: shares stay unchanged. */
export function labelFormat(format: (value: number) => string): (value: number) => string {
  return format === formatNumber ? formatBrief : format;
}

export function formatPercent(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "not a number";
  return tidy(`${(value * 100).toFixed(1)}${NBSP}%`);
}

/** With this many decimals. */
export function formatFixed(value: number, digits: number): string {
  return tidy(value.toFixed(digits));
}

/** No minus before a number that is written as 0. */
function tidy(text: string): string {
  return text.replace(/^-(?=0(\.0*)?(?![\d.]))/, "").replaceAll("-", MINUS);
}

/** "about 2 min 10 s"; coarse, because it is an estimate. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Bytes in a suitable unit, powers of 1000: "340 B", "1.2 kB", "45 MB". */
export function formatBytes(bytes: number): string {
  const steps = Math.floor(Math.log10(Math.max(1, bytes)) / 3);
  const unit = ["B", "kB", "MB", "GB"][Math.min(steps, 3)]!;
  const value = bytes / 1000 ** Math.min(steps, 3);
  return `${value.toFixed(steps > 0 && value < 9.95 ? 1 : 0)}${NBSP}${unit}`;
}

/** A difference in the format of `format`, with its sign also if positive; for shares, in percentage points. */
export function formatSignedLike(format: (value: number) => string, value: number): string {
  const text = format(isZeroBeside(value) ? 0 : value).replace(/%$/, "points");
  // A number that rounds to 0 has no sign.
  if (Number.parseFloat(text.replace("−", "-")) === 0) return text.replace(/^[−-]/, "");
  return value > 0 ? `+${text}` : text;
}

/** A formatted number without trailing zeros: "0.8" for "0.800", "1e+30" for "1.00e+30". */
export function shorten(text: string): string {
  return text.replace(/(\.\d*?)0+(?=$|\s|e)/, "$1").replace(/\.(?=$|\s|e)/, "");
}

export interface NumberFormats {
  plain: (value: number | null | undefined) => string;
  /** With a plus sign, too; `size`: the largest number shown with it, if known. */
  signed: (value: number | null | undefined, size?: number) => string;
}

/** Two decimals. */
export const BRIEF: NumberFormats = { plain: formatBrief, signed: formatSignedBrief };
/** All available digits. */
export const FULL: NumberFormats = { plain: formatNumber, signed: formatSigned };
