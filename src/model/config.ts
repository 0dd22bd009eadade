/** Converts Hugging Face's `config.json` to ModelConfig and back, in the old and the new style. */
import type { ModelConfig } from "../engine/modelConfig.ts";
import { show, InputError } from "../numeric/inputError.ts";
import { parseJsonObject, type JsonObject, isRecord } from "../spec/jsonText.ts";

const FAMILIES = ["qwen2", "qwen3"] as const;
const MAX_LAYERS = 1000;

/** transformers' defaults for fields missing in config.json (Qwen2Config, Qwen3Config). */
const KV_HEADS = 32;
const QWEN3_HEAD_DIM = 128;

/** Architectures whose only head is `score`: critics, as verl and TRL store them. */
const CRITIC = /For(Token|Sequence)Classification$/;

/**
 * Parses a config.json.
 * @throws InputError naming the field, its value and what is allowed.
 */
export function parseModelConfig(text: string): ModelConfig {
  const json = parseJsonObject(text, "config.json");
  const family = FAMILIES.find((name) => name === json["model_type"]);
  if (!family) refuse("model_type", json["model_type"], `it must be ${FAMILIES.join(" or ")}`);
  const architecture = architectureOf(json, family);
  refuseUnsupported(json);
  const hiddenSize = wholeField(json, "hidden_size");
  const heads = wholeField(json, "num_attention_heads");
  const critic = CRITIC.test(architecture);
  return {
    family,
    vocabSize: wholeField(json, "vocab_size"),
    hiddenSize,
    layers: layers(json),
    heads,
    kvHeads: kvHeads(json, heads),
    headDim: headDim(json, family, hiddenSize, heads),
    intermediateSize: wholeField(json, "intermediate_size"),
    ropeTheta: ropeTheta(json),
    rmsNormEps: positive("rms_norm_eps", json["rms_norm_eps"] ?? 1e-6),
    // The engine of a critic has an unused language head.
    tieWordEmbeddings: flagField(json, "tie_word_embeddings", false) || critic,
    // Qwen2 always has them, whatever its config contains: transformers ignores the field there.
    attentionBias: family === "qwen2" || flagField(json, "attention_bias", false),
    maxPositions: wholeField(json, "max_position_embeddings", 32768),
    ...(critic && { critic }),
  };
}

/** The first architecture; "" without any. transformers uses model_type, others this: both must name one family. */
function architectureOf(json: JsonObject, family: string): string {
  const listed = json["architectures"] ?? [];
  if (!Array.isArray(listed) || !listed.every((name) => typeof name === "string"))
    refuse("architectures", listed, "it must be a list of names");
  for (const name of listed) {
    const named = /^Qwen\d+/.exec(name)?.[0].toLowerCase() ?? family;
    if (named !== family)
      refuse("architectures", listed, `it contradicts model_type ${show(family)}; make them agree`);
  }
  return listed[0] ?? "";
}

/** Fields that would change the numbers in ways the engines do not compute. */
function refuseUnsupported(json: JsonObject): void {
  const only = (field: string, allowed: unknown[]) => onlyField(field, json[field], allowed);
  only("hidden_act", [null, "silu", "swish"]);
  const quantised = "choose the folder of the model before it was quantised";
  onlyField("quantization_config", json["quantization_config"], [null], quantised);
  only("partial_rotary_factor", [null, 1]);
  refuseSliding(json, layers(json));
}

/** Limited, because the list of tensors is built before any is looked up. */
function layers(json: JsonObject): number {
  const n = wholeField(json, "num_hidden_layers");
  if (n <= MAX_LAYERS) return n;
  return refuse("num_hidden_layers", n, `it must be a whole number of at most ${MAX_LAYERS}`);
}

/** Null means as many as query heads; a missing field means 32. */
function kvHeads(json: JsonObject, heads: number): number {
  const field = "num_key_value_heads";
  const said = json[field] !== undefined;
  const n = json[field] === null ? heads : wholeField(json, field, KV_HEADS);
  if (heads % n === 0) return n;
  const rule = `it must divide num_attention_heads = ${heads}`;
  return refuse(field, json[field], said ? rule : `that means ${KV_HEADS}, and ${rule}`);
}

function headDim(json: JsonObject, family: string, hiddenSize: number, heads: number): number {
  const derived = family === "qwen2" && json["head_dim"] == null;
  if (derived && hiddenSize % heads !== 0) {
    refuse(
      "hidden_size",
      hiddenSize,
      `without head_dim it must be a multiple of num_attention_heads = ${heads}`,
    );
  }
  const d = derived ? hiddenSize / heads : wholeField(json, "head_dim", QWEN3_HEAD_DIM);
  return d % 2 === 0 ? d : refuse("head_dim", d, "it must be even");
}

