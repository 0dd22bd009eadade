/** The same work with the sources of two checkouts, by turns. */
import { createPlanEngine } from "../../src/engine/plan/planEngine.ts";
import { provideWebGpu } from "../../src/engine/tfjs/node.ts";
import { openDevice } from "../../src/engine/webgpu/device.ts";
import { WebGpuExecutor } from "../../src/engine/webgpu/executor.ts";
import { sayConditions, startConditions } from "./conditions.ts";
import { engineContender } from "./contenders/engines.ts";
import { median } from "./measure.ts";
import { number, spread } from "./numbers.ts";
import { batchOf, decoding, WORKLOADS, type Workload } from "./workload.ts";

interface Timed {
  adapter: string;
  /** Does it once: milliseconds until the device has done all of it. */
  once: () => Promise<number>;
  dispose: () => void;
}

/** A workload on a device of its own, with this bundle's sources. */
export async function timed(workload: Workload): Promise<Timed> {
  // Once for both bundles.
  if (!globalThis.navigator?.gpu) await provideWebGpu();
  const opened = await openDevice();
  const executor = new WebGpuExecutor(opened);
  const contender = engineContender(createPlanEngine(executor), () => executor.submitted());
  const act = await actOf(contender, workload);
  const once = async () => {
    const begun = performance.now();
    await act();
    await opened.device.queue.onSubmittedWorkDone();
    return performance.now() - begun;
  };
  return { adapter: opened.adapter, once, dispose: () => opened.device.destroy() };
}

async function actOf(contender: ReturnType<typeof engineContender>, workload: Workload) {
  if (workload === "decode-64") {
    const decoder = await contender.decoder();
    return () => decoder.generate(decoding.tokens);
  }
  const trainer = await contender.trainer(batchOf(workload));
  return () => trainer.step();
}

interface Asked {
  workload?: string;
  repeats?: string;
}

/** Runs each workload `times` times with both checkouts' sources, after two runs that compile; prints a line for each. */
export async function compare(own: typeof timed, other: typeof timed, asked: Asked): Promise<void> {
  const repeats = Number(asked.repeats ?? 7);
  const names = asked.workload?.split(",") ?? WORKLOADS;
  const finish = startConditions();
  const lines: string[] = [];
  for (const workload of WORKLOADS.filter((one) => names.includes(one))) {
    const [now, before] = [await own(workload), await other(workload)];
    const found: { now: number[]; before: number[] } = { now: [], before: [] };
    for (let i = 0; i < repeats + 2; i++) {
      const [a, b] = [await before.once(), await now.once()];
      if (i < 2) continue;
      found.before.push(a);
      found.now.push(b);
    }
    const ratios = found.now.map((ms, i) => ms / found.before[i]!);
    const [a, b, ratio] = [found.before, found.now, ratios].map(
      (all) => number(median(all)) + spread(all),
    );
    lines.push(
      `- ${workload}, ${now.adapter}: ${a} ms before, ${b} ms now: ${ratio} times as long (n = ${repeats} pairs)`,
    );
    now.dispose();
    before.dispose();
  }
  console.log([sayConditions(finish()), "", ...lines].join("\n"));
}
