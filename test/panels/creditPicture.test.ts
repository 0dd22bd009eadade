import { describe, expect, it } from "vitest";
import { DRAWN, exampleBatch, exampleCredit } from "../../src/panels/algorithms/example.ts";
import { algorithmNames, resolveAlgorithm } from "../../src/spec/algorithms.ts";

const batch = exampleBatch();
const creditOf = (name: string) => exampleCredit(resolveAlgorithm(name), batch);

describe("the picture of credits", () => {
  it.each(algorithmNames)("%s credits every token of the drawn rollout", (name) => {
    const { turns } = creditOf(name);
    expect(turns.map((tokens) => tokens.length)).toEqual(DRAWN.map(({ tokens }) => tokens.length));
    for (const value of turns.flat()) expect(Number.isFinite(value)).toBe(true);
  });

  it("says what unit each of the main methods credits", () => {
    expect(creditOf("grpo").unit).toBe("episode");
    expect(creditOf("turn-ppo").unit).toBe("turn");
    expect(creditOf("token-ppo").unit).toBe("token");
    expect(creditOf("gigpo").unit).toBe("turn");
  });

  it("gives GRPO's credit by hand: the score less the group's mean, by its spread", () => {
    const scores = [10.6, -0.3, 10.8, -0.3];
    const mean = scores.reduce((a, b) => a + b) / 4;
    const spread = Math.sqrt(scores.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 3);
    expect(creditOf("grpo").turns[0]![0]).toBeCloseTo((10.6 - mean) / (spread + 1e-6), 9);
  });
});
