/** Shared by the engine tests: engines by backend, golden models, token rows, comparisons. */
import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import type { Engine, TokenRows, ValueHead, WeightMap } from "../../src/engine/engine.ts";
import { createTfjsEngine, type BackendName } from "../../src/engine/tfjs/createTfjsEngine.ts";
import { nodeWasmBinary, provideWebGpu } from "../../src/engine/tfjs/node.ts";
import type { ModelConfig } from "../../src/engine/modelConfig.ts";
import { createWasmEngine } from "../../src/engine/wasm/createWasmEngine.ts";
import { nodeKernels } from "../../src/engine/wasm/node.ts";
import { createWebGpuEngine } from "../../src/engine/webgpu/createWebGpuEngine.ts";
import { loadModelFolder } from "../../src/model/folder.ts";
import type { LoadedModel } from "../../src/model/pickWeights.ts";
import { initModel, presetConfig } from "../../src/model/initModel.ts";
import { normals } from "../../src/numeric/rng.ts";

const GOLDEN = new URL("../golden/model/", import.meta.url);

export const goldenModels = [
  "qwen2_tied_f32",
  "qwen2_untied_bf16_sharded",
  "qwen3_tied_bf16",
] as const;

/** tfjs by backend, or the compiled engine. On webgpu this is the system's adapter or Chromium's software one. */
export type EngineName = BackendName | "plan wasm" | "plan webgpu";

export async function openEngine(
  backend: EngineName,
  options: { softwareKernels?: boolean } = {},
): Promise<Engine> {
  if (backend === "plan wasm") return createWasmEngine(nodeKernels());
  if (backend === "webgpu" || backend === "plan webgpu") await provideWebGpu();
  if (backend === "plan webgpu") return createWebGpuEngine(options);
  return createTfjsEngine({ backend, wasmBinary: nodeWasmBinary(), ...options });
}

export function loadGolden(name: string): Promise<LoadedModel> {
  return loadModelFolder((file) => readFile(new URL(`${name}/${file}`, GOLDEN)));
}

export async function goldenJson<T>(name: string, file: string): Promise<T> {
  return JSON.parse(await readFile(new URL(`${name}/${file}`, GOLDEN), "utf8")) as T;
}

export async function goldenModel(engine: Engine, name: string, head: ValueHead = "none") {
  const { config, weights } = await loadGolden(name);
  return engine.createModel(config, weights, head);
}

export interface Rows {
  input_ids: number[][];
  attention_mask: number[][];
  position_ids?: number[][];
}

/** The golden files' rows: one segment each, padding where the attention mask is 0. */
export function tokenRows({ input_ids, attention_mask, position_ids }: Rows): TokenRows {
  const [B, L] = [input_ids.length, input_ids[0]!.length];
  const positions = position_ids ?? attention_mask.map(positionsOf);
  return {
    B,
    L,
    ids: Int32Array.from(input_ids.flat()),
    position: Int32Array.from(positions.flat()),
    segment: Int32Array.from(attention_mask.flat(), (mask) => (mask ? 0 : -1)),
  };
}

function positionsOf(mask: number[]): number[] {
  let seen = 0;
  return mask.map((m) => Math.max(0, (seen += m) - 1));
}

/** Largest absolute difference; null entries of `expected` (undefined positions) are skipped. */
export function farthest(actual: ArrayLike<number>, expected: ArrayLike<number | null>): number {
  expect(actual.length).toBe(expected.length);
  let most = 0;
  for (let i = 0; i < expected.length; i++) {
    const e = expected[i] ?? null;
    if (e === null) continue;
    const difference = Math.abs(actual[i]! - e);
    if (!(difference <= most)) most = difference; // NaN counts as far
  }
  return most;
}

export interface GoldenTensor {
  shape: number[];
  data: number[];
}

/** Compares the named tensors that a golden file stores; elements that `skip` names are left out. */
export function expectTensors(
  actual: WeightMap,
  expected: Record<string, GoldenTensor>,
  tolerance: number,
  skip: (name: string, index: number) => boolean = () => false,
): void {
  expect(Object.keys(expected).length).toBeGreaterThan(0);
  for (const [name, { shape, data }] of Object.entries(expected)) {
    expect(actual.get(name)?.shape, name).toEqual(shape);
    const compared = data.map((x, i) => (skip(name, i) ? null : x));
    expect(farthest(actual.get(name)!.data, compared), name).toBeLessThan(tolerance);
  }
}

export function norm(data: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += data[i]! * data[i]!;
  return Math.sqrt(sum);
}

export const nano = presetConfig("nano", 50);

/** Nano's weights, larger than first ones, so that attention and heads have something to show. */
export const nanoWeights = (seed: number, head: ValueHead = "none"): WeightMap =>
  largeWeights(nano, seed, head);

/** As nanoWeights, of any shape. */
export function largeWeights(
  shape: ModelConfig,
  seed: number,
  head: ValueHead = "none",
): WeightMap {
  const weights = initModel(shape, seed, head);
  for (const [name, { data }] of weights) {
    const key = { seed, stream: name, iteration: 1, trajectory: 0, step: 0 };
    const noise = normals(key, data.length);
    data.forEach((x, i) => (data[i] = x + 0.1 * noise[i]!));
  }
  return weights;
}

/** What one small batch of nano gives: raw logits, and the gradients of all its outputs. */
export async function nanoNumbers(engine: Engine) {
  const model = await engine.createModel(nano, nanoWeights(11, "shared"), "shared");
  const ids = [0, 1, 2].map((b) => Array.from({ length: 20 }, (_, t) => (b * 17 + t * t) % 50));
  const mask = ids.map((row, b) => row.map((_, t) => (t < 20 - 4 * b ? 1 : 0)));
  const rows = tokenRows({ input_ids: ids, attention_mask: mask });
  const d = Float32Array.from(rows.ids, (id, i) =>
    rows.segment[i]! < 0 ? 0 : ((id * 7) % 11) / 110 - 0.05,
  ); // [B*L]
  const { logits } = await model.forward({ rows, temperature: 1, logits: true });
  await model.backward({ rows, temperature: 0.9, dLogprob: d, dEntropy: d, dValue: d });
  const grads = await model.readGrads();
  model.dispose();
  return { logits: logits!, grads };
}
