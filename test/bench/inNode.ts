/** Our engines in Node, WebGPU through Dawn: for machines with a GPU and no browser. */
import type { Engine } from "../../src/engine/engine.ts";
import { provideWebGpu } from "../../src/engine/tfjs/node.ts";
import { createWasmEngine } from "../../src/engine/wasm/createWasmEngine.ts";
import { WasmExecutor } from "../../src/engine/wasm/executor.ts";
import { nodeKernels, nodeSpawn } from "../../src/engine/wasm/node.ts";
import { createWebGpuEngine } from "../../src/engine/webgpu/createWebGpuEngine.ts";
import { openDevice } from "../../src/engine/webgpu/device.ts";
import { WebGpuExecutor } from "../../src/engine/webgpu/executor.ts";
import { checkTimes, type CheckTimes } from "./checkTimes.ts";
import { startConditions, type Conditions } from "./conditions.ts";
import type { Contender } from "./contender.ts";
import { engineContender } from "./contenders/engines.ts";
import { openWebGpu } from "./contenders/webgpu.ts";
import { gpuTimer } from "./gpuTimer.ts";
import {
  LAYOUTS,
  productRate,
  productSizes,
  stepRate,
  type Layout,
  type Timer,
} from "./matmulRate.ts";
import { measureCell, median, type Cell } from "./measure.ts";
import { Meter } from "./meter.ts";
import { effortOf, type BenchOptions } from "./options.ts";
import { agreementOf, referenceOf, type Agreement } from "./reference.ts";
import { reportNode } from "./reportNode.ts";
import { batchOf, tokensOf, type Workload } from "./workload.ts";

type Backend = "webgpu" | "wasm";

export interface NodeMeasurement {
  /** Engine and threads in words. */
  about: string;
  workload: Workload;
  cell: Cell;
  agreement: Agreement;
  /** Milliseconds of a forward alone, of training batches. */
  forward: number[];
}

export interface BackendRun {
  backend: Backend;
  adapter: string;
  /** FLOP per second of all the larger step's products, and of each. */
  rate: number;
  products: { layout: Layout; size: number[]; rate: number }[];
  checks: CheckTimes;
  measurements: NodeMeasurement[];
}

export interface NodeRun {
  conditions: Conditions;
  runs: BackendRun[];
}

/** One for the process: its wraps stay. Installed before the first device is asked for. */
const meter = new Meter();

export async function runInNode(options: BenchOptions) {
  const finish = startConditions();
  if (options.engines.includes("webgpu")) await provideWebGpu();
  meter.install();
  const runs: BackendRun[] = [];
  for (const backend of options.engines) runs.push(await runBackend(backend, options));
  const run: NodeRun = { conditions: finish(), runs };
  const ok = runs.every(({ measurements }) => measurements.every(({ agreement }) => agreement.ok));
  return { markdown: reportNode(run, options.peak), data: run, ok };
}

async function runBackend(backend: Backend, options: BenchOptions): Promise<BackendRun> {
  // First, as at the start of a page: nothing is compiled yet.
  const checks = await checkTimes(engines[backend]);
  const run = { backend, checks, ...(await measureProducts(backend)) };
  const measurements: NodeMeasurement[] = [];
  for (const workload of options.workloads)
    for (const open of openers[backend])
      measurements.push(await measure(await open(), workload, options));
  return { ...run, measurements };
}

const wasmEngine = (workers: number): Promise<Engine> =>
  createWasmEngine(nodeKernels(), { workers, spawn: nodeSpawn });

const openWasm = async (workers: number): Promise<Contender> =>
  engineContender(await wasmEngine(workers));

/** As they are opened by default. */
const engines: Record<Backend, () => Promise<Engine>> = {
  webgpu: () => createWebGpuEngine(),
  wasm: () => wasmEngine(1),
};

const openers: Record<Backend, (() => Promise<Contender>)[]> = {
  webgpu: [openWebGpu],
  wasm: [() => openWasm(1), () => openWasm(2)],
};

async function measureProducts(backend: Backend) {
  const timer = await timerOf(backend);
  const tokens = tokensOf("train-128x16");
  const rate = await stepRate(timer, tokens);
  const products: BackendRun["products"] = [];
  for (const layout of LAYOUTS)
    for (const size of productSizes(tokens, layout))
      products.push({ layout, size, rate: await productRate(timer, layout, size) });
  const { adapter } = timer.executor.info;
  timer.executor.dispose();
  return { adapter, rate, products };
}

async function timerOf(backend: Backend): Promise<Timer> {
  if (backend === "webgpu") return gpuTimer(new WebGpuExecutor(await openDevice()));
  return { executor: await WasmExecutor.create(nodeKernels()), settle: async () => {} };
}

async function measure(
  contender: Contender,
  workload: Workload,
  options: BenchOptions,
): Promise<NodeMeasurement> {
  const reference = await referenceOf(workload);
  meter.forget();
  const { about } = contender;
  const cell = await measureCell(contender, workload, effortOf(options), meter);
  const forward = await forwardTimes(contender, workload, options.repeats);
  contender.dispose?.();
  console.error(`${workload} ${about}: ${median(cell.wall).toFixed(2)} ms`);
  return { about, workload, cell, agreement: agreementOf(cell, reference), forward };
}

async function forwardTimes(contender: Contender, workload: Workload, repeats: number) {
  if (workload === "decode-64") return [];
  const { loss } = await contender.trainer(batchOf(workload));
  const times: number[] = [];
  await loss!();
  for (let i = 0; i < repeats; i++) times.push((await meter.read(() => loss!())).wall);
  return times;
}
