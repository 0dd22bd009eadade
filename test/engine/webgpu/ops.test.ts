/** Every kernel against the float64 reference on random shapes: those of a GPU and those of a software adapter. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provideWebGpu } from "../../../src/engine/tfjs/node.ts";
import { openDevice, type OpenDevice } from "../../../src/engine/webgpu/device.ts";
import { WebGpuExecutor } from "../../../src/engine/webgpu/executor.ts";
import { opCases, runCase, type OpCase } from "../plan/opCases.ts";
import { opNames, randomCases } from "../plan/randomCases.ts";
import { ReferenceExecutor } from "../plan/reference.ts";

const reference = new ReferenceExecutor();
let opened: OpenDevice;
beforeAll(async () => {
  await provideWebGpu();
  opened = await openDevice();
});
afterAll(() => opened.device.destroy());

describe.each([
  ["kernels of a GPU", false],
  ["kernels of a software adapter", true],
])("%s", (_, softwareKernels) => {
  let executor: WebGpuExecutor;
  beforeAll(() => void (executor = new WebGpuExecutor(opened, { softwareKernels })));
  afterAll(() => executor.dispose());

  const both = async (opCase: OpCase) => {
    const [ours, expected] = [await runCase(executor, opCase), await runCase(reference, opCase)];
    expect(Object.keys(ours)).toEqual(Object.keys(expected));
    for (const [store, words] of Object.entries(expected)) compare(opCase, store, ours, words);
  };

  test.each(opCases)("$name", both);

  // Few, of head sizes compiled above: a new one takes a software adapter seconds.
  test.each(opNames)("%s, random shapes", async (name) => {
    for (const one of randomCases(name, 2, [6, 32])) await both(one);
  });
});

function compare(
  { op, name }: OpCase,
  store: string,
  all: Record<string, Float32Array>,
  expected: Float32Array,
): void {
  const actual = all[store]!;
  if (op.op === "sample") return expectWords(actual, expected, store);
  if (op.op !== "headStats") return expectNear(actual, expected, `${store} of ${name}`);
  // A difference of logarithms near 1, which may come out as 0.
  if (store === "out") return expectNear(actual, expected, store, 1);
  // Without a reference its words mean nothing; the last is the kernel's own.
  const used = (i: number) => i % 8 < 4 || (i % 8 < 7 && op.zr !== undefined);
  expectNear(
    actual.filter((_, i) => used(i)),
    expected.filter((_, i) => used(i)),
    store,
  );
}

/** Relative to the largest of the expected numbers, which is what rounding scales with. */
function expectNear(
  actual: Float32Array,
  expected: Float32Array,
  what: string,
  least = 1e-3,
): void {
  const size = expected.reduce(
    (most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most),
    least,
  );
  let worst = 0;
  expected.forEach((x, i) => {
    if (actual[i] === x) return;
    const error = Math.abs(actual[i]! - x);
    if (!(error <= worst)) worst = error; // NaN counts as far
  });
  expect(worst / size, what).toBeLessThan(5e-6);
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
    else expect(Math.abs(got - x)).toBeLessThan(5e-6);
  });
}
