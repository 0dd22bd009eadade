/** Single kernels compared with their operations' float64 reference. */
import type { KernelNumbers } from "../engine.ts";
import type { Executor } from "../plan/executor.ts";
import { operands, type Op } from "../plan/ops.ts";
import { ALIGN, type BufferView } from "../plan/ops/view.ts";
import { align, type Plan } from "../plan/planner.ts";
import { kernelCases } from "./kernelCases.ts";
import { ReferenceExecutor } from "./reference.ts";
import type { OpCase } from "./opMakers.ts";
import { fromHalfSlots } from "./halfSlots.ts";

/** By case and array. @param answered is called after each kernel. @throws the executor's errors. */
export async function checkKernels(
  executor: Executor,
  answered = () => {},
  cases = kernelCases(),
): Promise<Map<string, KernelNumbers>> {
  const reference = new ReferenceExecutor();
  const found = new Map<string, KernelNumbers>();
  // All at once: a driver compiles several kernels in parallel.
  const compared = cases.map(async (one) => {
    const ours = await runCase(executor, one);
    answered();
    const theirs = await runCase(reference, one);
    for (const [array, expected] of Object.entries(theirs))
      found.set(`${one.name}, ${array}`, { actual: ours[array]!, expected });
  });
  await Promise.all(compared);
  return found;
}

/** Runs the operation; returns every array that it writes. */
export async function runCase(
  executor: Executor,
  one: OpCase,
): Promise<Record<string, Float32Array>> {
  const { op, data, places } = gathered(one);
  const entries = Object.entries(data);
  const stores = new Map(
    entries.map(([key, { length }]) => [key, executor.createStore(key, length)]),
  );
  for (const [key, words] of entries) executor.write(stores.get(key)!, 0, words);
  const empty = { arenaSize: 0, inputSize: 0, inputs: {}, outputSize: 0, outputs: {} };
  const sizes = Object.fromEntries(entries.map(([key, { length }]) => [key, length]));
  const plan: Plan = { name: one.name, ops: [op], ...empty, stores: sizes };
  const runnable = await executor.compile(plan, stores);
  executor.run(runnable, new Int32Array(0));
  const results: Record<string, Float32Array> = {};
  for (const { view, writes } of operands(one.op)) {
    const { store, offset } = places.get(view.store)!;
    if (!writes) continue;
    const words = await executor.read(stores.get(store)!, offset, view.size);
    const width = halvesOf(one.op, view.store);
    const numbers = () => fromHalfSlots(new Int32Array(words.buffer, 0, words.length), width!);
    results[view.store] = width === null ? words : Float32Array.from(numbers());
  }
  runnable.dispose();
  for (const store of stores.values()) executor.destroyStore(store);
  return results;
}

/** Whether its cache is in float16. */
export const hasHalves = (op: Op): op is Op & { halves: true; d: number } =>
  "halves" in op && op.halves === true;

/** Numbers in a slot of the array, if it is a cache in float16; else null. */
function halvesOf(op: Op, array: string): number | null {
  const isCache = array === "keys" || array === "values";
  return isCache && hasHalves(op) ? op.d : null;
}

/** Fills the space after each array: reading past the end finds NaN, or an integer far below zero. */
const GAP = 0xffc00000 | 0;

/**
 * The case's arrays in two stores, one for reading and one for writing: as a plan binds them, since
 * a device need not have more than eight storage buffers.
 */
function gathered({ op, data }: OpCase) {
  const uses = operands(op);
  const written = new Set(uses.filter(({ writes }) => writes).map(({ view }) => view.store));
  const places = new Map<string, BufferView>();
  const sizes: Record<string, number> = {};
  for (const [name, { length: size }] of Object.entries(data)) {
    // "state" is read as bits: its words are not all numbers.
    const isBits = op.op === "sample" || halvesOf(op, name) !== null;
    const store = !written.has(name) ? "read" : isBits ? "state" : "written";
    const offset = sizes[store] ?? 0;
    places.set(name, { store, offset, size });
    sizes[store] = offset + Math.max(align(size), ALIGN);
  }
  const all = Object.fromEntries(
    Object.entries(sizes).map(([store, size]) => [store, new Int32Array(size).fill(GAP)]),
  );
  for (const [name, words] of Object.entries(data)) {
    const { store, offset } = places.get(name)!;
    all[store]!.set(new Int32Array(words.buffer, words.byteOffset, words.length), offset);
  }
  const moved = uses.map(({ field, view }) => [
    field,
    { ...view, ...places.get(view.store)!, size: view.size },
  ]);
  return { op: { ...op, ...Object.fromEntries(moved) } as Op, data: all, places };
}
