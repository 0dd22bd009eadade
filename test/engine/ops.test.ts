/** The hand-derived gradients against tfjs's own autodiff of the plain formulas, on cpu and wasm. */
import * as tf from "@tensorflow/tfjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { causalAttention } from "../../src/engine/tfjs/attention.ts";
import { Constants, MASKED } from "../../src/engine/tfjs/constants.ts";
import { logitGradients, policyOutputs } from "../../src/engine/tfjs/heads.ts";
import {
  add,
  applyRope,
  embed,
  linear,
  reshape,
  rmsNorm,
  ropeAngles,
  swiGlu,
  transpose,
} from "../../src/engine/tfjs/ops.ts";
import { batchedProduct, gatherRows, piece } from "../../src/engine/tfjs/wasmKernels.ts";
import { farthest, openEngine } from "./support.ts";

type Inputs = Record<string, tf.Tensor>;
type Formula = (x: Inputs) => tf.Tensor;

/** Value and gradients of both, along the same random upstream gradient. */
function expectSame(inputs: Inputs, ours: Formula, plain: Formula): void {
  const names = Object.keys(inputs);
  const xs = Object.values(inputs);
  const dy = tf.randomNormal(plain(inputs).shape, 0, 1, "float32", 3);
  const run = (f: Formula) => ({
    value: f(inputs).dataSync(),
    grads: tf
      .grads(() => f(inputs))(xs, dy)
      .map((g) => g.dataSync()),
  });
  const [a, b] = [run(ours), run(plain)];
  expect(farthest(a.value as Float32Array, b.value as Float32Array)).toBeLessThan(1e-5);
  names.forEach((name, i) => {
    expect(
      b.grads[i]!.some((g) => Math.abs(g) > 1e-3),
      name,
    ).toBe(true);
    expect(farthest(a.grads[i] as Float32Array, b.grads[i] as Float32Array), name).toBeLessThan(
      2e-5,
    );
  });
}

const noise = (seed: number, ...shape: number[]) => tf.randomNormal(shape, 0, 1, "float32", seed);

