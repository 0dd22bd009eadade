import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildPairs, splitPairs } from "../../../src/train/preference/pairs.ts";

const scored = (text: string) =>
  text.split(" ").map((word) => ({ task: word[0]!, reward: Number(word.slice(1)) }));

const anyScored = fc.array(
  fc.record({ task: fc.constantFrom("a", "b", "c", "d"), reward: fc.integer({ min: -2, max: 3 }) }),
  { minLength: 1, maxLength: 30 },
);

describe("pairs", () => {
  it("are of one task, best against worst first", () => {
    const pairs = buildPairs(scored("a1 a5 b2 a3 a0 b2 b9"), 3);
    expect(pairs).toEqual([
      { task: "a", chosen: 1, rejected: 4, gap: 5 },
      { task: "a", chosen: 3, rejected: 0, gap: 2 },
      { task: "b", chosen: 6, rejected: 5, gap: 7 },
    ]);
  });
  it("drop ties, and tasks played once", () => {
    expect(buildPairs(scored("a1 a1 a1 b2 c1 c1"), 9)).toEqual([]);
    // The second best ties with the second worst.
    expect(buildPairs(scored("a2 a1 a1 a0"), 2)).toHaveLength(1);
    // So do returns that are nearer than asked.
    expect(buildPairs(scored("a9 a3 a2 a0 b4 b0"), 2, 5).map(({ gap }) => gap)).toEqual([9]);
    expect(buildPairs(scored("a9 a3 a2 a0 b4 b0"), 2, 4).map(({ gap }) => gap)).toEqual([9, 4]);
  });
  it("never more than asked, never a rollout twice, always the better one chosen", () => {
    fc.assert(
      fc.property(anyScored, fc.integer({ min: 1, max: 5 }), (rollouts, most) => {
        const pairs = buildPairs(rollouts, most);
        const used = pairs.flatMap(({ chosen, rejected }) => [chosen, rejected]);
        expect(new Set(used).size).toBe(used.length);
        for (const { task, chosen, rejected, gap } of pairs) {
          expect([rollouts[chosen]!.task, rollouts[rejected]!.task]).toEqual([task, task]);
          expect(gap).toBe(rollouts[chosen]!.reward - rollouts[rejected]!.reward);
          expect(gap).toBeGreaterThan(0);
        }
        for (const task of ["a", "b", "c", "d"]) {
          const own = pairs.filter((pair) => pair.task === task);
          const returns = rollouts.filter((r) => r.task === task).map(({ reward }) => reward);
          expect(own.length).toBeLessThanOrEqual(most);
          const spread = Math.max(...returns) - Math.min(...returns);
          if (returns.length > 0) expect(own[0]?.gap ?? 0).toBe(spread);
        }
      }),
    );
  });
});

describe("held-out pairs", () => {
  it("are of tasks that are not trained on, about the share asked for, and never all", () => {
    fc.assert(
      fc.property(anyScored, fc.double({ min: 0, max: 0.9, noNaN: true }), (rollouts, share) => {
        const pairs = buildPairs(rollouts, 3);
        const { train, heldOut } = splitPairs(pairs, share, 1, 1);
        expect([...train, ...heldOut].toSorted((a, b) => a.chosen - b.chosen)).toEqual(
          pairs.toSorted((a, b) => a.chosen - b.chosen),
        );
        const trained = new Set(train.map(({ task }) => task));
        const out = new Set(heldOut.map(({ task }) => task));
        expect([...out].some((task) => trained.has(task))).toBe(false);
        const tasks = trained.size + out.size;
        if (tasks > 0) expect(trained.size).toBeGreaterThan(0);
        expect(Math.abs(out.size - share * tasks)).toBeLessThanOrEqual(1);
      }),
    );
  });
  it("depend on the seed and the round", () => {
    const many = Array.from({ length: 60 }, (_, i) => ({ task: `t${i >> 1}`, reward: i % 2 }));
    const pairs = buildPairs(many, 1);
    const names = (seed: number, round: number) =>
      splitPairs(pairs, 0.5, seed, round)
        .heldOut.map(({ task }) => task)
        .join();
    expect(names(1, 1)).toBe(names(1, 1));
    expect(new Set([names(1, 1), names(2, 1), names(1, 2)]).size).toBe(3);
  });
});
