/** Names, shapes and groups of a Qwen decoder's tensors, as Hugging Face stores them: matrices are [out, in]. */
import type { ParameterGroup, ValueHead } from "./engine.ts";
import { linearSizes, LORA_TARGETS, type LoraTarget } from "../spec/lora.ts";
import type { ModelConfig } from "./modelConfig.ts";

export const EMBEDDING = "model.embed_tokens.weight";
export const FINAL_NORM = "model.norm.weight";
export const LM_HEAD = "lm_head.weight";
export const VALUE_WEIGHT = "value_head.weight";
export const VALUE_BIAS = "value_head.bias";

export function groupOf(name: string): ParameterGroup {
  return name.startsWith("value_head.") ? "valueHead" : "trunk";
}

/** The factors of an adapted matrix, W + alpha / rank B A: A [rank, in] and B [out, rank]. */
export const loraName = (layer: number, target: LoraTarget, factor: "A" | "B"): string =>
  `${linearPath(layer, target)}.lora_${factor}.weight`;

/** A linear layer's place in the model, as Hugging Face and PEFT name it. */
export function linearPath(layer: number, target: LoraTarget): string {
  const part = LORA_TARGETS.indexOf(target) < 4 ? "self_attn" : "mlp";
  return `model.layers.${layer}.${part}.${target}`;
}

export const isAdapter = (name: string): boolean => /\.lora_[AB]\.weight$/.test(name);

/** Whether attention's output projection has a bias: Qwen3's `attention_bias` gives it one, Qwen2's never has. */
export function hasOutputBias({ family, attentionBias }: ModelConfig): boolean {
  return family === "qwen3" && attentionBias;
}

/** Every tensor of the decoder, its adapters and its value head, in Hugging Face's order. */
export function parameterShapes(config: ModelConfig, valueHead: ValueHead): Map<string, number[]> {
  const { vocabSize: V, hiddenSize: D } = config;
  const shapes = new Map<string, number[]>([[EMBEDDING, [V, D]]]);
  for (let layer = 0; layer < config.layers; layer++) addLayer(shapes, config, layer);
  shapes.set(FINAL_NORM, [D]);
  if (!config.tieWordEmbeddings) shapes.set(LM_HEAD, [V, D]);
  for (let layer = 0; layer < config.layers; layer++) addFactors(shapes, config, layer);
  if (valueHead === "none") return shapes;
  return shapes.set(VALUE_WEIGHT, [1, D]).set(VALUE_BIAS, [1]);
}

function addLayer(shapes: Map<string, number[]>, config: ModelConfig, layer: number): void {
  const { hiddenSize: D, heads: H, kvHeads: K, headDim, intermediateSize: F } = config;
  const p = `model.layers.${layer}`;
  const sizes = { q: H * headDim, k: K * headDim, v: K * headDim };
  for (const [part, size] of Object.entries(sizes)) {
    shapes.set(`${p}.self_attn.${part}_proj.weight`, [size, D]);
    if (config.attentionBias) shapes.set(`${p}.self_attn.${part}_proj.bias`, [size]);
  }
  shapes.set(`${p}.self_attn.o_proj.weight`, [D, H * headDim]);
  if (hasOutputBias(config)) shapes.set(`${p}.self_attn.o_proj.bias`, [D]);
  if (config.family === "qwen3") {
    shapes.set(`${p}.self_attn.q_norm.weight`, [headDim]);
    shapes.set(`${p}.self_attn.k_norm.weight`, [headDim]);
  }
  shapes.set(`${p}.mlp.gate_proj.weight`, [F, D]);
  shapes.set(`${p}.mlp.up_proj.weight`, [F, D]);
  shapes.set(`${p}.mlp.down_proj.weight`, [D, F]);
  shapes.set(`${p}.input_layernorm.weight`, [D]);
  shapes.set(`${p}.post_attention_layernorm.weight`, [D]);
}

function addFactors(shapes: Map<string, number[]>, config: ModelConfig, layer: number): void {
  const sizes = linearSizes(config);
  for (const target of config.lora?.targets ?? []) {
    const { from, to } = sizes[target];
    shapes.set(loraName(layer, target, "A"), [config.lora!.rank, from]);
    shapes.set(loraName(layer, target, "B"), [to, config.lora!.rank]);
  }
}
