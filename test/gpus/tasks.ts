/** What is tried on an adapter. Runs in Node and in a page. */
import { ReferenceExecutor } from "../../src/engine/check/reference.ts";
import { checkKernels, runCase } from "../../src/engine/check/kernelCheck.ts";
import type { OpCase } from "../../src/engine/check/opMakers.ts";
import type { Engine, TokenRows } from "../../src/engine/engine.ts";
import { createPlanEngine } from "../../src/engine/plan/planEngine.ts";
import { refusalOf, selfCheck } from "../../src/engine/selfCheck.ts";
import { createTfjsEngine } from "../../src/engine/tfjs/createTfjsEngine.ts";
import { openDevice, plainDevice, type OpenDevice } from "../../src/engine/webgpu/device.ts";
import { WebGpuExecutor } from "../../src/engine/webgpu/executor.ts";
import { agreeingSubgroup } from "../../src/engine/webgpu/createWebGpuEngine.ts";
import { loadModelFolder } from "../../src/model/folder.ts";
import { initModel, presetConfig } from "../../src/model/initModel.ts";
import { ALLOWED, caseDistance } from "../engine/plan/distance.ts";
import { opCases } from "../engine/plan/opCases.ts";

export interface Adapter {
  gpu: GPU;
  /** Asks for nothing that a device need not have. */
  plain: boolean;
  /** A file of test/golden/model. */
  golden: (path: string) => Promise<Uint8Array>;
  /** After each task. */
  heard?: (line: Line) => void;
}

export interface Line {
  task: string;
  /** Null: it failed, as `why` says. */
  result: string | null;
  why?: string;
  seconds: number;
}

/** The kernels of a GPU, whatever the adapter is, with its subgroups if they agree. */
async function executorOn(opened: OpenDevice) {
  const subgroup = await agreeingSubgroup({ ...opened, software: false });
  return { executor: new WebGpuExecutor(opened, { softwareKernels: false, subgroup }), subgroup };
}

export async function openAdapter({ gpu, plain }: Adapter): Promise<OpenDevice> {
  return openDevice(gpu, plain ? [plainDevice] : undefined);
}

export interface Tried {
  /** In words. */
  adapter: string;
  lines: Line[];
}

type Task = (executor: WebGpuExecutor, adapter: Adapter) => Promise<string>;

/** Cases beside each other: a driver compiles several kernels at once. */
const TOGETHER = 4;

/** @throws Error that names the operations that are wrong. */
const operations: Task = async (executor) => {
  const reference = new ReferenceExecutor();
  const wrong: string[] = [];
  const left = [...opCases];
  const worker = async () => {
    for (let one = left.shift(); one; one = left.shift()) {
      const problem = await problemOf(executor, reference, one);
      if (problem !== null) wrong.push(`${one.name}${problem}`);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, worker));
  if (wrong.length > 0) throw new Error(`wrong: ${wrong.join(", ")}`);
  return `${opCases.length} cases, each twice the same bits`;
};

/** What is wrong beside the case's numbers, which is nothing as a rule; null: all is right. */
async function problemOf(executor: WebGpuExecutor, reference: ReferenceExecutor, one: OpCase) {
  const [ours, again] = [await runCase(executor, one), await runCase(executor, one)];
  const theirs = await runCase(reference, one);
  const far = Object.entries(theirs).some(
    ([store, words]) => !(caseDistance(one, store, ours[store]!, words) < ALLOWED),
  );
  if (far) return "";
  const repeats = Object.keys(theirs).every((store) => sameBits(ours[store]!, again[store]!));
  return repeats ? null : " (does not repeat)";
}

const sameBits = (a: Float32Array, b: Float32Array) => {
  const [x, y] = [a, b].map((all) => new Int32Array(all.buffer, all.byteOffset, all.length));
  return x!.every((word, i) => word === y![i]);
};

const engineOn = (executor: WebGpuExecutor): Engine => ({
  ...createPlanEngine(executor),
  checkKernels: (answered) => checkKernels(executor, answered),
});

/** Compiling for a processor that pretends to be a GPU takes long. */
const TIME_LIMIT = 600_000;

const check: Task = async (executor) => {
  const referee = await createTfjsEngine({ backend: "cpu" });
  const found = await selfCheck(engineOn(executor), referee, { timeLimit: TIME_LIMIT });
  const refusal = refusalOf(found);
  if (refusal) throw refusal;
  return `${found.items.length} items in ${(found.milliseconds / 1000).toFixed(1)} s`;
};

const GOLDEN = ["qwen2_tied_f32", "qwen2_untied_bf16_sharded", "qwen3_tied_bf16"];

interface GoldenCase {
  input_ids: number[][];
  attention_mask: number[][];
  /** Null at padding. */
  next_token_logprobs: (number | null)[][];
}

