/** Single kernels against their operations' float64 reference. */
import type { KernelNumbers } from "../engine.ts";
import type { Executor } from "../plan/executor.ts";
import { operands } from "../plan/ops.ts";
import { align, type Plan } from "../plan/planner.ts";
import { kernelCases } from "./kernelCases.ts";
import { ReferenceExecutor } from "./reference.ts";
import type { OpCase } from "./opMakers.ts";

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

/** Runs the operation; every store that it writes, afterwards. */
export async function runCase(
  executor: Executor,
  { name, op, data }: OpCase,
): Promise<Record<string, Float32Array>> {
  const entries = Object.entries(data);
  const stores = new Map(
    entries.map(([key, { length }]) => [key, executor.createStore(key, align(length))]),
  );
  for (const [key, words] of entries) executor.write(stores.get(key)!, 0, words);
  const empty = { arenaSize: 0, inputSize: 0, inputs: {}, outputSize: 0, outputs: {} };
  const sizes = Object.fromEntries(entries.map(([key, { length }]) => [key, length]));
  const plan: Plan = { name, ops: [op], ...empty, stores: sizes };
  const runnable = await executor.compile(plan, stores);
  executor.run(runnable, new Int32Array(0));
  const written = operands(op).filter(({ writes }) => writes);
  const results: Record<string, Float32Array> = {};
  for (const { view } of written)
    results[view.store] = await executor.read(stores.get(view.store)!, 0, view.size);
  runnable.dispose();
  for (const store of stores.values()) executor.destroyStore(store);
  return results;
}
