/** A number as it is; null for one that is not finite, and for whatever else a foreign file may have there. */
export function finite(x: unknown): number | null {
  return typeof x === "number" && Number.isFinite(x) ? x : null;
}

/** a - b; null where either is not known. */
export function minus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}
