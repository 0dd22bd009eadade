/**
 * What a shader's compiler may take for granted: that nothing is infinite and no number is NaN. So numbers are judged by their raw
 * words, and no literal leads out of range.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  headStatsCase,
  opCase,
  squaresCase,
  type OpCase,
} from "../../../src/engine/check/opMakers.ts";
import { runCase } from "../../../src/engine/check/kernelCheck.ts";
import { provideWebGpu } from "../../../src/engine/tfjs/node.ts";
import { openDevice, type OpenDevice } from "../../../src/engine/webgpu/device.ts";
import { dispatchesOf } from "../../../src/engine/webgpu/kernels/index.ts";
import { WebGpuExecutor } from "../../../src/engine/webgpu/executor.ts";
import { toShader } from "../../../src/engine/webgpu/shader.ts";
import { opCases } from "../plan/opCases.ts";

/** Twice such a number, times the logarithm that exp() may multiply by, is in range. */
const MOST = 3.4028234e38 / 2 / Math.LOG2E;

describe.each([false, true])("texts of kernels (software %s)", (software) => {
  const texts = new Set<string>();
  beforeAll(() => {
    for (const { op } of opCases)
      for (const dispatch of dispatchesOf(op, { software })) texts.add(toShader(dispatch).code);
  });

  test("ask raw words whether a number is finite", () => {
    let asked = 0;
    for (const text of texts)
      for (const [, word] of text.matchAll(/(?<!fn )\bfinite\w*\(([^()]*)/g)) {
        expect(word).toMatch(/^(bits_\w+|a|b)$/); // a and b: the words of a product
        asked++;
      }
    expect(asked).toBeGreaterThan(20);
  });

  test("compare no number with itself, and ask of none whether it is NaN", () => {
    for (const text of texts) {
      expect(text).not.toMatch(/(?<![\w.)\]])(\w+) [!=]= \1\b(?![(.[])/);
      expect(text).not.toMatch(/isnan|isinf/i);
    }
  });

  test("have no literal that overflows within exp()", () => {
    let most = 0;
    for (const text of texts)
      for (const [literal] of text.matchAll(/\b\d+(?:\.\d+)?e\d+\b/g))
        most = Math.max(most, Number(literal));
    expect(most).toBeGreaterThan(1e30);
    expect(most).toBeLessThan(MOST);
  });
});

describe("numbers that are not finite", () => {
  let opened: OpenDevice;
  beforeAll(async () => {
    await provideWebGpu();
    opened = await openDevice();
  });
  afterAll(() => opened.device.destroy());

  /** An array that the case writes. */
  async function ran(software: boolean, one: OpCase, array: string): Promise<Float32Array> {
    const executor = new WebGpuExecutor(opened, { softwareKernels: software });
    const results = await runCase(executor, one);
    executor.dispose();
    return results[array]!;
  }

  test.each([false, true])("poison their own rows of the head (software %s)", async (software) => {
    const [M, n] = [5, 37];
    const one = opCase("h", headStatsCase({ M, n, v0: 0, first: true, last: true }, false), 1);
    const z = one.data["z"] as Float32Array; // [M, n]
    (one.data["inverseTemperature"] as Float32Array)[0] = 8;
    [NaN, Infinity, -Infinity, 1e38].forEach((x, row) => (z[row * n + 2 * row] = x));
    const out = await ran(software, one, "out"); // [3, M]
    const isNumber = Array.from(out, (x) => Number.isFinite(x));
    const row = [false, false, false, false, true]; // [M]
    expect(isNumber).toEqual([...row, ...row, ...row]);
  });

  test.each([false, true])("poison a sum of squares (software %s)", async (software) => {
    for (const x of [NaN, Infinity]) {
      const one = opCase("s", squaresCase(9000), 1);
      (one.data["x"] as Float32Array)[8999] = x;
      const partials = [...(await ran(software, one, "partials"))];
      expect(partials.at(-1)).toBeNaN();
      expect(partials.slice(0, -1).every((sum) => Number.isFinite(sum))).toBe(true);
      expect(partials.length).toBeGreaterThan(1);
    }
  });
});
