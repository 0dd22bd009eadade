/** Which check notices a kernel without one of its barriers or bounds. */
import { runCase } from "../../src/engine/check/kernelCheck.ts";
import type { OpCase } from "../../src/engine/check/opMakers.ts";
import { ReferenceExecutor } from "../../src/engine/check/reference.ts";
import { dispatchesOf } from "../../src/engine/webgpu/kernels/index.ts";
import type { OpenDevice } from "../../src/engine/webgpu/device.ts";
import { toShader } from "../../src/engine/webgpu/shader.ts";
import { ALLOWED, caseDistance } from "../engine/plan/distance.ts";
import { opCases } from "../engine/plan/opCases.ts";
import { mutantsOf } from "./mutants.ts";
import { executorOn, openAdapter, type Adapter } from "./tasks.ts";

/** A place in a kernel's text, and the cases that reach it, the shortest text first. */
interface Site {
  kernel: string;
  site: string;
  tries: { one: OpCase; original: string; code: string }[];
}

export interface Studied {
  kernel: string;
  site: string;
  /** The case that noticed; null: none did; undefined: there was no time. */
  noticedBy: string | null | undefined;
}

const target = { software: false };

function sites(): Site[] {
  const found = new Map<string, Site>();
  for (const one of opCases)
    for (const dispatch of dispatchesOf(one.op, target)) {
      const kernel = dispatch.name
        .split(" ")
        .slice(0, one.op.op === "matmul" ? 1 : 2)
        .join(" ");
      const original = toShader(dispatch).code;
      for (const { site, code } of mutantsOf(original)) {
        const key = `${kernel} ${site}`;
        const known = found.get(key) ?? { kernel, site, tries: [] };
        known.tries.push({ one, original, code });
        found.set(key, known);
      }
    }
  for (const { tries } of found.values()) tries.sort((a, b) => a.code.length - b.code.length);
  return [...found.values()];
}

/** Cases that a mutant is given to before it counts as unnoticed. */
const TRIES = 4;

/** Each mutant on the adapter, for so many minutes in all. */
export async function studyMutants(adapter: Adapter, minutes: number): Promise<Studied[]> {
  const end = performance.now() + 60_000 * minutes;
  const reference = new ReferenceExecutor();
  const studied: Studied[] = [];
  const opened = await openAdapter(adapter);
  for (const { kernel, site, tries } of sites()) {
    let noticedBy: string | null | undefined = null;
    for (const { one, original, code } of spread(tries, TRIES)) {
      if (performance.now() > end) noticedBy = undefined;
      if (noticedBy !== null) break;
      const theirs = await runCase(reference, one);
      if (await isNoticed(opened, one, theirs, [original, code])) noticedBy = one.name;
    }
    studied.push({ kernel, site, noticedBy });
  }
  opened.device.destroy();
  return studied;
}

/** The first, the last and some between. */
function spread<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all];
  return Array.from(
    { length: count },
    (_, i) => all[Math.round((i * (all.length - 1)) / (count - 1))]!,
  );
}

/** Runs a case twice with the changed text in place of the original; a text that does not compile is noticed too. */
async function isNoticed(
  opened: OpenDevice,
  one: OpCase,
  theirs: Record<string, Float32Array>,
  [original, code]: [string, string],
): Promise<boolean> {
  const executor = executorOn({ ...opened, device: changed(opened.device, original, code) });
  try {
    for (let i = 0; i < 2; i++) {
      const ours = await runCase(executor, one);
      const wrong = Object.entries(theirs).some(
        ([store, words]) => !(caseDistance(one, store, ours[store]!, words) < ALLOWED),
      );
      if (wrong) return true;
    }
    return false;
  } catch {
    return true;
  } finally {
    executor.dispose();
  }
}

/** The device as it is, but for one text. */
function changed(device: GPUDevice, original: string, code: string): GPUDevice {
  return new Proxy(device, {
    get(target, key) {
      if (key === "createShaderModule")
        return (descriptor: GPUShaderModuleDescriptor) =>
          target.createShaderModule(
            descriptor.code === original ? { ...descriptor, code } : descriptor,
          );
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
