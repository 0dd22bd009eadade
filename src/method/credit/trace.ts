/** Intermediates of an estimate by name, so that whatever shows an advantage reads how it was computed instead of computing it again. */
import type { Binding } from "../formula/vocabulary.ts";

/** A term of the formulas, or the size of a sample behind one. */
export type TraceName = Binding | "group.turnCount" | "group.anchorCount";

/**
 * One number per token for `token.*` [N], per turn for `turn.*`, `group.turn*` and `group.anchor*` [K], per trajectory
 * for the others [B]. NaN where the estimator has none, such as a last turn's comparison with others.
 */
export type Trace = Readonly<Partial<Record<TraceName, Float64Array>>>;

export const NO_TRACE: Trace = {};

/** The unit of a name's numbers. */
export function traceUnit(name: TraceName): "token" | "turn" | "trajectory" {
  if (name.startsWith("token.")) return "token";
  return /^(turn\.|group\.(turn|anchor))/.test(name) ? "turn" : "trajectory";
}
