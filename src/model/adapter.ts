/** LoRA adapters in PEFT's folders: merged into a base's weights while those are read, W + scale B A, and written. */
import type { WeightMap, WeightPiece } from "../engine/engine.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import { isAdapter } from "../engine/parameters.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { isRecord, parseJsonObject, type JsonObject } from "../spec/jsonText.ts";
import type { OpenedModel, OpenModelFile } from "./folder.ts";
import { readSafetensors, writeSafetensors } from "./safetensors.ts";

const CONFIG = "adapter_config.json";
const WEIGHTS = "adapter_model.safetensors";

/** Fields that change the merge in ways that are not computed, and their only values. */
const PLAIN: Record<string, readonly unknown[]> = {
  peft_type: ["LORA"],
  use_dora: [null, false],
  bias: [null, "none"],
  fan_in_fan_out: [null, false],
  lora_bias: [null, false],
  modules_to_save: [null],
  layer_replication: [null],
  trainable_token_indices: [null],
  alora_invocation_tokens: [null],
  target_parameters: [null],
  use_qalora: [null, false],
  // Others, like PiSSA, change the base too.
  init_lora_weights: [null, true, false, "gaussian", "eva", "orthogonal"],
};

const MERGE = "or merge it with PEFT (merge_and_unload) and choose the merged folder";

/** PEFT's name of a factor: the module's path, with or without its wrapper's prefix. */
const FACTOR = /^(?:base_model\.model\.)?(.+)\.lora_([AB])\.weight$/;

/** What is added to one matrix [out, in]. */
interface LowRank {
  /** [rank, in] */
  A: Float32Array;
  /** [out, rank] */
  B: Float32Array;
  rank: number;
  scale: number;
}

/**
 * The base with an adapter's products added, in float64 and rounded to float32 once, as its pieces are read.
 * `open`: of the adapter's folder.
 * @throws InputError naming the adapter's field or tensor, its value and what is allowed.
 */
export async function withAdapter(base: OpenedModel, open: OpenModelFile): Promise<OpenedModel> {
  const config = parseJsonObject(new TextDecoder().decode(await wholeFile(open, CONFIG)), CONFIG);
  checkPlain(config);
  const products = productsOf(config, base, await wholeFile(open, WEIGHTS));
  return { ...base, halves: false, pieces: () => merged(base, products) };
}

async function wholeFile(open: OpenModelFile, name: string): Promise<Uint8Array> {
  const file = await open(name).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new InputError(`the adapter's ${name} cannot be read: ${why}`);
  });
  return file.read(0, file.size);
}

function refuse(field: string, value: unknown, rule: string): never {
  throw new InputError(`${CONFIG}: ${field} is ${show(value)}; ${rule}`);
}

function checkPlain(config: JsonObject): void {
  for (const [field, allowed] of Object.entries(PLAIN)) {
    const value = config[field] ?? null;
    // PEFT writes what is left out as null, others as an empty list.
    if (allowed.includes(value) || (typeof value === "object" && Object.keys(value!).length === 0))
      continue;
    refuse(field, value, `only ${allowed.map(show).join(" or ")} is supported, ${MERGE}`);
  }
}

/** A key of PEFT's patterns that is the end of a module's path, or with ^ the whole: others are regular expressions. */
const PATH = /^\^?[\w.\\]+$/;

/** The field that holds for a module, and its value: that of the first fitting key of `pattern`, or of `general`. */
function settingOf(config: JsonObject, pattern: string, general: string, path: string) {
  const numbers = config[pattern] ?? {};
  if (!isRecord(numbers)) return refuse(pattern, numbers, "it must be an object");
  for (const [key, value] of Object.entries(numbers)) {
    if (!PATH.test(key))
      refuse(pattern, numbers, `${show(key)} must be the end of a module's path, ${MERGE}`);
    const end = key.replace(/[\^\\]/g, "");
    if (path === end || (!key.startsWith("^") && path.endsWith(`.${end}`)))
      return { field: `${pattern} of ${show(key)}`, value };
  }
  return { field: general, value: config[general] };
}

/** A module's rank, the field it is from, and what its product is multiplied by: alpha / r, with use_rslora alpha / sqrt(r). */
function scaleOf(config: JsonObject, path: string) {
  const { field, value: r } = settingOf(config, "rank_pattern", "r", path);
  if (!(typeof r === "number" && Number.isSafeInteger(r) && r >= 1))
    return refuse(field, r, "it must be a whole number of at least 1");
  const { field: alphaField, value: alpha } = settingOf(
    config,
    "alpha_pattern",
    "lora_alpha",
    path,
  );
  if (!(typeof alpha === "number" && Number.isFinite(alpha)))
    return refuse(alphaField, alpha, "it must be a number");
  const { use_rslora: stabilised = false } = config;
  if (typeof stabilised !== "boolean")
    return refuse("use_rslora", stabilised, "it must be true or false");
  return { field, rank: r, scale: alpha / (stabilised ? Math.sqrt(r) : r) };
}

