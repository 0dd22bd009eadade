/** The newest number of a line. */
import type { Curve } from "../../charts/curveTypes.ts";

interface Latest {
  value: number | null;
  iteration: number;
}

/** Undefined where the line has no numbers. */
export function latestOf({ y, iteration }: Curve): Latest | undefined {
  const i = y.length - 1;
  return i < 0 ? undefined : { value: y[i] ?? null, iteration: iteration[i]! };
}
