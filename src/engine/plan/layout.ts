/**
 * One flat buffer holds all parameters; gradients and both moments have the same layout. Tensors
 * used by one product are adjacent: q, k, v (and their biases) are one matrix, gate and up another,
 * and all norm weights are one column.
 */
import type { ParameterGroup, ValueHead, WeightMap } from "../engine.ts";
import type { ModelConfig } from "../modelConfig.ts";
import {
  EMBEDDING,
  FINAL_NORM,
  groupOf,
  hasOutputBias,
  LM_HEAD,
  parameterShapes,
  VALUE_BIAS,
  VALUE_WEIGHT,
} from "../parameters.ts";
import type { BufferView } from "./ops/view.ts";
import { align, type PlanField } from "./planner.ts";

interface Tensor extends PlanField {
  shape: number[];
}

export interface Layout {
  /** Words of the whole buffer; gaps between the tensors stay 0. */
  size: number;
  groups: Record<ParameterGroup, PlanField>;
  /** Every Hugging Face tensor. */
  tensors: Map<string, Tensor>;
  /** Matrices and vectors as the operations use them, see `fusedParts`. */
  parts: Map<string, PlanField>;
}

/** The tensors of each part, which are adjacent without a gap. */
function fusedParts(config: ModelConfig, valueHead: ValueHead): [string, string[]][] {
  const layers = Array.from({ length: config.layers }, (_, i) => i);
  const attention = (i: number) => `model.layers.${i}.self_attn`;
  const qkv = (i: number, kind: string) =>
    ["q", "k", "v"].map((part) => `${attention(i)}.${part}_proj.${kind}`);
  const matrices = (i: number): [string, string[]][] => [
    [`qkv.${i}`, qkv(i, "weight")],
    [`o.${i}`, [`${attention(i)}.o_proj.weight`]],
    [`gateUp.${i}`, ["gate", "up"].map((part) => `model.layers.${i}.mlp.${part}_proj.weight`)],
    [`down.${i}`, [`model.layers.${i}.mlp.down_proj.weight`]],
  ];
  const norms = layers.flatMap((i) =>
    ["input", "post_attention"].map((which) => `model.layers.${i}.${which}_layernorm.weight`),
  );
  const headNorms = layers.flatMap((i) =>
    ["q", "k"].map((x) => `${attention(i)}.${x}_norm.weight`),
  );
  const values: [string, string[]][] = [
    ["valueWeight", [VALUE_WEIGHT]],
    ["valueBias", [VALUE_BIAS]],
  ];
  return [
    ["embedding", [EMBEDDING]],
    ...layers.flatMap(matrices),
    ...[...norms, FINAL_NORM].map((name, j): [string, string[]] => [`norm.${j}`, [name]]),
    ...(config.family === "qwen3" ? headNorms : []).map((name, j): [string, string[]] => [
      `headNorm.${j}`,
      [name],
    ]),
    ...(config.attentionBias ? layers : []).map((i): [string, string[]] => [
      `qkvBias.${i}`,
      qkv(i, "bias"),
    ]),
    ...(hasOutputBias(config) ? layers : []).map((i): [string, string[]] => [
      `oBias.${i}`,
      [`${attention(i)}.o_proj.bias`],
    ]),
    ...(config.tieWordEmbeddings ? [] : ([["head", [LM_HEAD]]] as [string, string[]][])),
    ...(valueHead === "none" ? [] : values),
  ];
}

export function layoutOf(config: ModelConfig, valueHead: ValueHead): Layout {
  const shapes = parameterShapes(config, valueHead);
  const tensors = new Map<string, Tensor>();
  const parts = new Map<string, PlanField>();
  let end = 0;
  let trunkEnd = 0;
  for (const [part, names] of fusedParts(config, valueHead)) {
    const start = align(end);
    end = start;
    for (const name of names) {
      const shape = shapes.get(name)!;
      const size = shape.reduce((a, b) => a * b, 1);
      tensors.set(name, { shape, offset: end, size });
      end += size;
    }
    parts.set(part, { offset: start, size: end - start });
    if (groupOf(names[0]!) === "trunk") trunkEnd = align(end);
  }
  const size = align(end);
  const groups = {
    trunk: { offset: 0, size: trunkEnd },
    valueHead: { offset: trunkEnd, size: size - trunkEnd },
  };
  const inOrder = [...shapes.keys()].map((name): [string, Tensor] => [name, tensors.get(name)!]);
  return { size, groups, tensors: new Map(inOrder), parts };
}

/** A part in the given store ("params" or "grads"). */
export function partOf(layout: Layout, store: string, name: string): BufferView {
  const field = layout.parts.get(name);
  if (!field) throw new Error(`the model has no part ${name}`);
  return { store, ...field };
}

/** Named tensors to the flat buffer; absent value-head tensors become zero. Throws on other missing names and on wrong shapes. */
export function pack({ size, tensors }: Layout, weights: WeightMap): Float32Array {
  const flat = new Float32Array(size);
  for (const [name, { shape, offset }] of tensors) {
    const given = weights.get(name);
    if (!given && !name.startsWith("value_head.")) throw new Error(`weight ${name} is missing`);
    if (given && given.shape.join() !== shape.join())
      throw new Error(`weight ${name} is [${given.shape.join()}]; it must be [${shape.join()}]`);
    if (given) flat.set(given.data, offset);
  }
  return flat;
}

/** The inverse. */
export function unpack({ tensors }: Layout, flat: Float32Array): WeightMap {
  const weights: WeightMap = new Map();
  for (const [name, { shape, offset, size }] of tensors)
    weights.set(name, { shape: [...shape], data: flat.slice(offset, offset + size) });
  return weights;
}

/** Moments to the flat buffer. Throws if one is missing or has the wrong size. */
export function packMoments({ size, tensors }: Layout, moments: WeightMap): Float32Array {
  const flat = new Float32Array(size);
  for (const [name, tensor] of tensors) {
    const data = moments.get(name)?.data;
    if (data?.length !== tensor.size)
      throw new Error(`optimiser state of ${name} is missing or has the wrong size`);
    flat.set(data, tensor.offset);
  }
  return flat;
}
