/** The one way numbers are written on screen. */

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

/** Of numbers of everyday size: from, and how many decimals from there on. */
const DECIMALS = [
  [1000, 0],
  [100, 1],
  [10, 2],
  [0.1, 3],
  [0.01, 4],
  [1e-3, 5],
] as const;
/** How near to 1 a number has to be to be written with more digits, as a ratio is that has moved a little. */
const NEAR_ONE = 5e-4;
/** Nearer than this it is 1 but for how computers round. */
const IS_ONE = 5e-6;

function decimalsOf(size: number): number {
  const off = Math.abs(size - 1);
  if (off < NEAR_ONE && off >= IS_ONE) return 5;
  return DECIMALS.find(([from]) => size >= from)?.[1] ?? 3;
}

/** With its sign, also when it is positive; what only rounding left has none. */
export function formatSigned(value: number | null | undefined): string {
  return withSign(formatNumber(isZeroBeside(value) ? 0 : value));
}

/** A written number with its sign; what is written as 0 has none. */
function withSign(text: string): string {
  return /^[\d.]/.test(text) && Number.parseFloat(text) > 0 ? `+${text}` : text;
}

/** From where on two decimals say something, and up to where they are not too many. */
const TWO_DECIMALS = [0.005, 1000] as const;

/** Two decimals, where numbers are looked over; what two decimals would make 0 keeps its first digit, unless rounding left it. */
export function formatBrief(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return formatNumber(value);
  const size = Math.abs(value);
  const [from, to] = TWO_DECIMALS;
  if (isZeroBeside(value) || (size >= from && size < to)) return tidy(value.toFixed(2));
  return size < from ? tidy(String(Number(value.toPrecision(1)))) : formatNumber(value);
}

/** Smaller than this, a number is what rounding left of sums that cancel out. */
const ROUNDING = 1e-9;

/** Two decimals beside numbers up to `size`, or two digits of the largest where all are small. */
function decimalsBeside(size: number): number {
  return size < ROUNDING ? 2 : Math.max(2, 1 - Math.floor(Math.log10(size)));
}

/**
 * The one rule of what counts as 0 among signed numbers, wherever they are written, coloured or drawn: what rounds to nothing
 * beside the largest of them, `size`. Where that is not known, only what rounding left.
 */
export function isZeroBeside(value: number | null | undefined, size?: number): boolean {
  return Math.abs(value ?? NaN) < zeroBeside(size);
}

/** What is smaller counts as 0. */
export function zeroBeside(size?: number): number {
  return size === undefined ? ROUNDING : Math.max(ROUNDING, 0.5 * 10 ** -decimalsBeside(size));
}

/** In brief, with its sign, also when it is positive; `size`: of the largest number that it stands beside. */
export function formatSignedBrief(value: number | null | undefined, size?: number): string {
  if (isZeroBeside(value, size)) return "0.00";
  const isFine = size !== undefined && Math.abs(value ?? NaN) < TWO_DECIMALS[1];
  return withSign(isFine ? formatFixed(value!, decimalsBeside(size)) : formatBrief(value));
}

/** With its sign and so many digits behind the point. */
export function formatSignedFixed(value: number, digits: number): string {
  return withSign(formatFixed(value, digits));
}

/** How a chart's labels write what its tables write in full: shares stay as they are. */
export function labelFormat(format: (value: number) => string): (value: number) => string {
  return format === formatNumber ? formatBrief : format;
}

export function formatPercent(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "not a number";
  return tidy(`${(value * 100).toFixed(1)}${NBSP}%`);
}

/** With so many digits behind the point. */
export function formatFixed(value: number, digits: number): string {
  return tidy(value.toFixed(digits));
}

/** No minus before a number that is 0 as it is written. */
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

/** Bytes in the unit that suits them, powers of 1000: "340 B", "1.2 kB", "45 MB". */
export function formatBytes(bytes: number): string {
  const steps = Math.floor(Math.log10(Math.max(1, bytes)) / 3);
  const unit = ["B", "kB", "MB", "GB"][Math.min(steps, 3)]!;
  const value = bytes / 1000 ** Math.min(steps, 3);
  return `${value.toFixed(steps > 0 && value < 9.95 ? 1 : 0)}${NBSP}${unit}`;
}

/** A difference as `format` writes numbers, with its sign also when it is positive; of shares, in their points. */
export function formatSignedLike(format: (value: number) => string, value: number): string {
  const text = format(isZeroBeside(value) ? 0 : value).replace(/%$/, "points");
  // What rounds to nothing has no sign.
  if (Number.parseFloat(text.replace("−", "-")) === 0) return text.replace(/^[−-]/, "");
  return value > 0 ? `+${text}` : text;
}

/** A written number without decimals that say nothing: "0.8" for "0.800", "1e+30" for "1.00e+30". */
export function shorten(text: string): string {
  return text.replace(/(\.\d*?)0+(?=$|\s|e)/, "$1").replace(/\.(?=$|\s|e)/, "");
}
