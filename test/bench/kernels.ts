/** What each kernel of a training step and of decoding costs on a device, in Node through Dawn: models of several sizes. */
import type { EngineModel, WeightMap } from "../../src/engine/engine.ts";
import type { ModelConfig } from "../../src/engine/modelConfig.ts";
import { createPlanEngine } from "../../src/engine/plan/planEngine.ts";
import { openDevice, type OpenDevice } from "../../src/engine/webgpu/device.ts";
import { WebGpuExecutor } from "../../src/engine/webgpu/executor.ts";
import { paceOf } from "../../src/engine/webgpu/pace.ts";
import { agreeingSubgroup } from "../../src/engine/webgpu/createWebGpuEngine.ts";
import { parameterShapes } from "../../src/engine/parameters.ts";
import { modelPresets } from "../../src/spec/models.ts";
import { dawnGpu } from "../gpus/dawn.ts";
import { sayConditions, startConditions } from "./conditions.ts";
import { generate, trainerOf } from "./contenders/engines.ts";
import { median } from "./measure.ts";
import { line, number, percent, spread } from "./numbers.ts";
import type { BenchOptions, KernelModel } from "./options.ts";
import { timedDevice, type KernelTime } from "./passTimes.ts";
import { config as bench, decoding, large, promptsOf } from "./workload.ts";

/** By the names that the command takes. */
export const MODELS: Record<KernelModel, { words: string; config: ModelConfig }> = {
  nano: { words: "preset nano, 0.1 M parameters", config: modelPresets.nano },
  micro: { words: "preset micro, 0.9 M parameters", config: modelPresets.micro },
  bench: { words: "the bench's, 0.9 M parameters", config: bench },
  "24m": { words: "24 M parameters", config: large },
  "qwen2.5-0.5b": {
    words: "Qwen2.5 0.5B's shape, 494 M parameters",
    config: {
      ...{ family: "qwen2", vocabSize: 151936, hiddenSize: 896, layers: 24, heads: 14 },
      ...{ kvHeads: 2, headDim: 64, intermediateSize: 4864, ropeTheta: 1e6, rmsNormEps: 1e-6 },
      ...{ tieWordEmbeddings: true, attentionBias: true, maxPositions: 32768 },
    },
  },
};

const TRAINING = { B: 16, T: 128 };

/** Milliseconds. */
const WARM_UP = 1000;

type Job = () => Promise<unknown>;

interface Timed {
  title: string;
  /** Milliseconds of whole steps, or of a decoded token for all rows, as the engine submits them. */
  wall: number[];
  /** Kernels of one, from the timed device. */
  kernels: KernelTime[];
  /** Steps or tokens that these are of. */
  count: number;
}

export async function runKernels({ models, repeats }: BenchOptions) {
  const finish = startConditions();
  // As it comes, Dawn's clock goes by steps of 65 microseconds.
  const gpu = await dawnGpu([], ["timestamp_quantization"]);
  // A card's memory is its own: what is too much it refuses itself.
  Object.defineProperty(globalThis.navigator, "deviceMemory", { value: 128, configurable: true });
  const opened = await openDevice(gpu);
  const parts: string[] = [];
  const data: Record<string, unknown> = {};
  let ok = true;
  for (const name of models) {
    console.error(name);
    const { words, config } = MODELS[name];
    try {
      const timed = await timesOf(opened, config, repeats);
      data[name] = timed;
      parts.push(...timed.map((one) => tableOf(words, one)));
    } catch (error) {
      ok = false;
      data[name] = { error: (error as Error).message };
      parts.push(`**${words}**: ${(error as Error).message}`);
    }
  }
  const about = `${sayConditions(finish())}; ${opened.adapter}.`;
  return { markdown: [about, ...parts].join("\n\n"), data, ok };
}

async function timesOf(opened: OpenDevice, config: ModelConfig, repeats: number) {
  const weights = weightsOf(config);
  const timed = timedDevice(opened.device);
  const found: Timed[] = [];
  for (const [title, count, jobOf] of JOBS) {
    const on = async (device: GPUDevice, use: (job: Job) => Promise<void>) => {
      // What is known of the card decides how plans are cut: the same on both.
      const pace = paceOf(opened.device, opened.software);
      const subgroup = await agreeingSubgroup(opened);
      const executor = new WebGpuExecutor({ ...opened, device }, { subgroup, pace });
      const engine = createPlanEngine(executor);
      const made = await engine.createModel(config, weights, "none");
      const job = jobOf(made, config);
      const whole = async () => {
        await job();
        await executor.submitted();
        await opened.device.queue.onSubmittedWorkDone();
      };
      // Kernels are compiled, and a card that rested comes to its speed.
      for (let left = WARM_UP; left > 0;) left -= await milliseconds(whole);
      await use(whole);
      made.dispose();
      engine.dispose();
    };
    const wall: number[] = [];
    await on(opened.device, async () => {}); // the pace is known, and plans are compiled again
    await on(opened.device, async (job) => {
      for (let i = 0; i < repeats; i++) wall.push((await milliseconds(job)) / count);
    });
    const kernels: KernelTime[] = [];
    await on(timed.device, async (job) => {
      await timed.take();
      for (let i = 0; i < repeats; i++) await job();
      kernels.push(...(await timed.take()));
    });
    found.push({ title, wall, kernels, count: count * repeats });
  }
  return found;
}

