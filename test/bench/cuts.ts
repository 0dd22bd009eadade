/**
 * What it costs to cut plans into submits of bounded work: steps on one device in Node, cut and whole by turns, so that other work
 * on the machine falls on both alike.
 */
import { createPlanEngine } from "../../src/engine/plan/planEngine.ts";
import { provideWebGpu } from "../../src/engine/tfjs/node.ts";
import { openDevice, type OpenDevice } from "../../src/engine/webgpu/device.ts";
import { WebGpuExecutor } from "../../src/engine/webgpu/executor.ts";
import { DevicePace } from "../../src/engine/webgpu/pace.ts";
import { FixedPace } from "../engine/webgpu/fakeDevice.ts";
import { sayConditions, startConditions } from "./conditions.ts";
import { engineContender } from "./contenders/engines.ts";
import { median } from "./measure.ts";
import { number, spread } from "./numbers.ts";
import type { BenchOptions } from "./options.ts";
import { batchOf, type TrainWorkload } from "./workload.ts";

/** FLOPs a millisecond of a device on which nothing is cut. */
const ENDLESS = 1e15;

interface Cuts {
  workload: TrainWorkload;
  /** Milliseconds of each step, of the n-th pair. */
  cut: number[];
  whole: number[];
  /** Of a step. */
  submits: number;
}

export async function runCuts({ workloads, repeats }: BenchOptions) {
  const finish = startConditions();
  await provideWebGpu();
  const opened = await openDevice();
  const data: Cuts[] = [];
  for (const workload of workloads)
    if (workload !== "decode-64") data.push(await measure(opened, workload, repeats));
  const markdown = [sayConditions(finish()), opened.adapter, "", ...data.map(lineOf)].join("\n");
  opened.device.destroy();
  return { markdown, data, ok: true };
}

async function measure(
  opened: OpenDevice,
  workload: TrainWorkload,
  repeats: number,
): Promise<Cuts> {
  const cut = await stepper(opened, new DevicePace(opened.software), workload);
  const whole = await stepper(opened, new FixedPace(ENDLESS), workload);
  // The pace learns, and kernels are compiled.
  for (let i = 0; i < 2; i++) await cut.step();
  await whole.step();
  const found: Cuts = { workload, cut: [], whole: [], submits: 0 };
  for (let i = 0; i < repeats; i++) {
    const before = cut.submits();
    found.cut.push(await cut.step());
    found.submits = cut.submits() - before;
    found.whole.push(await whole.step());
  }
  return found;
}

/** `step`: milliseconds until the device has done all of one. */
async function stepper(opened: OpenDevice, pace: DevicePace, workload: TrainWorkload) {
  const executor = new WebGpuExecutor(opened, { pace });
  const contender = engineContender(createPlanEngine(executor), () => executor.submitted());
  const trainer = await contender.trainer(batchOf(workload));
  const step = async () => {
    const begun = performance.now();
    await trainer.step();
    await opened.device.queue.onSubmittedWorkDone();
    return performance.now() - begun;
  };
  return { step, submits: () => executor.counts().submits };
}

function lineOf({ workload, cut, whole, submits }: Cuts): string {
  const ratios = cut.map((ms, i) => ms / whole[i]!);
  const [a, b, ratio] = [cut, whole, ratios].map((all) => number(median(all)) + spread(all));
  return `- ${workload}: ${a} ms in ${submits} submits, ${b} ms whole: ${ratio} times as long (n = ${cut.length} pairs)`;
}
