/**
 * Lists of any length. Spread into a call (`Math.max(...list)`, `push(...list)`) a list takes a
 * stack slot for each of its items, and overflows the stack at about 65,000; the linter forbids it
 * everywhere else.
 */

/** The largest of them: -Infinity for none, NaN if any is, like Math.max. */
export function greatest(x: ArrayLike<number>): number {
  let best = -Infinity;
  for (let i = 0; i < x.length; i++) best = Math.max(best, x[i]!);
  return best;
}

/** The largest absolute value; 0 for none. */
export function largestSize(values: readonly number[]): number {
  return greatest([0, ...values.filter(Number.isFinite).map(Math.abs)]);
}

/** The smallest of them: Infinity for none, NaN if any is, like Math.min. */
export function least(x: ArrayLike<number>): number {
  let best = Infinity;
  for (let i = 0; i < x.length; i++) best = Math.min(best, x[i]!);
  return best;
}

/** The smallest and the largest value; null if there are none. */
export const ends = (x: ArrayLike<number>): [low: number, high: number] | null =>
  x.length === 0 ? null : [least(x), greatest(x)];

/** A window of at most `size` of `count` positions, around `at`. */
export function around(at: number, count: number, size: number): { from: number; to: number } {
  const from = Math.max(0, Math.min(at - Math.floor(size / 2), count - size));
  return { from, to: Math.min(count, from + size) };
}

/** Appends all of `more` to `list`. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const item of more) list.push(item);
}

/** Codes per call of String.fromCharCode. */
const AT_ONCE = 4096;

/** The text of these UTF-16 codes. */
export function textOfCodes(codes: ArrayLike<number>): string {
  let text = "";
  for (let i = 0; i < codes.length; i += AT_ONCE)
    text += String.fromCharCode.apply(
      null,
      Array.prototype.slice.call(codes, i, i + AT_ONCE) as number[],
    );
  return text;
}