describe.each(["cpu", "wasm"] as const)("on %s", (backend) => {
  let k: Constants;
  beforeAll(async () => {
    await openEngine(backend);
    await tf.setBackend(backend);
    k = new Constants();
  });
  afterAll(() => k.dispose());

  const check = (name: string, body: () => void) => test(name, () => void tf.tidy(body));

  check("linear with bias", () => {
    const inputs = { x: noise(1, 7, 6), w: noise(2, 5, 6), b: noise(3, 5) };
    const matrix = { w: inputs.w as tf.Tensor2D, wT: tf.transpose(inputs.w) as tf.Tensor2D };
    expectSame(
      inputs,
      ({ x, b }) => linear(x as tf.Tensor2D, matrix, b as tf.Tensor1D),
      ({ x, w, b }) => tf.add(tf.matMul(x as tf.Tensor2D, w as tf.Tensor2D, false, true), b!),
    );
  });

  check("reshape, transpose and a sum that uses one tensor twice", () => {
    expectSame(
      { x: noise(1, 4, 6), y: noise(2, 6, 4) },
      ({ x, y }) =>
        add(
          add(transpose(reshape(x!, [2, 2, 6]), [2, 1, 0]), reshape(y!, [6, 2, 2])),
          reshape(y!, [6, 2, 2]),
        ),
      ({ x, y }) =>
        tf.add(
          tf.transpose(tf.reshape(x!, [2, 2, 6]), [2, 1, 0]),
          tf.mul(tf.reshape(y!, [6, 2, 2]), 2),
        ),
    );
  });

  check("RMSNorm", () => {
    expectSame(
      { x: noise(1, 7, 6), w: noise(2, 6) },
      ({ x, w }) => rmsNorm(k, x as tf.Tensor2D, w as tf.Tensor1D, 1e-3),
      ({ x, w }) =>
        tf.mul(tf.mul(x!, tf.rsqrt(tf.add(tf.mean(tf.square(x!), -1, true), 1e-3))), w!),
    );
  });

  check("SwiGLU", () => {
    expectSame(
      { g: noise(1, 7, 6), u: noise(2, 7, 6) },
      ({ g, u }) => swiGlu(k, g as tf.Tensor2D, u as tf.Tensor2D),
      ({ g, u }) => tf.mul(tf.mul(g!, tf.sigmoid(g!)), u!),
    );
  });

  check("RoPE", () => {
    const angles = ropeAngles(k, 100, 4, Int32Array.of(0, 1, 5, 2, 300));
    const [cos, sin] = [angles.cos, angles.sin];
    const half = (x: tf.Tensor, at: number) => tf.slice(x, [0, 0, at], [5, 3, 2]);
    expectSame(
      { x: noise(1, 5, 3, 4) },
      ({ x }) => applyRope(k, x as tf.Tensor3D, angles),
      ({ x }) =>
        tf.add(tf.mul(x!, cos), tf.mul(tf.concat([tf.neg(half(x!, 2)), half(x!, 0)], 2), sin)),
    );
    // Position 5, second frequency 100^(-1/2): the angle is half a radian.
    expect(cos.dataSync()[2 * 4 + 1]).toBeCloseTo(Math.cos(0.5), 6);
    expect(sin.dataSync()[4 * 4 + 2]).toBeCloseTo(Math.sin(300), 6);
  });

  check("attention of grouped queries", () => {
    const [Z, G, T, d] = [3, 2, 5, 4];
    const mask = tf.tensor2d(
      Float32Array.from({ length: G * T * T }, (_, i) =>
        i % T > Math.floor(i / T) % T ? MASKED : 0,
      ),
      [G * T, T],
    );
    expectSame(
      { q: noise(1, Z, G * T, d), k: noise(2, Z, T, d), v: noise(3, Z, T, d) },
      ({ q, k: key, v }) =>
        causalAttention(k, q as tf.Tensor3D, key as tf.Tensor3D, v as tf.Tensor3D),
      ({ q, k: key, v }) => {
        const scores = tf.div(
          tf.matMul(q as tf.Tensor3D, key as tf.Tensor3D, false, true),
          Math.sqrt(d),
        );
        return tf.matMul(tf.softmax(tf.add(scores, mask)), v as tf.Tensor3D);
      },
    );
  });

  test.each([20, 2000])("embedding of a vocabulary of %i", (V) => {
    tf.tidy(() => {
      const table = noise(1, V, 3) as tf.Tensor2D;
      const ids = Int32Array.of(4, 0, 4, V - 1);
      expect([...embed(table, ids).dataSync()]).toEqual([
        ...tf.gather(table, tf.tensor1d(ids, "int32")).dataSync(),
      ]);
      const dy = noise(2, 4, 3);
      const [grad] = tf.grads(() => embed(table, ids))([table], dy);
      const expected = new Float32Array(V * 3);
      dy.dataSync().forEach((g, i) => (expected[ids[Math.floor(i / 3)]! * 3 + (i % 3)]! += g));
      expect(farthest(grad!.dataSync() as Float32Array, expected)).toBeLessThan(1e-6);
    });
  });

  check("log-prob, entropy and KL of the head", () => {
    const [M, D, V] = [4, 3, 6];
    const [w, wr] = [noise(1, V, D) as tf.Tensor2D, noise(2, V, D) as tf.Tensor2D];
    const head = { w, wT: tf.transpose(w) as tf.Tensor2D };
    const reference = {
      h: noise(3, M, D) as tf.Tensor2D,
      head: { w: wr, wT: tf.transpose(wr) as tf.Tensor2D },
    };
    const labels = tf.tensor1d([0, 5, 2, 2], "int32");
    const h = noise(4, M, D) as tf.Tensor2D;
    const request = { h, head, labels, temperature: 0.7, reference };
    const ref = tf.logSoftmax(tf.div(tf.matMul(reference.h, reference.head.wT), 0.7)); // [M, V]
    const plain = (z: tf.Tensor) => {
      const logp = tf.logSoftmax(tf.div(z, 0.7)); // [M, V]
      return tf.stack([
        tf.sum(tf.mul(logp, tf.oneHot(labels, V)), -1),
        tf.neg(tf.sum(tf.mul(tf.exp(logp), logp), -1)),
        tf.sum(tf.mul(tf.exp(ref), tf.sub(ref, logp)), -1),
      ]); // [3, M]
    };
    const z = tf.matMul(h, head.wT); // [M, V]
    expect(
      farthest(
        policyOutputs(k, request, true).dataSync() as Float32Array,
        plain(z).dataSync() as Float32Array,
      ),
    ).toBeLessThan(1e-5);
    const d = noise(5, 3, M); // [3, M]
    const [expected] = tf.grads((z) => plain(z as tf.Tensor))([z], d);
    const [dLogprob, dEntropy, dKl] = tf
      .unstack(d)
      .map((row) => tf.reshape(row, [M, 1]) as tf.Tensor2D);
    const got = logitGradients(k, request, { dLogprob: dLogprob!, dEntropy: dEntropy!, dKl: dKl! });
    expect(
      farthest(got.dataSync() as Float32Array, expected!.dataSync() as Float32Array),
    ).toBeLessThan(1e-5);
  });

  check("batched product, row gathering and pieces", () => {
    const [a, b] = [noise(1, 5, 7, 3), noise(2, 5, 3, 9)];
    const product = batchedProduct(a, b);
    expect(product.shape).toEqual([5, 7, 9]);
    const [av, bv] = [a.dataSync(), b.dataSync()];
    const expected = Array.from({ length: 5 * 7 * 9 }, (_, at) => {
      const [z, i, j] = [Math.floor(at / 63), Math.floor(at / 9) % 7, at % 9];
      return [0, 1, 2].reduce(
        (sum, s) => sum + av[(z * 7 + i) * 3 + s]! * bv[(z * 3 + s) * 9 + j]!,
        0,
      );
    });
    expect(farthest(product.dataSync() as Float32Array, expected)).toBeLessThan(1e-5);
    expect([...piece(tf.reshape(a, [105]), 10, 4).dataSync()]).toEqual([...av.slice(10, 14)]);
    const rows = gatherRows(tf.reshape(a, [35, 3]), Int32Array.of(34, 0, 34));
    expect([...rows.dataSync()]).toEqual([...av.slice(102), ...av.slice(0, 3), ...av.slice(102)]);
  });
});
