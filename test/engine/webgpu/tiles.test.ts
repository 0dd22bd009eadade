/** How products and attention are shared out on a graphics card: nothing left out, nothing twice, and registers enough. */
import { describe, expect, test } from "vitest";
import {
  attentionBackwardCase,
  attentionCase,
  opCase,
} from "../../../src/engine/check/opMakers.ts";
import type { Matmul } from "../../../src/engine/plan/ops/layers.ts";
import { dispatchesOf } from "../../../src/engine/webgpu/kernels/index.ts";
import { productTile, sliceDepth } from "../../../src/engine/webgpu/kernels/matmulTile.ts";
import type { Dispatch } from "../../../src/engine/webgpu/shader.ts";

const card = { software: false };

/** A weight's gradient. */
function gradient(M: number, N: number, K: number, extra: Partial<Matmul> = {}): Matmul {
  const out = { store: "grads", offset: 0, size: M * N };
  const a = { store: "arena", offset: 0, size: K * M };
  const b = { store: "arena", offset: K * M, size: K * N };
  return { op: "matmul", layout: "TN", a, b, out, add: out, M, N, K, ...extra };
}

describe("slices of the depth", () => {
  const depths = [16, 64, 128, 132, 240, 768, 1000, 2044, 2048];
  test.each(depths)("cover %i once, in whole stages, none of them empty", (K) => {
    for (const M of [12, 64, 128, 384, 896]) {
      const op = gradient(M, 128, K);
      const tile = productTile(op);
      const [sums, onto] = dispatchesOf(op, card);
      if (tile.slices === 1) {
        expect(onto).toBeUndefined();
        continue;
      }
      const depth = sliceDepth(op, tile);
      const count = sums!.groups / sums!.dims["tiles"]!;
      expect(depth % tile.k).toBe(0);
      expect(count * depth).toBeGreaterThanOrEqual(K);
      expect((count - 1) * depth).toBeLessThan(K);
      expect(sums!.dims["depth"]).toBe(depth);
      expect(onto!.dims).toMatchObject({ P: count, n: M * 128 });
      const [partials] = onto!.operands;
      expect(sums!.operands.find(({ name }) => name === "out")!.view).toEqual(partials!.view);
      expect(partials!.view).toEqual({ store: "scratch", offset: 0, size: count * M * 128 });
    }
  });

  test("fill a card where tiles alone do not, and hold 6 MB of sums at most", () => {
    let sliced = 0;
    for (let M = 16; M <= 2048; M += 16)
      for (const N of [64, 128, 512, 1024]) {
        const [sums, onto] = dispatchesOf(gradient(M, N, 2048), card);
        if (!onto) continue;
        sliced++;
        // What a pass of 2048 tokens has, in slices of 64.
        expect(sums!.groups).toBeGreaterThanOrEqual(Math.min(96, 32 * sums!.dims["tiles"]!));
        expect(4 * onto.operands[0]!.view.size).toBeLessThan(6e6);
      }
    expect(sliced).toBeGreaterThan(100);
  });

  test("are for weights' gradients of many tokens alone", () => {
    const slices = (op: Matmul) => productTile(op).slices;
    expect(slices(gradient(128, 128, 2048))).toBe(32);
    expect(slices(gradient(128, 128, 112))).toBe(1);
    expect(slices(gradient(2048, 2048, 2048))).toBe(1);
    // Guarded loads, a bias, another addend: what no weight's gradient has.
    expect(slices(gradient(126, 128, 2048))).toBe(1);
    const other = { store: "arena", offset: 0, size: 128 };
    expect(slices(gradient(128, 128, 2048, { bias: other }))).toBe(1);
    expect(slices(gradient(128, 128, 2048, { add: other }))).toBe(1);
    expect(slices(gradient(128, 128, 2048, { layout: "NN" }))).toBe(1);
  });
});

/** Numbers that a thread declares as vectors of a kind. */
const declared = ({ body }: Dispatch, name: RegExp) =>
  4 * new Set([...body.matchAll(name)].map(([word]) => word)).size;

test("a thread sums up 16 or 32 numbers of a product", () => {
  const sums = (M: number, N: number, K: number) => {
    const op = gradient(M, N, K, { layout: "NT" });
    return declared(dispatchesOf(op, card)[0]!, /\bc\d+(?= = vec4f\(\))/g);
  };
  expect([sums(4, 64, 64), sums(64, 64, 64), sums(320, 320, 20)]).toEqual([16, 16, 16]);
  expect([sums(768, 768, 16), sums(2048, 384, 128)]).toEqual([32, 32]);
});

test.each([
  [16, 1],
  [32, 1],
  [40, 2],
  [64, 4],
  [128, 8],
  [256, 16],
])(
  "heads of %i: the gradient's threads keep 64 numbers at most, or the head is small",
  (d, parts) => {
    const heads = { H: 2, K: 1, d };
    const ops = [attentionCase([9], heads), attentionBackwardCase([9], heads)];
    const kernels = ops.flatMap((make) => dispatchesOf(opCase("", make, 1).op, card));
    expect(kernels).toHaveLength(3);
    const kept = kernels.map((one) => declared(one, /\b(?:[qkgvo]|dq|dk|dv)0_\d+(?= = )/g));
    if (d > 32) expect(Math.max(...kept)).toBeLessThanOrEqual(d === 40 ? 80 : 64);
    else expect(kept).toEqual([2 * d, 3 * d, 4 * d]);
    expect(kept[2]).toBe((4 * d) / parts);
  },
);
