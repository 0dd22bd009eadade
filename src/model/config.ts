/** Hugging Face's `config.json` to ModelConfig and back, in the old and the new style. */
import type { ModelConfig } from "../engine/modelConfig.ts";
import { InputError, show } from "../spec/inputError.ts";
import { jsonOrNothing, type JsonObject } from "../spec/jsonText.ts";

const FAMILIES = ["qwen2", "qwen3"] as const;
const MAX_LAYERS = 1000;

/**
 * Reads the text of a config.json.
 * @throws InputError naming the field, its value and what is allowed.
 */
export function parseModelConfig(text: string): ModelConfig {
  const json = parseConfig(text);
  const family = FAMILIES.find((name) => name === json["model_type"]);
  if (!family) refuse("model_type", json["model_type"], `it must be ${FAMILIES.join(" or ")}`);
  refuseUnsupported(json);
  const hiddenSize = wholeField(json, "hidden_size");
  const heads = wholeField(json, "num_attention_heads");
  const kvHeads = wholeField(json, "num_key_value_heads", heads);
  if (heads % kvHeads !== 0) {
    refuse("num_key_value_heads", kvHeads, `it must divide num_attention_heads = ${heads}`);
  }
  return {
    family,
    vocabSize: wholeField(json, "vocab_size"),
    hiddenSize,
    layers: layers(json),
    heads,
    kvHeads,
    headDim: headDim(json, hiddenSize, heads),
    intermediateSize: wholeField(json, "intermediate_size"),
    ropeTheta: ropeTheta(json),
    rmsNormEps: positive("rms_norm_eps", json["rms_norm_eps"] ?? 1e-6),
    tieWordEmbeddings: flagField(json, "tie_word_embeddings", false),
    // Qwen2 always has them and its config does not say so.
    attentionBias: family === "qwen2" || flagField(json, "attention_bias", false),
    maxPositions: wholeField(json, "max_position_embeddings", 32768),
  };
}

function refuse(field: string, value: unknown, rule: string): never {
  throw new InputError(`config.json: ${field} is ${show(value)}; ${rule}`);
}

function parseConfig(text: string): JsonObject {
  const json = jsonOrNothing(text);
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as JsonObject;
  throw new InputError(`config.json starts ${show(text.slice(0, 30))}; it must be a JSON object`);
}

/** Fields that would change the numbers in ways the engines do not compute. */
function refuseUnsupported(json: JsonObject): void {
  const only = (field: string, value: unknown, allowed: unknown[]) => {
    if (!allowed.includes(value ?? null)) {
      const list = allowed.map(show).join(" or ");
      refuse(field, value, `only ${list} is supported`);
    }
  };
  only("hidden_act", json["hidden_act"], [null, "silu"]);
  only("use_sliding_window", json["use_sliding_window"], [null, false]);
  only("quantization_config", json["quantization_config"], [null]);
  for (const field of ["rope_scaling", "rope_parameters"]) {
    const found = json[field] ?? {};
    if (typeof found !== "object") refuse(field, found, "it must be an object");
    const { rope_type, type } = found as JsonObject;
    only(`${field}.rope_type`, rope_type ?? type, [null, "default"]);
  }
  const layers = json["layer_types"];
  if (Array.isArray(layers)) {
    for (const kind of layers) only("layer_types", kind, ["full_attention"]);
  }
}

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

/** Bounded, because the list of tensors is written out before any is looked for. */
function layers(json: JsonObject): number {
  const n = wholeField(json, "num_hidden_layers");
  if (n <= MAX_LAYERS) return n;
  return refuse("num_hidden_layers", n, `it must be a whole number of at most ${MAX_LAYERS}`);
}

function headDim(json: JsonObject, hiddenSize: number, heads: number): number {
  if (json["head_dim"] == null && hiddenSize % heads !== 0) {
    refuse(
      "hidden_size",
      hiddenSize,
      `without head_dim it must be a multiple of num_attention_heads = ${heads}`,
    );
  }
  const d = wholeField(json, "head_dim", hiddenSize / heads);
  return d % 2 === 0 ? d : refuse("head_dim", d, "it must be even");
}

function ropeTheta(json: JsonObject): number {
  const nested = (json["rope_parameters"] ?? {}) as JsonObject;
  return positive("rope_theta", json["rope_theta"] ?? nested["rope_theta"] ?? 10000);
}

/** The text of a config.json that transformers reads. */
export function formatModelConfig(config: ModelConfig): string {
  const name = config.family === "qwen2" ? "Qwen2ForCausalLM" : "Qwen3ForCausalLM";
  const json = {
    architectures: [name],
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
    torch_dtype: "float32",
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}
