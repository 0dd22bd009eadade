/**
 * Lists of any length. Spread into a call (`Math.max(...list)`, `push(...list)`) a list takes a place on the stack for
 * each of its items, and overflows it at about 65,000; the linter forbids it everywhere else.
 */

/** The largest of them: -Infinity for none, NaN where any is, as Math.max has it. */
export function greatest(x: ArrayLike<number>): number {
  let best = -Infinity;
  for (let i = 0; i < x.length; i++) best = Math.max(best, x[i]!);
  return best;
}

/** The smallest of them: Infinity for none, NaN where any is, as Math.min has it. */
export function least(x: ArrayLike<number>): number {
  let best = Infinity;
  for (let i = 0; i < x.length; i++) best = Math.min(best, x[i]!);
  return best;
}

/** Puts all of `more` at the end of `list`. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const item of more) list.push(item);
}

/** Codes for one call of String.fromCharCode. */
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
