/**
 * One flat buffer holds all parameters; gradients and both moments have the same layout, from the first trained one on. Tensors
 * used by one product are adjacent: q, k, v (and their biases) are one matrix, gate and up another,
 * and all norm weights are one column.
 */
import type { ParameterGroup, ValueHead, WeightMap } from "../engine.ts";
import { freezesTrunk, type ModelConfig, type Packing } from "../modelConfig.ts";
import {
  EMBEDDING,
  FINAL_NORM,
  groupOf,
  isAdapter,
  hasOutputBias,
  LM_HEAD,
  linearPath,
  loraName,
  parameterShapes,
  VALUE_BIAS,
  VALUE_WEIGHT,
} from "../parameters.ts";
import { PER_WORD, type BufferView } from "./ops/view.ts";
import { packMatrixRows, unpackMatrix, type PackedWords, type Tensor } from "./packing.ts";
import { align, slice, type PlanField } from "./planner.ts";

/** A matrix or vector of an operation. */
interface ModelPart extends Omit<BufferView, "store"> {
  /** Of its rows, if it is int8. */
  scales?: PlanField;
}

export interface Layout {
  /** Words of the whole buffer; gaps between the tensors stay 0. */
  size: number;
  /** Words of frozen parameters, at the beginning: gradients and moments have none of them. */
  frozen: number;
  /** Those that are trained. */
  groups: Record<ParameterGroup, PlanField>;
  /** Every Hugging Face tensor. */
  tensors: Map<string, Tensor>;
  /** Matrices and vectors as the operations use them, see `fusedParts`. */
  parts: Map<string, ModelPart>;
}

/** The products of a layer, and the linear layers that each computes at once. */
export const FUSED_PRODUCTS = {
  qkv: ["q_proj", "k_proj", "v_proj"],
  o: ["o_proj"],
  gateUp: ["gate_proj", "up_proj"],
  down: ["down_proj"],
} as const;

export type FusedProduct = keyof typeof FUSED_PRODUCTS;

const PRODUCT_NAMES = Object.keys(FUSED_PRODUCTS) as FusedProduct[];

/** The layers of a product that have adapters. */
export function adaptedOf({ lora }: ModelConfig, product: FusedProduct) {
  return FUSED_PRODUCTS[product].filter((one) => lora?.targets.includes(one));
}

/** A and B of each product. */
function adapterParts(config: ModelConfig, layer: number): [string, string[]][] {
  return PRODUCT_NAMES.flatMap((product) => {
    const targets = adaptedOf(config, product);
    if (targets.length === 0) return [];
    return (["A", "B"] as const).map((factor): [string, string[]] => [
      `lora${factor}.${product}.${layer}`,
      targets.map((one) => loraName(layer, one, factor)),
    ]);
  });
}

/** The tensors of each part, which are adjacent without a gap. */
function fusedParts(config: ModelConfig, valueHead: ValueHead): [string, string[]][] {
  const layers = Array.from({ length: config.layers }, (_, i) => i);
  const attention = (i: number) => `model.layers.${i}.self_attn`;
  const linear = (i: number, product: FusedProduct, kind: string) =>
    FUSED_PRODUCTS[product].map((one) => `${linearPath(i, one)}.${kind}`);
  const matrices = (i: number) =>
    PRODUCT_NAMES.map((one): [string, string[]] => [`${one}.${i}`, linear(i, one, "weight")]);
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
      linear(i, "qkv", "bias"),
    ]),
    ...(hasOutputBias(config) ? layers : []).map((i): [string, string[]] => [
      `oBias.${i}`,
      linear(i, "o", "bias"),
    ]),
    ...(config.tieWordEmbeddings ? [] : ([["head", [LM_HEAD]]] as [string, string[]][])),
    ...layers.flatMap((i) => adapterParts(config, i)),
    ...(valueHead === "none" ? [] : values),
  ];
}

export function layoutOf(config: ModelConfig, valueHead: ValueHead): Layout {
  const shapes = parameterShapes(config, valueHead);
  const tensors = new Map<string, Tensor>();
  const parts = new Map<string, ModelPart>();
  let end = 0;
  let trunkEnd = 0;
  let frozen = 0;
  for (const [part, names] of fusedParts(config, valueHead)) {
    const start = align(end);
    end = start;
    const packed = packing(config, names, shapes);
    const own = names.map((name): [string, Tensor] => {
      const shape = shapes.get(name)!;
      const size = shape.reduce((a, b) => a * b, 1);
      const tensor = { shape, offset: end, size, ...(packed && { packed }) };
      end += packed ? size / PER_WORD[packed] : size;
      return [name, tensor];
    });
    const view = { offset: start, size: end - start, ...(packed && { packed }) };
    const scales = packed === "int8" ? placeScales(own, end) : null;
    parts.set(part, { ...view, ...(scales && { scales }) });
    for (const [name, tensor] of own) tensors.set(name, tensor);
    if (scales) end = scales.offset + scales.size;
    if (groupOf(names[0]!) !== "trunk") continue;
    trunkEnd = align(end);
    if (isFrozen(config, names[0]!)) frozen = trunkEnd;
  }
  const size = align(end);
  const groups = {
    trunk: { offset: frozen, size: trunkEnd - frozen },
    valueHead: { offset: trunkEnd, size: size - trunkEnd },
  };
  const inOrder = [...shapes.keys()].map((name): [string, Tensor] => [name, tensors.get(name)!]);
  return { size, frozen, groups, tensors: new Map(inOrder), parts };
}

