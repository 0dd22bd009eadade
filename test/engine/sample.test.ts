import { describe, expect, it } from "vitest";
import { drawToken, legalBits, type SamplingRule } from "../../src/engine/sample.ts";

const logits = Float32Array.of(1, 3, 2, -1, 3, 0); // two likeliest: 1 and 4
const key = (step: number) => ({ seed: 1, stream: "test", iteration: 0, trajectory: 0, step });

function histogram(rule: SamplingRule, draws = 4000): number[] {
  const counts = new Array<number>(logits.length).fill(0);
  for (let step = 0; step < draws; step++) counts[drawToken(logits, rule, key(step)).id]!++;
  return counts.map((n) => n / draws);
}

function softmax(temperature: number): number[] {
  const e = [...logits].map((z) => Math.exp(z / temperature));
  const sum = e.reduce((a, b) => a + b);
  return e.map((x) => x / sum);
}

describe("drawToken", () => {
  it.each([0.5, 1, 2])("draws in proportion to softmax(logits / %f)", (temperature) => {
    const [got, expected] = [histogram({ temperature }), softmax(temperature)];
    got.forEach((share, id) => expect(Math.abs(share - expected[id]!)).toBeLessThan(0.025));
  });

  it("reports the log-prob over the full vocabulary, whatever was cut", () => {
    const { id, logprob } = drawToken(logits, { temperature: 2, topK: 2, topP: 0.9 }, key(0));
    expect(logprob).toBeCloseTo(Math.log(softmax(2)[id]!), 12);
  });

  it("is greedy at temperature 0, ties to the smaller id, log-prob at temperature 1", () => {
    const { id, logprob } = drawToken(logits, { temperature: 0 }, key(0));
    expect(id).toBe(1);
    expect(logprob).toBeCloseTo(Math.log(softmax(1)[1]!), 12);
  });

  it("keeps the k likeliest, ties to the smaller id", () => {
    const got = histogram({ temperature: 1, topK: 3 });
    expect(got.map((share) => share > 0)).toEqual([false, true, true, false, true, false]);
    expect(histogram({ temperature: 1, topK: 1 })[1]).toBe(1);
  });

  it("keeps the smallest nucleus that reaches topP", () => {
    // softmax: 0.053 0.390 0.143 0.007 0.390 0.019
    const kept = (topP: number) =>
      histogram({ temperature: 1, topP }).flatMap((s, id) => (s > 0 ? [id] : []));
    expect(kept(0.3)).toEqual([1]);
    expect(kept(0.7)).toEqual([1, 4]);
    expect(kept(0.9)).toEqual([1, 2, 4]);
  });

  it("takes the nucleus of what top-k left", () => {
    const rule = { temperature: 1, topK: 2, topP: 0.6 };
    expect(histogram(rule).map((share) => share > 0)).toEqual([
      false,
      true,
      false,
      false,
      true,
      false,
    ]);
    expect(histogram({ ...rule, topP: 0.5 })[1]).toBe(1);
  });

  it("draws legal ids only, in proportion, and counts the others in the log-prob", () => {
    const legal = legalBits([0, 2, 3], logits.length);
    const all = softmax(1);
    const mass = all[0]! + all[2]! + all[3]!;
    const got = histogram({ temperature: 1, legal });
    expect([1, 4, 5].map((id) => got[id])).toEqual([0, 0, 0]);
    for (const id of [0, 2, 3]) expect(Math.abs(got[id]! - all[id]! / mass)).toBeLessThan(0.025);
    const greedy = drawToken(logits, { temperature: 0, legal }, key(0));
    expect(greedy.id).toBe(2);
    expect(greedy.logprob).toBeCloseTo(Math.log(all[2]!), 12);
    expect(histogram({ temperature: 1, topK: 1, legal }, 50)[2]).toBe(1);
  });

  it("draws a legal id however unlikely it is", () => {
    const far = Float32Array.of(5000, -5000, 0, -5001);
    const legal = legalBits([1, 3], far.length);
    const ids = new Set(
      Array.from({ length: 100 }, (_, s) => drawToken(far, { temperature: 1, legal }, key(s)).id),
    );
    expect([...ids].sort()).toEqual([1, 3]);
  });

  it("names a legal id that the vocabulary does not have, and an empty list", () => {
    expect(() => legalBits([2, 6], 6)).toThrow("legal lists token 6; allowed: 0 to 5");
    expect(() => legalBits([], 6)).toThrow("at least one");
  });

  it("depends on the key alone", () => {
    const rule = { temperature: 1 };
    expect(drawToken(logits, rule, key(7))).toEqual(drawToken(logits, rule, key(7)));
    const ids = new Set(Array.from({ length: 50 }, (_, s) => drawToken(logits, rule, key(s)).id));
    expect(ids.size).toBeGreaterThan(2);
  });

  it("refuses logits that are not finite", () => {
    expect(() => drawToken(Float32Array.of(1, NaN), { temperature: 1 }, key(0))).toThrow(
      "not finite",
    );
    expect(() => drawToken(Float32Array.of(1, Infinity), { temperature: 1 }, key(0))).toThrow(
      "not finite",
    );
  });
});
