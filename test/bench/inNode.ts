/** Our engines in Node, WebGPU through Dawn: for machines with a GPU and no browser. */
import { provideWebGpu } from "../../src/engine/tfjs/node.ts";
import { createWasmEngine } from "../../src/engine/wasm/createWasmEngine.ts";
import { WasmExecutor } from "../../src/engine/wasm/executor.ts";
import { nodeKernels } from "../../src/engine/wasm/node.ts";
import { openDevice } from "../../src/engine/webgpu/device.ts";
import { WebGpuExecutor } from "../../src/engine/webgpu/executor.ts";
import { sayConditions, startConditions } from "./conditions.ts";
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
import type { BenchOptions } from "./options.ts";
import { agreementOf, referenceOf, type Agreement } from "./reference.ts";
import { number } from "./report.ts";
import { batchOf, flopsOf, tokensOf, type Workload } from "./workload.ts";

type Backend = "webgpu" | "wasm";

interface NodeMeasurement {
  workload: Workload;
  cell: Cell;
  agreement: Agreement;
  /** Milliseconds of a forward alone, of training batches. */
  forward: number[];
}

export interface NodeRun {
  backend: Backend;
  adapter: string;
  /** FLOP per second of all the larger step's products, and of each. */
  rate: number;
  products: { layout: Layout; size: number[]; rate: number }[];
  measurements: NodeMeasurement[];
}

export async function runInNode(options: BenchOptions, _root: string) {
  const finish = startConditions();
  if (options.engines.includes("webgpu")) await provideWebGpu();
  const runs: NodeRun[] = [];
  for (const backend of options.engines) runs.push(await runBackend(backend, options));
  const conditions = finish();
  const tables = runs.map((run) => report(run, options.peak));
  const markdown = [`${sayConditions(conditions)}.\n`, ...tables].join("\n");
  const ok = runs.every(({ measurements }) => measurements.every(({ agreement }) => agreement.ok));
  return { markdown, data: { conditions, runs }, ok };
}

async function runBackend(backend: Backend, options: BenchOptions): Promise<NodeRun> {
  const tokens = tokensOf("train-128x16");
  const timer = await timerOf(backend);
  const rate = await stepRate(timer, tokens);
  const products = [];
  for (const layout of LAYOUTS)
    for (const size of productSizes(tokens, layout))
      products.push({ layout, size, rate: await productRate(timer, layout, size) });
  const { adapter } = timer.executor.info;
  timer.executor.dispose();
  const measurements: NodeMeasurement[] = [];
  for (const workload of options.workloads)
    measurements.push(await measure(backend, workload, options));
  return { backend, adapter, rate, products, measurements };
}

async function timerOf(backend: Backend): Promise<Timer> {
  if (backend === "webgpu") return gpuTimer(new WebGpuExecutor(await openDevice()));
  return { executor: await WasmExecutor.create(nodeKernels()), settle: async () => {} };
}

const openContender = async (backend: Backend): Promise<Contender> =>
  backend === "webgpu" ? openWebGpu() : engineContender(await createWasmEngine(nodeKernels()));

/** One meter for the process: its wraps stay. */
const meter = new Meter();
let installed = false;

async function measure(
  backend: Backend,
  workload: Workload,
  { repeats, quick }: BenchOptions,
): Promise<NodeMeasurement> {
  const reference = await referenceOf(workload);
  if (!installed) meter.install();
  installed = true;
  meter.peak = meter.alive;
  const contender = await openContender(backend);
  const effort = { repeats, seconds: quick ? 3 : 30 };
  const cell = await measureCell(contender, workload, effort, meter);
  const forward = await forwardTimes(contender, workload, repeats);
  console.error(`${workload} ${backend}: ${median(cell.wall).toFixed(2)} ms`);
  return { workload, cell, agreement: agreementOf(cell, reference), forward };
}

async function forwardTimes(contender: Contender, workload: Workload, repeats: number) {
  if (workload === "decode-64") return [];
  const { loss } = await contender.trainer(batchOf(workload));
  const times: number[] = [];
  await loss!();
  for (let i = 0; i < repeats; i++) times.push((await meter.read(() => loss!())).wall);
  return times;
}

function report({ backend, adapter, rate, products, measurements }: NodeRun, peak: number | null) {
  const share = peak ? `, ${percent(rate / (1e12 * peak))} of ${peak} TFLOPS` : "";
  const each = LAYOUTS.map((layout) => {
    const rates = products
      .filter((product) => product.layout === layout)
      .map(({ size, rate }) => `${size.join("x")} ${number(rate / 1e9)}`);
    return `- ${layout}: ${rates.join(", ")}`;
  });
  return [
    `**${backend}** (${adapter}), bare product ${number(rate / 1e9)} GFLOP/s over a step${share}; by M x N x K in GFLOP/s:\n`,
    ...each,
    "",
    `| | ms (range) | n | tokens/s | of the bare rate |${peak ? " of the peak |" : ""} JS ms | forward ms | prompt ms | dispatches | submits | MB |`,
    `|${" --- |".repeat(peak ? 12 : 11)}`,
    ...measurements.map((m) => row(m, rate, peak)),
    "",
    ...measurements.map(({ workload, agreement }) =>
      [`- ${workload}: `, agreement.ok ? "" : "DISAGREES: ", agreement.words].join(""),
    ),
    "",
  ].join("\n");
}

function row({ workload, cell, forward }: NodeMeasurement, rate: number, peak: number | null) {
  const ms = median(cell.wall);
  const speed = (1000 * flopsOf(workload)) / ms;
  const cells = [
    workload,
    `${number(ms)} (${number(Math.min(...cell.wall))}-${number(Math.max(...cell.wall))})`,
    String(cell.wall.length),
    number((1000 * tokensOf(workload)) / ms),
    percent(speed / rate),
    ...(peak ? [percent(speed / (1e12 * peak))] : []),
    number(median(cell.host)),
    number(median(forward)),
    number(median(cell.promptMs)),
    number(cell.counts.dispatches),
    number(cell.counts.submits),
    number(cell.bytes / 1e6),
  ];
  return `| ${cells.join(" | ")} |`;
}

const percent = (share: number) => `${number(100 * share)} %`;
