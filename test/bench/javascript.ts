/**
 * What our WebGPU engine costs in JavaScript alone: on a device that takes every call and computes nothing, in processor time of
 * Node, which other work on the machine lengthens little. What a browser's own WebGPU costs on top is not in it.
 */
import { createPlanEngine } from "../../src/engine/plan/planEngine.ts";
import { WebGpuExecutor } from "../../src/engine/webgpu/executor.ts";
import { FakeGpu, FixedPace } from "../engine/webgpu/fakeDevice.ts";
import { sayConditions, startConditions } from "./conditions.ts";
import type { Contender } from "./contender.ts";
import { engineContender } from "./contenders/engines.ts";
import { hostVerdict } from "./hostTime.ts";
import type { BenchOptions } from "./options.ts";
import { batchOf, decoding, type TrainWorkload, type Workload } from "./workload.ts";

/** A series is long against the clock's step, and a repetition of one says how much it varies. */
const SERIES = 40;
const DECODES = 20;

/** As fast as not to be cut: FLOPs a millisecond. */
const SPEED = 1e12;

export async function runJavaScript({ workloads, repeats }: BenchOptions) {
  const finish = startConditions();
  const data: { workload: Workload; host: number[] }[] = [];
  for (const workload of workloads)
    data.push({ workload, host: await hostTimes(workload, repeats) });
  const lines = data.map((one) => hostVerdict(one.workload, { ...one, hostNoise: 0 }));
  const markdown = [sayConditions(finish()), "", ...lines].join("\n");
  return { markdown, data, ok: true };
}

/** Milliseconds of a step, or of a decoded token, each the mean of a series. */
async function hostTimes(workload: Workload, repeats: number): Promise<number[]> {
  const { opened } = new FakeGpu();
  const executor = new WebGpuExecutor(opened, { pace: new FixedPace(SPEED) });
  const contender = engineContender(createPlanEngine(executor), () => executor.submitted());
  const series = await (workload === "decode-64" ? tokens(contender) : steps(contender, workload));
  await series(); // compiles
  const times: number[] = [];
  for (let i = 0; i < repeats; i++) times.push(await series());
  contender.dispose?.();
  return times;
}

async function steps(
  contender: Contender,
  workload: TrainWorkload,
): Promise<() => Promise<number>> {
  const { step } = await contender.trainer(batchOf(workload));
  return async () => {
    const time = await spent(async () => {
      for (let i = 0; i < SERIES; i++) await step();
    });
    return time / SERIES;
  };
}

async function tokens(contender: Contender): Promise<() => Promise<number>> {
  const { generate } = await contender.decoder();
  const decodes = (count: number) =>
    spent(async () => {
      for (let i = 0; i < DECODES; i++) await generate(count);
    });
  return async () => {
    const [short, long] = [await decodes(1), await decodes(decoding.tokens)];
    return (long - short) / DECODES / (decoding.tokens - 1);
  };
}

/** Milliseconds of this process on a processor. */
async function spent(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
