/** The bench model of issue "compiled engine": 0.886 M parameters, T 128 B 16 and T 64 B 4, and decoding of 64 rows. */
import { loadavg } from "node:os";
import type { Engine, EngineModel, TokenRows } from "../../src/engine/engine.ts";
import type { ModelConfig } from "../../src/engine/modelConfig.ts";
import { PlanBuilder } from "../../src/engine/plan/planner.ts";
import { createTfjsEngine } from "../../src/engine/tfjs/createTfjsEngine.ts";
import { nodeWasmBinary } from "../../src/engine/tfjs/node.ts";
import { createWasmEngine } from "../../src/engine/wasm/createWasmEngine.ts";
import { WasmExecutor } from "../../src/engine/wasm/executor.ts";
import { nodeKernels } from "../../src/engine/wasm/node.ts";
import { initModel } from "../../src/model/initModel.ts";

const config: ModelConfig = {
  family: "qwen2",
  vocabSize: 256,
  hiddenSize: 128,
  layers: 4,
  heads: 4,
  kvHeads: 4,
  headDim: 32,
  intermediateSize: 384,
  ropeTheta: 10000,
  rmsNormEps: 1e-6,
  tieWordEmbeddings: true,
  attentionBias: false,
  maxPositions: 1024,
};

function randomRows(B: number, L: number): TokenRows {
  const ids = Int32Array.from({ length: B * L }, (_, i) => (i * 7919 + 13 * ((i * i) % 97)) % 256);
  const position = Int32Array.from(ids, (_, i) => i % L);
  return { B, L, ids, position, segment: new Int32Array(B * L) };
}

const update = { lr: { trunk: 1e-3 }, beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0.01 };

/** Forward and backward, clip, AdamW: what one optimiser step costs. */
async function trainStep(model: EngineModel, rows: TokenRows): Promise<void> {
  const dLogprob = new Float32Array(rows.ids.length).fill(-1 / rows.ids.length);
  await model.backward({ rows, temperature: 1, dLogprob });
  model.scaleGrads(Math.min(1, 1 / (await model.gradNorm())));
  await model.update(update);
}

async function median(times: number, body: () => Promise<void>): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    await body();
    all.push(performance.now() - start);
  }
  return all.sort((a, b) => a - b)[Math.floor(times / 2)]!;
}

async function decode(model: EngineModel, rows: number, tokens: number): Promise<void> {
  const session = model.decode(rows, 96);
  const numbers = Array.from({ length: rows }, (_, i) => i);
  const key = {
    seed: 1,
    stream: "bench",
    iteration: 0,
    trajectory: numbers,
    step: numbers.map(() => 0),
  };
  const prompts = numbers.map((i) => Array.from({ length: 32 }, (_, t) => (i * 31 + t) % 256));
  await session.generate({ prompts, maxNewTokens: tokens, stopIds: [], temperature: 1, key });
  session.dispose();
}

async function measure(name: string, engine: Engine, times: number): Promise<void> {
  const model = await engine.createModel(config, initModel(config, 1), "none");
  for (const [B, T] of [
    [16, 128],
    [4, 64],
  ] as const) {
    const rows = randomRows(B, T);
    await trainStep(model, rows);
    const ms = await median(times, () => trainStep(model, rows));
    const forward = await median(times, () =>
      model.forward({ rows, temperature: 1 }).then(() => {}),
    );
    const rate = ((1000 * B * T) / ms).toFixed(0);
    console.log(
      `${name} T${T} B${B}: step ${ms.toFixed(1)} ms (${rate} tok/s), forward ${forward.toFixed(1)} ms`,
    );
  }
  await decode(model, 64, 4);
  const short = await median(times, () => decode(model, 64, 1));
  const long = await median(times, () => decode(model, 64, 33));
  const perToken = (long - short) / 32;
  console.log(
    `${name} decode 64 rows: ${perToken.toFixed(2)} ms per step (${(64000 / perToken).toFixed(0)} tok/s), prompt of 32 ${short.toFixed(1)} ms`,
  );
  console.log(`${name} memory: ${JSON.stringify(engine.memory())}`);
}

/** Our own product alone: the floor of everything else. */
async function matmulRate(): Promise<void> {
  const executor = await WasmExecutor.create(nodeKernels());
  for (const layout of ["NT", "NN", "TN"] as const) {
    const rates: string[] = [];
    for (const [M, N, K] of [
      [2048, 384, 128],
      [2048, 128, 384],
      [384, 128, 2048],
      [256, 768, 128],
    ] as const) {
      const b = new PlanBuilder("matmul");
      const view = (size: number) => b.temp(size);
      b.add({ op: "matmul", layout, a: view(M * K), b: view(N * K), out: view(M * N), M, N, K });
      const runnable = await executor.compile(b.finish(), new Map());
      const none = new Int32Array(0);
      for (let i = 0; i < 20; i++) executor.run(runnable, none);
      const ms = await median(20, async () => executor.run(runnable, none));
      rates.push(`${M}x${N}x${K} ${((2 * M * N * K) / ms / 1e6).toFixed(1)}`);
    }
    console.log(`matmul ${layout} GFLOP/s: ${rates.join(", ")}`);
  }
}

export async function main(names: string[]): Promise<void> {
  const wanted = names.length > 0 ? names : ["wasm", "tfjs"];
  console.log(`Node ${process.version}, load ${loadavg()[0]!.toFixed(1)}`);
  await matmulRate();
  if (wanted.includes("wasm")) await measure("wasm", await createWasmEngine(nodeKernels()), 9);
  if (!wanted.includes("tfjs")) return;
  const tfjs = await createTfjsEngine({ backend: "wasm", wasmBinary: nodeWasmBinary() });
  await measure("tfjs wasm", tfjs, 3);
}