/** Numbers of a new model's size: what they are does not matter, and a large model's are quickly there. */
function weightsOf(config: ModelConfig): WeightMap {
  const weights: WeightMap = new Map();
  for (const [name, shape] of parameterShapes(config, "none")) {
    const data = new Float32Array(shape.reduce((a, b) => a * b, 1));
    if (name.endsWith("norm.weight")) data.fill(1);
    else for (let i = 0; i < data.length; i++) data[i] = (((i * 7919) % 1009) / 1009 - 0.5) / 14;
    weights.set(name, { shape, data });
  }
  return weights;
}

async function milliseconds(job: Job): Promise<number> {
  const begun = performance.now();
  await job();
  return performance.now() - begun;
}

const JOBS: [title: string, count: number, of: (m: EngineModel, c: ModelConfig) => Job][] = [
  [`training step, T ${TRAINING.T}, B ${TRAINING.B}`, 1, trainer],
  [
    `decoding ${decoding.rows} rows after a prompt of ${decoding.prompt}, a token`,
    decoding.tokens,
    decoder,
  ],
];

function trainer(model: EngineModel, { vocabSize }: ModelConfig): Job {
  const { B, T } = TRAINING;
  const ids = Int32Array.from({ length: B * T }, (_, i) => (i * 7919 + 13 * (i % 97)) % vocabSize);
  return trainerOf(model, { B, T, ids }).step;
}

function decoder(model: EngineModel, config: ModelConfig): Job {
  const prompts = promptsOf(config);
  return () => generate(model, prompts, decoding.tokens, 1);
}

interface Row {
  kernel: string;
  times: number;
  /** Microseconds of all of them. */
  total: number;
}

/** Kernels of one step, or token, the most costly first. */
function rowsOf({ kernels, count }: Timed): Row[] {
  const rows = new Map<string, Row>();
  for (const { kernel: label, time } of kernels) {
    const [kernel = "", part] = label.split(", part ");
    const row = rows.get(kernel) ?? { kernel, times: 0, total: 0 };
    rows.set(kernel, row);
    row.times += part ? 0 : 1 / count;
    row.total += time / count;
  }
  return [...rows.values()].sort((a, b) => b.total - a.total);
}

/** FLOPs of one product, from its name; NaN of other kernels. */
function productFlops(kernel: string): number {
  const sizes = /^matmul \w+ (\d+)x(\d+)x(\d+)/.exec(kernel);
  return sizes ? 2 * Number(sizes[1]) * Number(sizes[2]) * Number(sizes[3]) : NaN;
}

function tableOf(words: string, timed: Timed): string {
  const rows = rowsOf(timed);
  const all = rows.reduce((sum, { total }) => sum + total, 0);
  const flops = rows.reduce((sum, { kernel, times }) => {
    const one = productFlops(kernel);
    return sum + (Number.isNaN(one) ? 0 : one * times);
  }, 0);
  const products = rows.filter(({ kernel }) => kernel.startsWith("matmul"));
  const inProducts = products.reduce((sum, { total }) => sum + total, 0);
  const ms = `${number(median(timed.wall))} ms${spread(timed.wall)}, n = ${timed.wall.length}`;
  return [
    `**${words}: ${timed.title}**: ${ms}; kernels ${number(all / 1000)} ms, of it products ${percent(inProducts / all)} at ${number(flops / inProducts / 1000)} GFLOP/s`,
    "",
    line(["kernel", "times", "µs each", "µs", "share", "GFLOP/s"]),
    line(["---", "---", "---", "---", "---", "---"]),
    ...rows
      .filter(({ total }) => total / all >= 0.01)
      .map(({ kernel, times, total }) =>
        line([
          kernel,
          number(times),
          number(total / times),
          number(total),
          percent(total / all),
          number((productFlops(kernel) * times) / total / 1000),
        ]),
      ),
  ].join("\n");
}
