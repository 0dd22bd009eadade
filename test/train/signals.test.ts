/** Columns that only some rows ask the model for. */
import { expect, test } from "vitest";
import { squaredProbabilities } from "../../src/train/signals.ts";
import { language } from "../engine/learning.ts";
import { nano, nanoWeights } from "../engine/support.ts";
import { wasmEngine } from "./support.ts";

test("sums of squared probabilities are those of the whole distribution, at the sampling temperature", async () => {
  const actor = await (await wasmEngine()).createModel(nano, nanoWeights(4), "none");
  const rows = language(1);
  const temperature = 0.7;
  const tokenAt = Int32Array.of(1, 4, rows.L + 2, rows.L + 7); // [N]
  const { logprob, logits } = await actor.forward({ rows, temperature, logits: true });
  const old = Float64Array.from(tokenAt, (at) => logprob[at]!);
  const V = nano.vocabSize;
  const exact = Array.from(tokenAt, (at) => {
    const weights = [...logits!.subarray((at - 1) * V, at * V)].map((x) =>
      Math.exp(x / temperature),
    );
    const total = weights.reduce((sum, w) => sum + w, 0);
    return weights.reduce((sum, w) => sum + (w / total) ** 2, 0);
  });
  const { sumPiSquared } = await squaredProbabilities(actor, { rows, temperature }, tokenAt, old);
  exact.forEach((x, n) => expect(sumPiSquared![n]! / x).toBeCloseTo(1, 4));
  expect(new Set(exact).size).toBe(4);
  actor.dispose();
});