/** Log-probs of PyTorch's models; the value of position t is of the token after it. */
const goldens: Task = async (executor, { golden }) => {
  const engine = engineOn(executor);
  let farthest = 0;
  for (const name of GOLDEN) {
    const { config, weights } = await loadModelFolder((file) => golden(`${name}/${file}`));
    const text = new TextDecoder().decode(await golden(`${name}/expected.json`));
    const { cases } = JSON.parse(text) as { cases: GoldenCase[] };
    const model = await engine.createModel(config, weights, "none");
    for (const one of cases) farthest = Math.max(farthest, await goldenDistance(model, one));
    model.dispose();
  }
  if (!(farthest < 1e-4)) throw new Error(`log-probs off by ${farthest}`);
  return `${GOLDEN.length} models, log-probs off by ${farthest.toExponential(0)} at most`;
};

type Model = Awaited<ReturnType<Engine["createModel"]>>;

async function goldenDistance(model: Model, one: GoldenCase): Promise<number> {
  const [B, L] = [one.input_ids.length, one.input_ids[0]!.length];
  const mask = one.attention_mask.flat();
  const position = one.attention_mask.flatMap((row) => {
    let seen = 0;
    return row.map((m) => Math.max(0, (seen += m) - 1));
  });
  const rows: TokenRows = {
    ...{ B, L, ids: Int32Array.from(one.input_ids.flat()), position: Int32Array.from(position) },
    segment: Int32Array.from(mask, (m) => (m ? 0 : -1)),
  };
  const { logprob } = await model.forward({ rows, temperature: 1 });
  const wanted = one.next_token_logprobs.flat();
  const apart = wanted.map((x, i) =>
    x === null || mask[i] === 0
      ? 0
      : Math.abs(logprob[Math.floor(i / (L - 1)) * L + (i % (L - 1)) + 1]! - x),
  );
  return apart.some(Number.isNaN) ? Infinity : Math.max(...apart);
}

const STEPS = 6;

/** Clipped AdamW steps on a little language: twice the same losses, to the bit, and lower at the end. */
const training: Task = async (executor) => {
  const [first, again] = [await losses(executor), await losses(executor)];
  if (first.some((loss, i) => loss !== again[i])) throw new Error("two trainings differ");
  if (!(first.at(-1)! < first[0]! - 0.05)) throw new Error(`the loss stays at ${first.join(" ")}`);
  return `${STEPS} steps twice, the same bits, loss ${first[0]!.toFixed(4)} to ${first.at(-1)!.toFixed(4)}`;
};

async function losses(executor: WebGpuExecutor): Promise<number[]> {
  const config = presetConfig("nano", 50);
  const model = await engineOn(executor).createModel(config, initModel(config, 4, "none"), "none");
  const found: number[] = [];
  const [B, L] = [6, 20];
  const position = Int32Array.from({ length: B * L }, (_, i) => i % L); // [B, L]
  const ids = position.map((t, i) => (t * 7 + Math.floor(i / L)) % 50); // [B, L]
  const rows: TokenRows = { B, L, ids, position, segment: new Int32Array(B * L) };
  const count = B * (L - 1);
  for (let step = 0; step < STEPS; step++) {
    const { logprob } = await model.forward({ rows, temperature: 1 });
    found.push(-logprob.reduce((a, b) => a + b, 0) / count);
    const dLogprob = new Float32Array(B * L).fill(-1 / count);
    await model.backward({ rows, temperature: 1, dLogprob });
    model.scaleGrads(Math.min(1, 1 / (await model.gradNorm())));
    const adam = { beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0.01 };
    await model.update({ lr: { trunk: 3e-3 }, ...adam });
  }
  model.dispose();
  return found;
}

const TASKS: Record<string, Task> = {
  operations,
  "self-check": check,
  goldens,
  "short training": training,
};

/** Every task on one device. Never throws: what fails says so. */
export async function tryAdapter(adapter: Adapter): Promise<Tried> {
  const opened = await openAdapter(adapter);
  const { executor, subgroup } = await executorOn(opened);
  const lines: Line[] = [];
  for (const [task, run] of Object.entries(TASKS)) {
    const begin = performance.now();
    const [result, why] = await run(executor, adapter).then(
      (words) => [words] as const,
      (error: unknown) => [null, error instanceof Error ? error.message : String(error)] as const,
    );
    const line = { task, result, ...(why !== undefined && { why }) };
    lines.push({ ...line, seconds: (performance.now() - begin) / 1000 });
    adapter.heard?.(lines.at(-1)!);
  }
  executor.dispose();
  opened.device.destroy();
  return { adapter: `${opened.adapter}, ${subgroup || "no"} threads in a subgroup`, lines };
}
