/** Engines in Node, WebGPU through Dawn: for machines with a GPU and no browser. */
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
import { CONTENDERS, type Contender, type ContenderName, type Family } from "./contender.ts";
import { IN_NODE } from "./contenders/openInNode.ts";
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

export interface NodeMeasurement {
  contender: ContenderName;
  /** Version, or adapter and threads, in words. */
  about: string;
  workload: Workload;
  cell: Cell;
  agreement: Agreement;
  /** Milliseconds of a forward alone, of training batches. */
  forward: number[];
}

export interface BackendRun {
  backend: Family;
  adapter: string;
  /** FLOP per second of all the larger step's products, and of each. */
  rate: number;
  products: { layout: Layout; size: number[]; rate: number }[];
  checks: CheckTimes;
  measurements: NodeMeasurement[];
  /** What did not run, and why. */
  failures: string[];
}

export interface NodeRun {
  conditions: Conditions;
  runs: BackendRun[];
}

/** One for the process: its wraps stay. Installed before the first device is asked for. */
const meter = new Meter();

/** @throws Error where nothing that was asked for runs in Node. */
export async function runInNode(options: BenchOptions) {
  if (!options.only.some((name) => IN_NODE[name]))
    throw new Error(
      `--only ${options.only.join(",")}: in Node are ${Object.keys(IN_NODE).join(", ")}`,
    );
  const finish = startConditions();
  if (options.engines.includes("webgpu")) await provideWebGpu();
  meter.install();
  const runs: BackendRun[] = [];
  for (const backend of options.engines) runs.push(await runBackend(backend, options));
  const run: NodeRun = { conditions: finish(), runs };
  const ok = runs.every(
    ({ measurements, failures }) =>
      failures.length === 0 && measurements.every(({ agreement }) => agreement.ok),
  );
  return { markdown: reportNode(run, options.peak), data: run, ok };
}

async function runBackend(backend: Family, options: BenchOptions): Promise<BackendRun> {
  // First, as at the start of a page: nothing is compiled yet.
  const checks = await checkTimes(engines[backend]);
  const run = { backend, checks, ...(await measureProducts(backend)) };
  const names = options.only.filter((name) => IN_NODE[name] && CONTENDERS[name].family === backend);
  const measurements: NodeMeasurement[] = [];
  const failures: string[] = [];
  for (const workload of options.workloads)
    for (const name of names)
      try {
        measurements.push(await measure(name, workload, options));
      } catch (error) {
        failures.push(`${workload}, ${CONTENDERS[name].label}: ${(error as Error).message}`);
        console.error(`FAILED: ${failures.at(-1)}`);
      }
  return { ...run, measurements, failures };
}

const wasmEngine = (workers: number): Promise<Engine> =>
  createWasmEngine(nodeKernels(), { workers, spawn: nodeSpawn });

/** As they are opened by default. */
const engines: Record<Family, () => Promise<Engine>> = {
  webgpu: () => createWebGpuEngine(),
  wasm: () => wasmEngine(1),
};

async function measureProducts(backend: Family) {
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

async function timerOf(backend: Family): Promise<Timer> {
  if (backend === "webgpu") return gpuTimer(new WebGpuExecutor(await openDevice()));
  return { executor: await WasmExecutor.create(nodeKernels()), settle: async () => {} };
}

async function measure(
  name: ContenderName,
  workload: Workload,
  options: BenchOptions,
): Promise<NodeMeasurement> {
  const reference = await referenceOf(workload);
  meter.forget();
  const contender = await IN_NODE[name]!();
  const { about } = contender;
  const cell = await measureCell(contender, workload, effortOf(options), meter);
  const forward = await forwardTimes(contender, workload, options.repeats);
  contender.dispose?.();
  console.error(`${workload} ${name}: ${median(cell.wall).toFixed(2)} ms`);
  // The two that use tfjs share its pool, in which the second finds what it needs.
  const isKnown = !(name === "referee-webgpu" && options.only.includes("tfjs-webgpu"));
  const agreement = agreementOf(cell, reference);
  const bytes = isKnown ? cell.bytes : NaN;
  return { contender: name, about, workload, cell: { ...cell, bytes }, agreement, forward };
}

async function forwardTimes(contender: Contender, workload: Workload, repeats: number) {
  if (workload === "decode-64") return [];
  const { loss } = await contender.trainer(batchOf(workload));
  if (!loss) return [];
  const times: number[] = [];
  await loss();
  for (let i = 0; i < repeats; i++) times.push((await meter.read(loss)).wall);
  return times;
}
