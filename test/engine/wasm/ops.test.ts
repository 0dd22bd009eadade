/** Every kernel against the float64 reference on random shapes. */
import { beforeAll, expect, test } from "vitest";
import { WasmExecutor } from "../../../src/engine/wasm/executor.ts";
import { nodeKernels } from "../../../src/engine/wasm/node.ts";
import { opCases, uncovered, type OpCase } from "../plan/opCases.ts";
import { opNames, randomCases } from "../plan/randomCases.ts";
import { ReferenceExecutor } from "../../../src/engine/check/reference.ts";
import { hasHalves, runCase } from "../../../src/engine/check/kernelCheck.ts";

const reference = new ReferenceExecutor();
let wasm: WasmExecutor;
beforeAll(async () => void (wasm = await WasmExecutor.create(nodeKernels())));

test("every operation has a case", () => expect(uncovered()).toEqual([]));

/** A cache in float16 is for WebGPU alone. */
const [ofHalves, others] = [true, false].map((wanted) =>
  opCases.filter(({ op }) => hasHalves(op) === wanted),
);

test.each(others!)("$name", compare);

test.each(ofHalves!)("$name: is refused", async (one) => {
  await expect(runCase(wasm, one)).rejects.toThrow("keys and values in float32 alone");
});

/** Instances of each operation; a shape that fails is named by its numbers. */
const MANY = 20;

test.each(opNames)("%s, random shapes", async (name) => {
  const cases = randomCases(name, MANY);
  expect(new Set(cases.map((one) => one.name)).size).toBeGreaterThan(MANY / 2);
  for (const one of cases) await compare(one);
});

async function compare(opCase: OpCase): Promise<void> {
  const [ours, expected] = [await runCase(wasm, opCase), await runCase(reference, opCase)];
  expect(Object.keys(ours)).toEqual(Object.keys(expected));
  for (const [store, words] of Object.entries(expected)) {
    const what = `${store} of ${opCase.name}`;
    if (opCase.op.op === "sample") expectWords(ours[store]!, words, store);
    else expectNear(ours[store]!, words, what);
  }
}

/** Relative to the largest of the expected numbers, which is what rounding scales with. */
function expectNear(actual: Float32Array, expected: Float32Array, what: string): void {
  const size = expected.reduce(
    (most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most),
    1e-3,
  );
  let worst = 0;
  expected.forEach((x, i) => {
    if (actual[i] === x) return; // infinities too
    const error = Math.abs(actual[i]! - x);
    if (!(error <= worst)) worst = error;
  });
  expect(worst / size, what).toBeLessThan(2e-6);
}

/** Ids and counters to the bit; log-probs as numbers. */
function expectWords(actual: Float32Array, expected: Float32Array, store: string): void {
  const bits = (x: Float32Array) => [...new Int32Array(x.buffer, x.byteOffset, x.length)];
  if (store !== "drawn") return expect(bits(actual), store).toEqual(bits(expected));
  const half = (words: number[], odd: number) => words.filter((_, i) => i % 2 === odd);
  expect(half(bits(actual), 0)).toEqual(half(bits(expected), 0));
  expect(new Set(half(bits(expected), 0)).size).toBeGreaterThan(2);
  half([...expected], 1).forEach((x, i) => {
    const got = half([...actual], 1)[i]!;
    if (Number.isNaN(x)) expect(got).toBeNaN();
    else expect(Math.abs(got - x)).toBeLessThan(1e-6);
  });
}
