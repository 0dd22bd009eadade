/** From-scratch models: a preset's shape and its random first weights. */
import type { ValueHead, WeightMap } from "../engine/engine.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import { isAdapter, parameterShapes } from "../engine/parameters.ts";
import { normals, uniforms } from "../numeric/rng.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { loraConfig } from "../spec/lora.ts";
import { modelPresets, type ModelPresetName } from "../spec/models.ts";

/** Shape of a preset, for a vocabulary of the given size. */
export function presetConfig(name: ModelPresetName, vocabSize?: number): ModelConfig {
  return { ...modelPresets[name], ...(vocabSize !== undefined && { vocabSize }) };
}

/** The shape with a spec's adapters, if it has any. */
export function adaptedConfig(
  config: ModelConfig,
  lora: Parameters<typeof loraConfig>[0] | undefined,
): ModelConfig {
  return lora ? { ...config, lora: loraConfig(lora) } : config;
}

/**
 * As a run keeps it: with its adapters, under which a folder's BF16 weights stay packed (only adapters leave them as they are), and
 * with its cache.
 */
export function trainedConfig(
  config: ModelConfig,
  { model, sampling }: Pick<ExperimentSpec, "model" | "sampling">,
  halves = false,
): ModelConfig {
  const shape = adaptedConfig(config, model.lora);
  const packed = halves && shape.lora ? ({ packed: "bf16" } as const) : {};
  return { ...shape, ...packed, ...(sampling.kvCache && { halfCache: true }) };
}

/**
 * GPT-2's recipe: matrices normal with std 0.02, the two that write into the residual stream
 * (o_proj, down_proj) divided by sqrt(2 layers) so that its variance does not grow with depth,
 * norms 1, biases and value head 0. Each tensor draws from its own stream, so its numbers depend on
 * (seed, name) alone.
 */
export function initModel(
  config: ModelConfig,
  seed: number,
  valueHead: ValueHead = "none",
): WeightMap {
  const weights: WeightMap = new Map();
  for (const [name, shape] of parameterShapes(config, valueHead)) {
    const size = shape.reduce((a, b) => a * b, 1);
    weights.set(name, { shape, data: firstValues(name, size, config.layers, seed) });
  }
  return weights;
}

/**
 * A base's weights with first adapters, by PEFT's default recipe: A uniform in ±1 / sqrt(in), as
 * `kaiming_uniform_(a=sqrt(5))` draws, and B 0, so that the model begins as its base.
 * (peft, src/peft/tuners/lora/layer.py, reset_lora_parameters)
 */
export function withFirstAdapters(base: WeightMap, config: ModelConfig, seed: number): WeightMap {
  const weights: WeightMap = new Map(base);
  for (const [name, shape] of parameterShapes(config, "none")) {
    if (!isAdapter(name)) continue;
    const [rows, columns] = shape as [number, number];
    const data = new Float32Array(rows * columns); // [rank, in] or [out, rank]
    if (name.endsWith("lora_A.weight")) fillUniform(data, 1 / Math.sqrt(columns), name, seed);
    weights.set(name, { shape, data });
  }
  return weights;
}

function fillUniform(data: Float32Array, most: number, name: string, seed: number): void {
  const key = { seed, stream: `init ${name}`, iteration: 0, trajectory: 0, step: 0 };
  uniforms(key, data.length).forEach((u, i) => (data[i] = (2 * u - 1) * most));
}

function firstValues(name: string, size: number, layers: number, seed: number): Float32Array {
  if (name.endsWith("norm.weight")) return new Float32Array(size).fill(1);
  if (name.endsWith(".bias") || name.startsWith("value_head.")) return new Float32Array(size);
  const residual = /(o_proj|down_proj)\.weight$/.test(name);
  const std = residual ? 0.02 / Math.sqrt(2 * layers) : 0.02;
  const key = { seed, stream: `init ${name}`, iteration: 0, trajectory: 0, step: 0 };
  const drawn = normals(key, size);
  const values = new Float32Array(size);
  // A loop: `from` with a function takes as long as the drawing.
  for (let i = 0; i < size; i++) values[i] = drawn[i]! * std;
  return values;
}
