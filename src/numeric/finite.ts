/** The number itself; null if it is not finite, or not a number, as in a foreign file. */
export function finite(x: unknown): number | null {
  return typeof x === "number" && Number.isFinite(x) ? x : null;
}

/** The first of a list, null if not finite, and the last finite one, null if there is none. */
export function firstAndLast(x: readonly unknown[]): { first: number | null; last: number | null } {
  const known = x.map(finite);
  return { first: known[0] ?? null, last: known.findLast((one) => one !== null) ?? null };
}

/** a - b; null if either is unknown. */
export function minus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}

/** Without the unknown ones, in order. [<= x.length] */
export function knownOnly(x: readonly (number | null)[]): number[] {
  return x.filter((one) => one !== null);
}