const isFrozen = (config: ModelConfig, name: string) => freezesTrunk(config) && !isAdapter(name);

/** Matrices that are not trained may be packed, if their rows are vectors of four numbers. */
function packing(
  config: ModelConfig,
  names: readonly string[],
  shapes: ReadonlyMap<string, number[]>,
): Packing | null {
  const isPacked = names.every((name) => {
    const [, width = 1] = shapes.get(name)!;
    return groupOf(name) === "trunk" && isFrozen(config, name) && width % 4 === 0;
  });
  return (isPacked && config.packed) || null;
}

/** A scale for each row of the tensors, after the last of them. */
function placeScales(tensors: readonly [string, Tensor][], end: number): PlanField {
  const offset = align(end);
  let at = offset;
  for (const [, tensor] of tensors) {
    tensor.scales = at;
    at += tensor.shape[0]!;
  }
  return { offset, size: at - offset };
}

/** A model as plans see it. */
export interface ModelShape {
  config: ModelConfig;
  layout: Layout;
  /** Store of its parameters; the reference of a KL has a different one. */
  params: string;
  /** Positions of the rope tables. */
  positions: number;
}

function partOf({ parts }: Layout, name: string): ModelPart {
  const field = parts.get(name);
  if (!field) throw new Error(`the model has no part ${name}`);
  return field;
}

/** A part of a model's parameters. */
export function weight({ layout, params }: ModelShape, part: string): BufferView {
  const { scales: _, ...view } = partOf(layout, part);
  return { store: params, ...view };
}

/** A matrix [rows, D] of a product or an embedding, or some of its rows, with the scales of a packed one. */
export function matrix(
  m: ModelShape,
  part: string,
  some?: { from: number; rows: number; D: number },
): { b: BufferView; scales?: BufferView } {
  const { scales } = partOf(m.layout, part);
  const view = weight(m, part);
  const b = some ? slice(view, some.from * some.D, some.rows * some.D) : view;
  if (!scales) return { b };
  const all = { store: m.params, ...scales };
  return { b, scales: some ? slice(all, some.from, some.rows) : all };
}

/** The gradient of a part that is trained. */
export const gradientPart = ({ layout }: ModelShape, part: string): BufferView =>
  trained(layout, "grads", partOf(layout, part));

/** Trained parameters in a store of gradients or moments. */
export function trained({ frozen }: Layout, store: string, field: PlanField): BufferView {
  return { store, offset: field.offset - frozen, size: field.size };
}

/** Named tensors to the flat buffer; absent value-head tensors become zero. Throws on other missing names and on wrong shapes. */
export function pack({ size, tensors }: Layout, weights: WeightMap): Float32Array {
  const flat = new Float32Array(size);
  for (const [name, tensor] of tensors) {
    const { shape, offset } = tensor;
    const given = weights.get(name);
    if (!given && !name.startsWith("value_head.")) throw new Error(`weight ${name} is missing`);
    if (given && given.shape.join() !== shape.join())
      throw new Error(`weight ${name} is [${given.shape.join()}]; it must be [${shape.join()}]`);
    if (given && !tensor.packed) flat.set(given.data, offset);
    if (given && tensor.packed)
      for (const part of packMatrixRows(tensor, 0, given.data)) putWords(flat, part);
  }
  return flat;
}

/** As bits: packed words are no numbers, and may be read as NaN. */
function putWords(flat: Float32Array, { offset, words }: PackedWords): void {
  new Int32Array(flat.buffer).set(new Int32Array(words.buffer), offset);
}

/** The inverse. `from`: the first parameter in `flat`; the tensors before it are left out. */
export function unpack({ tensors }: Layout, flat: Float32Array, from = 0): WeightMap {
  const weights: WeightMap = new Map();
  for (const [name, tensor] of tensors) {
    const { shape, offset, size, packed } = tensor;
    if (offset < from) continue;
    const data = packed
      ? unpackMatrix(tensor, flat, from)
      : flat.slice(offset - from, offset - from + size);
    weights.set(name, { shape: [...shape], data });
  }
  return weights;
}

/** What is trained, or its moments, to the flat buffer. Throws if one is missing or has the wrong size. `what`: for that message. */
export function packTrained(
  { size, frozen, tensors }: Layout,
  moments: WeightMap,
  what = "optimiser state",
): Float32Array {
  const flat = new Float32Array(size - frozen);
  for (const [name, tensor] of tensors) {
    if (tensor.offset < frozen) continue;
    const data = moments.get(name)?.data;
    if (data?.length !== tensor.size)
      throw new Error(`${what} of ${name} is missing or has the wrong size`);
    flat.set(data, tensor.offset - frozen);
  }
  return flat;
}
