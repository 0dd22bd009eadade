/** Parses numbers as people type them: with any kind of minus, a comma for the point, and grouped thousands. */

/** Why a text is not a number: invalid, or ambiguous. */
export type NotRead = "none" | "two";

/** Hyphen, minus sign and dashes. */
const MINUS = /^[-−–—]/;
const DIGITS = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** One comma before three digits: 2,475 is a fraction to some and thousands to others. After a leading 0 it is a fraction. */
const OPEN = /^[1-9]\d{0,2},\d{3}$/;

/** Grouped thousands and their separator; a point or comma of the fraction may follow. */
const GROUPED: readonly (readonly [form: RegExp, parts: RegExp])[] = [
  [/^\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?$/, /[\s'’]/g],
  [/^\d{1,3}(?:,\d{3})+\.\d+$/, /,/g],
  [/^\d{1,3}(?:,\d{3}){2,}$/, /,/g],
  [/^\d{1,3}(?:\.\d{3})+,\d+$/, /\./g],
  [/^\d{1,3}(?:\.\d{3}){2,}$/, /\./g],
];

/**
 * A single point is a decimal point, as everywhere on the page. So is a single comma, unless it
 * could separate thousands: then the text is ambiguous. A percent sign divides by 100.
 */
export function readTypedNumber(text: string): number | NotRead {
  const trimmed = text.trim();
  const percent = trimmed.endsWith("%");
  const bare = (percent ? trimmed.slice(0, -1) : trimmed).trim();
  const size = bare.replace(MINUS, "").replace(/^\+/, "").trim();
  if (OPEN.test(size)) return "two";
  const parts = GROUPED.find(([form]) => form.test(size))?.[1];
  const digits = (parts ? size.replace(parts, "") : size).replace(",", ".");
  if (!DIGITS.test(digits)) return "none";
  return (MINUS.test(bare) ? -1 : 1) * (percent ? Number(digits) / 100 : Number(digits));
}

/** Like `Number`, but also accepts a minus sign or dash, as the page itself writes them. NaN if invalid. */
export function numberIn(text: string): number {
  return Number(text.trim().replace(MINUS, "-"));
}
