/** The trunk's accumulated gradient as one vector; value heads are not part of the policy. */
import type { EngineModel, WeightMap } from "../../engine/engine.ts";
import { groupOf } from "../../engine/parameters.ts";

/** The methods of a model used here: the tabular policies of tests offer no more. */
export type Differentiable = Pick<EngineModel, "backward" | "readGrads" | "zeroGrads">;

/** Reads the accumulated gradient of the policy's parameters and clears it. [P] */
export async function takeGradient(model: Differentiable): Promise<Float32Array> {
  const gradient = flatten(await model.readGrads());
  model.zeroGrads();
  return gradient;
}

/** The trunk's tensors, concatenated in the map's order. [P] */
function flatten(weights: WeightMap): Float32Array {
  const parts = [...weights]
    .filter(([name]) => groupOf(name) === "trunk")
    .map(([, { data }]) => data);
  const flat = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0)); // [P]
  let at = 0;
  for (const part of parts) {
    flat.set(part, at);
    at += part.length;
  }
  return flat;
}

/** <a, b>, summed in order. Both [n] */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