/** The text of a config.json that transformers reads. `dtype`: of the stored weights. */
export function formatModelConfig(config: ModelConfig, dtype: "F32" | "BF16" = "F32"): string {
  const name = config.family === "qwen2" ? "Qwen2" : "Qwen3";
  const json = {
    architectures: [`${name}For${config.critic ? "TokenClassification" : "CausalLM"}`],
    model_type: config.family,
    vocab_size: config.vocabSize,
    hidden_size: config.hiddenSize,
    num_hidden_layers: config.layers,
    num_attention_heads: config.heads,
    num_key_value_heads: config.kvHeads,
    head_dim: config.headDim,
    intermediate_size: config.intermediateSize,
    hidden_act: "silu",
    attention_bias: config.attentionBias,
    rope_theta: config.ropeTheta,
    rms_norm_eps: config.rmsNormEps,
    tie_word_embeddings: config.tieWordEmbeddings,
    max_position_embeddings: config.maxPositions,
    use_sliding_window: false,
    torch_dtype: dtype === "F32" ? "float32" : "bfloat16",
    // One label, a token's value; transformers' default is two.
    ...(config.critic && { id2label: { 0: "LABEL_0" }, label2id: { LABEL_0: 0 } }),
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}

// The fields of config.json on positions and attention windows: each in up to three places, which must agree.

/** transformers' defaults for missing fields. */
const THETA = 10000;
const SLIDING_FROM = 28;
const WINDOW = 4096;

/** The first is transformers 5's; it reads the second instead if both are present. */
const ROPE_FIELDS = ["rope_parameters", "rope_scaling"];

/**
 * The base of the rotary positions. transformers 4 reads only the top-level field, 5 the nested one
 * first: if they differ, the two compute different models, so that is refused.
 */
function ropeTheta(json: JsonObject): number {
  const said: [string, unknown][] = [["rope_theta", json["rope_theta"]]];
  for (const field of ROPE_FIELDS)
    said.push([`${field}.rope_theta`, rope(json, field)["rope_theta"]]);
  const given = said.filter(([, value]) => value != null);
  const thetas = given.map(([field, value]) => positive(field, value));
  const other = thetas.findIndex((theta) => theta !== thetas[0]);
  if (other > 0)
    refuse(given[other]![0], thetas[other], `${given[0]![0]} is ${thetas[0]}; make them agree`);
  return thetas[0] ?? THETA;
}

/** The object of one field, {} if there is none; anything but plain rotary positions is refused. */
function rope(json: JsonObject, field: string): JsonObject {
  const found = json[field] ?? {};
  if (!isRecord(found)) refuse(field, found, "it must be an object");
  // Old files have `type`, some have both.
  for (const kind of [found["type"], found["rope_type"]])
    onlyField(`${field}.rope_type`, kind, [null, "default"]);
  onlyField(`${field}.partial_rotary_factor`, found["partial_rotary_factor"], [null, 1]);
  for (const [part, value] of Object.entries(found))
    if (isRecord(value)) refuse(`${field}.${part}`, value, "all layers must have the same");
  return found;
}

/**
 * Layers with sliding-window attention are refused. As in transformers, `layer_types` decides if
 * present, else use_sliding_window, sliding_window and max_window_layers do.
 */
function refuseSliding(json: JsonObject, layers: number): void {
  const types = json["layer_types"] ?? null;
  if (types !== null) {
    if (!Array.isArray(types)) return refuse("layer_types", types, "it must be a list");
    for (const kind of types) onlyField("layer_types", kind ?? "null", ["full_attention"]);
    if (types.length !== layers) {
      const rule = `num_hidden_layers is ${layers}; make them agree`;
      refuse("layer_types", types, `it has ${types.length} layers and ${rule}`);
    }
    return;
  }
  if (!flagField(json, "use_sliding_window", false)) return;
  const { sliding_window: window = WINDOW, max_window_layers: from = SLIDING_FROM } = json;
  if (window === null || (typeof from === "number" && from >= layers)) return;
  const rule = `layers from max_window_layers = ${show(from)} on would see ${show(window)} tokens`;
  refuse("use_sliding_window", true, `${rule}; only full attention is supported`);
}

// Checks one field of a config.json at a time. Each throws an InputError that names the field, its value and the rule.

/** @throws InputError, always. */
function refuse(field: string, value: unknown, rule: string): never {
  throw new InputError(`config.json: ${field} is ${show(value)}; ${rule}`);
}

/** A field that must have one of these values; null means absent. */
function onlyField(field: string, value: unknown, allowed: readonly unknown[], next = ""): void {
  if (allowed.includes(value ?? null)) return;
  const rule = `only ${allowed.map(show).join(" or ")} is supported`;
  refuse(field, value, next ? `${rule}; ${next}` : rule);
}

/** An integer of at least 1. */
function wholeField(json: JsonObject, field: string, absent?: number): number {
  const value = json[field] ?? absent;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  return refuse(field, value, "it must be a whole number of at least 1");
}

function positive(field: string, value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
  return refuse(field, value, "it must be a number above 0");
}

function flagField(json: JsonObject, field: string, absent: boolean): boolean {
  const value = json[field] ?? absent;
  return typeof value === "boolean" ? value : refuse(field, value, "it must be true or false");
}