/** By the name of the matrix. */
function productsOf(
  config: JsonObject,
  { shapes }: OpenedModel,
  bytes: Uint8Array,
): Map<string, LowRank> {
  const found = new Map<string, Partial<LowRank>>();
  const bad = (name: string, why: string): never => {
    throw new InputError(`${WEIGHTS}: tensor ${show(name)} ${why}`);
  };
  for (const [name, { shape, data }] of readSafetensors(bytes, WEIGHTS)) {
    const [, path, factor] = FACTOR.exec(name) ?? bad(name, "is no lora_A or lora_B of a matrix");
    const matrix = `${path}.weight`;
    const [out, into] =
      shapes.get(matrix) ?? bad(name, `is for ${show(matrix)}, which the base lacks`);
    if (into === undefined || matrix.includes("embed_tokens"))
      bad(name, `is for ${show(matrix)}; only linear layers can be adapted`);
    const { field, rank, scale } = scaleOf(config, path!);
    const expected = factor === "A" ? [rank, into] : [out, rank];
    if (shape.join() !== expected.join())
      bad(name, `has shape ${show(shape)}; by ${field} and the base it must be ${show(expected)}`);
    found.set(matrix, { ...found.get(matrix), rank, scale, [factor as "A" | "B"]: data });
  }
  checkTargets(config["target_modules"], [...found.keys()], [...shapes.keys()]);
  return new Map(
    [...found].map(([matrix, { A, B, rank, scale }]) => {
      if (!A || !B)
        throw new InputError(
          `${WEIGHTS} lacks lora_${A ? "B" : "A"} of ${show(matrix)}; both are needed`,
        );
      return [matrix, { A, B, rank: rank!, scale: scale! }];
    }),
  );
}

/** A list must name the adapted matrices, no fewer, and no more that the base has; a pattern is not compared. */
function checkTargets(targets: unknown, matrices: string[], base: string[]): void {
  if (matrices.length === 0) throw new InputError(`${WEIGHTS} has no lora_A and lora_B`);
  if (!Array.isArray(targets)) return;
  const isOf = (matrix: string, target: unknown) =>
    `.${matrix}`.endsWith(`.${String(target)}.weight`);
  for (const target of targets)
    if (
      base.some((matrix) => isOf(matrix, target)) &&
      !matrices.some((matrix) => isOf(matrix, target))
    )
      refuse("target_modules", targets, `${WEIGHTS} has no tensor of ${show(target)}`);
  for (const matrix of matrices)
    if (!targets.some((target) => isOf(matrix, target)))
      refuse("target_modules", targets, `${WEIGHTS} also has ${show(matrix)}; make them agree`);
}

async function* merged(
  base: OpenedModel,
  products: ReadonlyMap<string, LowRank>,
): AsyncGenerator<WeightPiece> {
  for await (const piece of base.pieces()) {
    const product = products.get(piece.name);
    if (product) addProduct(piece, product);
    yield piece;
  }
}

/** The piece may start and end within rows. */
function addProduct({ at, data }: WeightPiece, { A, B, rank, scale }: LowRank): void {
  const width = A.length / rank;
  const row = new Float64Array(width); // [in]
  const end = at + data.length;
  for (let i = Math.floor(at / width); i * width < end; i++) {
    row.fill(0);
    for (let k = 0; k < rank; k++) {
      const factor = scale * B[i * rank + k]!;
      for (let j = 0; j < width; j++) row[j] = row[j]! + factor * A[k * width + j]!;
    }
    const from = Math.max(at, i * width);
    const to = Math.min(end, (i + 1) * width);
    for (let n = from; n < to; n++) data[n - at] = data[n - at]! + row[n - i * width]!;
  }
}

/** PEFT's wrapper around the names of a model's tensors. */
const WRAPPER = "base_model.model.";

/** The adapters of a trained model as the folder that PEFT and `withAdapter` read. `base`: the name of the model they belong to. */
export function exportAdapterFolder(
  { lora }: Pick<ModelConfig, "lora">,
  weights: WeightMap,
  base: string,
): Map<string, Uint8Array> {
  const { rank, alpha, targets } = lora!;
  const config = {
    peft_type: "LORA",
    task_type: "CAUSAL_LM",
    base_model_name_or_path: base,
    r: rank,
    lora_alpha: alpha,
    target_modules: targets,
    lora_dropout: 0,
    bias: "none",
    fan_in_fan_out: false,
    use_rslora: false,
    use_dora: false,
    init_lora_weights: true,
    inference_mode: true,
  };
  const factors = [...weights].filter(([name]) => isAdapter(name));
  const tensors = new Map(factors.map(([name, tensor]) => [WRAPPER + name, tensor]));
  return new Map([
    [CONFIG, new TextEncoder().encode(`${JSON.stringify(config, null, 2)}\n`)],
    [WEIGHTS, writeSafetensors(tensors)],
  ]);
}

/** A trained model's weights, and its frozen ones: without adapters, and with their products added. */
export function splitAdapters(
  { lora }: ModelConfig,
  weights: WeightMap,
): { base: WeightMap; whole: WeightMap } {
  const { rank, alpha } = lora!;
  const base: WeightMap = new Map([...weights].filter(([name]) => !isAdapter(name)));
  const whole: WeightMap = new Map(base);
  for (const [name, { data: A }] of weights) {
    if (!name.endsWith(".lora_A.weight")) continue;
    const matrix = name.replace("lora_A.", "");
    const { shape, data } = base.get(matrix)!;
    const sum = { name: matrix, at: 0, data: data.slice() };
    const { data: B } = weights.get(name.replace("lora_A", "lora_B"))!;
    addProduct(sum, { A, B, rank, scale: alpha / rank });
    whole.set(matrix, { shape, data: sum.data });
  }
  return { base, whole };
}
