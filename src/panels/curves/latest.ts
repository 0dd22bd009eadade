/** The newest number of each line, and its difference to the baseline's at the last iteration that both have. */
import type { Curve } from "../../charts/curve.ts";

export interface Latest {
  value: number | null;
  iteration: number;
}

/** Undefined where the line has no numbers. */
export function latestOf({ y, iteration }: Curve): Latest | undefined {
  const i = y.length - 1;
  return i < 0 ? undefined : { value: y[i] ?? null, iteration: iteration[i]! };
}

/** Undefined where the two lines share no iteration with numbers. */
export function differenceTo(
  curve: Curve,
  baseline: Curve,
): { value: number; iteration: number } | undefined {
  const base = new Map(baseline.iteration.map((n, i) => [n, baseline.y[i] ?? null]));
  for (let i = curve.y.length - 1; i >= 0; i--) {
    const [own, other] = [curve.y[i] ?? null, base.get(curve.iteration[i]!) ?? null];
    if (own !== null && other !== null)
      return { value: own - other, iteration: curve.iteration[i]! };
  }
  return undefined;
}
