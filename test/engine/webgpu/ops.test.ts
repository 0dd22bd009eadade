/**
 * Every kernel against the float64 reference on random shapes: those of a GPU and those of a software adapter. Those of a GPU find in
 * the workgroup's memory what was there before, and no index is clamped to its buffer: no kernel may rely on either, and without them
 * it compiles in a sixth of the time. With both they run in ./training.test.ts, in the self-check and in `npm run test:gpus`.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDevice, type OpenDevice } from "../../../src/engine/webgpu/device.ts";
import { WebGpuExecutor } from "../../../src/engine/webgpu/executor.ts";
import { opCases, type OpCase } from "../plan/opCases.ts";
import { ALLOWED, caseDistance } from "../plan/distance.ts";
import { opNames, PRODUCT_SIZES, randomCases } from "../plan/randomCases.ts";
import { ReferenceExecutor } from "../../../src/engine/check/reference.ts";
import { runCase } from "../../../src/engine/check/kernelCheck.ts";
import { dawnGpu, UNCHECKED } from "../../gpus/dawn.ts";
import { byTurns, some } from "../../every.ts";

const reference = new ReferenceExecutor();

/** A software adapter's own kernels: those of wide heads compile for 6 to 25 s each, those of adapters and packed weights are products' again. */
const SLOW_OR_ALIKE = /^attention(Backward)?, heads of| of (adapters|packed), (?!few columns)/;

/**
 * Products taken each day: every class of tiles in every layout. The others, of which each day takes a third, combine these with
 * biases, addends, prologues, adapters and packings.
 */
const ALWAYS = /^matmul (NT|NN|TN)( onto the sum)?, /;
const isAlways = ({ name, op }: OpCase) => op.op !== "matmul" || ALWAYS.test(name);
const taken = byTurns(opCases, 3, isAlways);

/** What the reference gives, computed once for both kinds of kernels. */
const known = new Map<OpCase, ReturnType<typeof runCase>>();
function expectedOf(one: OpCase) {
  const expected = known.get(one) ?? runCase(reference, one);
  known.set(one, expected);
  return expected;
}

/** Few, of head sizes compiled above: a new one takes a software adapter seconds. */
const random = new Map(
  opNames.map((name) => [name, randomCases(name, name === "matmul" ? PRODUCT_SIZES : 2, [6, 32])]),
);

describe.each([
  ["kernels of a GPU", false, UNCHECKED],
  ["kernels of a software adapter", true, []],
])("%s", (_, softwareKernels, features) => {
  let opened: OpenDevice;
  let executor: WebGpuExecutor;
  beforeAll(async () => {
    opened = await openDevice(await dawnGpu(features));
    executor = new WebGpuExecutor(opened, { softwareKernels });
  });
  afterAll(() => {
    executor.dispose();
    opened.device.destroy();
  });

  const both = async (opCase: OpCase) => {
    const [ours, expected] = [await runCase(executor, opCase), await expectedOf(opCase)];
    expect(Object.keys(ours)).toEqual(Object.keys(expected));
    for (const [store, words] of Object.entries(expected)) compare(opCase, store, ours, words);
  };

  test.each(some(taken, ({ name }) => !softwareKernels || !SLOW_OR_ALIKE.test(name)))(
    "$name",
    both,
  );

  const names = some(opNames, (name) => !softwareKernels || name !== "attentionBackward");
  test.each(names)("%s, random shapes", async (name) => {
    for (const one of random.get(name)!) await both(one);
  });
});

function compare(
  one: OpCase,
  store: string,
  all: Record<string, Float32Array>,
  expected: Float32Array,
): void {
  expect(caseDistance(one, store, all[store]!, expected), `${store} of ${one.name}`).toBeLessThan(
    ALLOWED,
  );
  if (store === "drawn")
    expect(new Set(expected.filter((_, i) => i % 2 === 0)).size).toBeGreaterThan(2);
}
