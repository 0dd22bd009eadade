/** Single kernels against their operations' float64 reference. */
import type { KernelNumbers } from "../engine.ts";
import type { Executor } from "../plan/executor.ts";
import { kernelCases } from "./kernelCases.ts";
import { ReferenceExecutor } from "./reference.ts";
import { runCase } from "./runCase.ts";

/** By case and array. @throws what the executor throws. */
export async function checkKernels(executor: Executor): Promise<Map<string, KernelNumbers>> {
  const reference = new ReferenceExecutor();
  const found = new Map<string, KernelNumbers>();
  // All at once: a driver compiles several kernels beside each other.
  const compared = kernelCases().map(async (one) => {
    const ours = await runCase(executor, one);
    const theirs = await runCase(reference, one);
    for (const [array, expected] of Object.entries(theirs))
      found.set(`${one.name}, ${array}`, { actual: ours[array]!, expected });
  });
  await Promise.all(compared);
  return found;
}
