/** Numbers as people type them: with a minus of any kind, a comma for the point, and thousands in groups. */

/** Why a text is no number: it is none, or it could be two. */
export type NotRead = "none" | "two";

/** Hyphen, minus sign and dashes. */
const MINUS = /^[-−–—]/;
const DIGITS = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** One comma before three digits: 2,475 is a fraction to some and thousands to others. After a leading 0 it is a fraction. */
const OPEN = /^[1-9]\d{0,2},\d{3}$/;

/** How thousands are parted, and by what; a point or comma of the fraction may follow. */
const GROUPED: readonly (readonly [form: RegExp, parts: RegExp])[] = [
  [/^\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?$/, /[\s'’]/g],
  [/^\d{1,3}(?:,\d{3})+\.\d+$/, /,/g],
  [/^\d{1,3}(?:,\d{3}){2,}$/, /,/g],
  [/^\d{1,3}(?:\.\d{3})+,\d+$/, /\./g],
  [/^\d{1,3}(?:\.\d{3}){2,}$/, /\./g],
];

/**
 * A single point is a decimal point, as everywhere on the page. A single comma is one, too, unless it could part thousands: then
 * the text is not read. A percent sign divides by 100.
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

/** As `Number` reads it, but that a minus sign or dash is one, as the page itself writes them. NaN for what is none. */
export function numberIn(text: string): number {
  return Number(text.trim().replace(MINUS, "-"));
}
