/** Packed columns as nested lists: per turn and per token. */
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";

/** [K] -> [[per turn] per trajectory] */
export function perTurn(x: Float64Array, { turnStart }: TrajectoryBatch): number[][] {
  return split(Array.from(x), turnStart);
}

/** [N] -> [[[per token] per turn] per trajectory] */
export function perToken(
  x: Float64Array,
  { turnStart, tokenStart }: TrajectoryBatch,
): number[][][] {
  return split(split(Array.from(x), tokenStart), turnStart);
}

function split<T>(x: T[], start: Int32Array): T[][] {
  return Array.from({ length: start.length - 1 }, (_, s) => x.slice(start[s]!, start[s + 1]!));
}
