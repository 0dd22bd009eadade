/** Weights that arrive in pieces: the same model as from whole tensors, and nothing left of one that fails. */
import { describe, expect, test } from "vitest";
import type { WeightPiece } from "../../src/engine/engine.ts";
import { nano, nanoWeights, openEngine } from "./support.ts";

const weights = nanoWeights(3);

/** Pieces of a third of each tensor, in one reused array, the last tensor first. */
async function* piecesOf(fail?: string): AsyncGenerator<WeightPiece> {
  const reused = new Float32Array(2 ** 16);
  for (const [name, { data }] of [...weights].reverse()) {
    const third = Math.ceil(data.length / 3);
    for (let at = 0; at < data.length; at += third) {
      const part = data.subarray(at, at + third);
      reused.set(part);
      if (name === fail && at > 0) throw new Error("the disk is gone");
      yield { name, at, data: reused.subarray(0, part.length) };
    }
  }
}

describe.each(["plan wasm", "plan webgpu"] as const)("%s", (name) => {
  test("is the model of createModel, bit for bit", async () => {
    const engine = await openEngine(name);
    const model = await engine.streamModel!(nano, piecesOf(), "none");
    expect(await model.readWeights()).toEqual(weights);
    const whole = await engine.createModel(nano, weights, "none");
    const ids = Int32Array.of(1, 2, 3, 4);
    const rows = { B: 1, L: 4, ids, position: ids.map((i) => i - 1), segment: new Int32Array(4) };
    const [a, b] = [
      await model.forward({ rows, temperature: 1 }),
      await whole.forward({ rows, temperature: 1 }),
    ];
    expect(a).toEqual(b);
    engine.dispose();
  });

  test("holds nothing of a model whose pieces end in an error, or lack a tensor", async () => {
    const engine = await openEngine(name);
    const before = engine.memory().bytes;
    const failing = engine.streamModel!(nano, piecesOf("model.norm.weight"), "none");
    await expect(failing).rejects.toThrow("the disk is gone");
    async function* cut() {
      for await (const piece of piecesOf()) if (piece.name !== "model.norm.weight") yield piece;
    }
    const lacking = engine.streamModel!(nano, cut(), "none");
    await expect(lacking).rejects.toThrow("weight model.norm.weight is missing");
    // A device keeps the small buffer that its numbers are read through.
    expect(engine.memory().bytes).toBeLessThan(before + 2 ** 14);
    engine.dispose();
  });

  test("says what a model takes, and refuses one that does not fit with what would", async () => {
    const engine = await openEngine(name);
    const plan = engine.memoryPlan!(nano, "none", 8);
    expect(Object.keys(plan)).toEqual(["parameters", "rope tables", "working memory"]);
    expect(plan["parameters"]).toBeGreaterThanOrEqual(
      4 * [...weights.values()].reduce((sum, { data }) => sum + data.length, 0),
    );
    const huge = { ...nano, layers: 1000, hiddenSize: 4096, intermediateSize: 16384 };
    expect(() => engine.memoryPlan!(huge, "none", 8)).toThrow(/at most \d+ parameters would fit/);
    const wide = { ...nano, vocabSize: 2 ** 20, hiddenSize: 64 };
    expect(() => engine.memoryPlan!(wide, "none", 4096)).toThrow(/at most \d+ tokens would fit/);
    engine.dispose();
  });
});
