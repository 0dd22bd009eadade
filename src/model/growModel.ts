/** A larger model that computes what a smaller one does, so that its cloning goes on where that one's ended. */
import type { WeightMap } from "../engine/engine.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import { EMBEDDING, FINAL_NORM, LM_HEAD, parameterShapes } from "../engine/parameters.ts";
import { InputError } from "../numeric/inputError.ts";
import { initModel } from "./initModel.ts";

/**
 * Net2Net (Chen, Goodfellow and Shlens 2016, arXiv 1511.05641, section 2) for a Qwen decoder: the
 * residual stream is repeated, new heads, neurons and layers write nothing at first. Matrices that
 * read the stream differ between its copies by first weights of mean 0, so that the copies learn
 * different things.
 *
 * @param weights tensors of `from`, matrices [out, in]
 * @returns tensors of `to`, whose logits are those of `from` up to rounding
 * @throws InputError if `to` is no multiple of `from`, naming the size, its value and what is allowed
 */
export function growModel(
  weights: WeightMap,
  from: ModelConfig,
  to: ModelConfig,
  seed: number,
): WeightMap {
  checkSizes(from, to);
  const copies = to.hiddenSize / from.hiddenSize;
  const deeper = to.layers / from.layers;
  const fresh = initModel(to, seed);
  const grown: WeightMap = new Map();
  for (const [name, shape] of parameterShapes(to, "none")) {
    const first = fresh.get(name)!.data;
    const layer = Number(/layers\.(\d+)/.exec(name)?.[1] ?? 0);
    const source = weights.get(name.replace(/layers\.\d+/, `layers.${layer / deeper}`));
    grown.set(name, { shape, data: grownData(name, shape, first, source, copies) });
  }
  return grown;
}

/** `source` is absent in a new layer. */
function grownData(
  name: string,
  [, columns = 1]: readonly number[],
  first: Float32Array,
  source: ReturnType<WeightMap["get"]>,
  copies: number,
): Float32Array {
  const writes = /(o_proj|down_proj)\.weight$/.test(name);
  if (!source) return writes ? new Float32Array(first.length) : first;
  const [had, width = 1] = source.shape as [number, number?];
  const old = (row: number, column: number) => source.data[row * width + column]!;
  return Float32Array.from(first, (own, i) => {
    const row = Math.floor(i / columns);
    const column = i % columns;
    // The final norm makes up for the copies in the head's sum.
    if (name === FINAL_NORM) return old(row % had, 0) / copies;
    if (columns === 1) return old(row % had, 0);
    if (name === EMBEDDING || name === LM_HEAD) return old(row, column % width);
    if (writes) return column < width ? old(row % had, column) : 0;
    if (row >= had) return own;
    const mean = sumOfCopies(first, row * columns + (column % width), width, copies) / copies;
    return old(row, column % width) / copies + own - mean;
  });
}

function sumOfCopies(data: Float32Array, start: number, width: number, copies: number): number {
  let sum = 0;
  for (let copy = 0; copy < copies; copy++) sum += data[start + copy * width]!;
  return sum;
}

function checkSizes(from: ModelConfig, to: ModelConfig): void {
  const same = ["family", "vocabSize", "headDim", "ropeTheta", "tieWordEmbeddings"] as const;
  for (const field of same)
    if (from[field] !== to[field])
      throw new InputError(`${field} is ${to[field]}; to grow it must be ${from[field]}`);
  if (to.attentionBias || from.attentionBias)
    throw new InputError("attentionBias is true; only models without biases grow");
  for (const field of ["hiddenSize", "layers"] as const)
    if (to[field] % from[field] !== 0)
      throw new InputError(
        `${field} is ${to[field]}; to grow it must be a multiple of ${from[field]}`,
      );
  for (const field of ["heads", "kvHeads", "intermediateSize"] as const)
    if (to[field] < from[field])
      throw new InputError(`${field} is ${to[field]}; to grow it must be at least ${from[field]}`);
  if (to.heads * from.kvHeads !== from.heads * to.kvHeads)
    throw new InputError(
      `heads are ${to.heads} of ${to.kvHeads} keys; to grow each key must have ${from.heads / from.kvHeads} heads`,
    );
}
