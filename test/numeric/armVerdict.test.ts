/** Verdicts on simulated arms with known effects. */
import { describe, expect, test } from "vitest";
import { compareArms, judgeTables, profileOf, type Arm } from "../../src/numeric/armVerdict.ts";
import { valuesFor } from "../../src/numeric/significance.ts";
import { mean } from "../../src/numeric/statistics.ts";
import { uniforms } from "../../src/numeric/rng.ts";
import { EVERY } from "../every.ts";

const [SEEDS, LEVELS] = [5, 48];
/** Own method first, as in a study: six contrasts. */
const ARMS = 7;
/** The spread of a run's success, of a level's, and of what an arm does on a level. */
const [RUN, LEVEL, OWN_LEVEL] = [0.08, 0.4, 0.15];

/** Uniform of variance 1. */
const spread = (u: number) => (u - 0.5) * Math.sqrt(12);

/** One study: outcomes 0 or 1 of runs on levels; `ahead` is added to the first arm. [arms][seeds][levels] */
function outcomes(study: number, { ahead = 0, seeds = SEEDS, arms = ARMS }): number[][][] {
  const draw = (n: number, stream: string, at = 0) =>
    uniforms({ seed: study, stream, iteration: at, trajectory: 0, step: 0 }, n);
  const hard = draw(LEVELS, "levels");
  return Array.from({ length: arms }, (_, a) => {
    const own = draw(LEVELS, "own", a);
    const runs = draw(seeds, "runs", a);
    return Array.from(runs, (run, s) => {
      const play = draw(LEVELS, "play", 1000 * a + s);
      return Array.from(play, (u, l) => {
        const of = LEVEL * spread(hard[l]!) + OWN_LEVEL * spread(own[l]!) + RUN * spread(run);
        return Number(u < 0.5 + of / 2 + (a === 0 ? ahead : 0));
      });
    });
  });
}

function tablesOf([first, ...others]: number[][][]): number[][][] {
  return others.map((other) => first!.map((row, s) => row.map((x, l) => x - other[s]![l]!)));
}

test("of equal arms a study with 6 contrasts finds one higher in at most 5 % of studies", () => {
  const studies = EVERY ? 1000 : 150;
  let told = 0;
  let higher = 0;
  for (let study = 0; study < studies; study++) {
    const judged = judgeTables(tablesOf(outcomes(study, {})));
    if (judged.some(({ verdict }) => verdict === "higher")) higher++;
    if (judged.some(({ verdict }) => verdict !== "cannot tell")) told++;
  }
  expect(higher / studies).toBeLessThanOrEqual(0.05);
  expect(told / studies).toBeLessThanOrEqual(0.07);
});

test("the seeds that a study asks for find the effect about four times in five", () => {
  const ahead = 0.15;
  // What a large study measures of the spreads is what the promise is made of.
  const [large] = judgeTables(tablesOf(outcomes(1, { ahead, seeds: 400, arms: 2 })));
  expect(large!.verdict).toBe("higher");
  const seeds = large!.seeds!;
  const studies = EVERY ? 1000 : 150;
  const found = Array.from({ length: studies }, (_, study) =>
    judgeTables(tablesOf(outcomes(5000 + study, { ahead, seeds, arms: 2 }))),
  ).filter(([one]) => one!.verdict === "higher").length;
  expect(found / studies).toBeGreaterThan(0.7);
  expect(found / studies).toBeLessThan(0.97);
});

describe("contrasts", () => {
  const arm = (name: string, scores: number[][]): Arm => ({ name, scores });

  test("are the same again, and say what they rest on", () => {
    const arms = outcomes(3, { ahead: 0.3, arms: 3 }).map((scores, a) => arm("abc"[a]!, scores));
    const pairs = [
      ["a", "b"],
      ["a", "c"],
    ] as const;
    const found = compareArms(arms, pairs);
    expect(compareArms(arms, pairs)).toEqual(found);
    for (const one of found) {
      expect(one.verdict).toBe("higher");
      expect(one.interval.low).toBeGreaterThan(0);
      expect(one.interval.low).toBeLessThan(one.mean);
      expect(one.interval.high).toBeGreaterThan(one.mean);
      expect(one.improvement).toBe(1);
      expect(one.holm).toBeGreaterThanOrEqual(one.p);
    }
    const [back] = compareArms(arms, [["b", "a"]]);
    expect(back).toMatchObject({ verdict: "lower", improvement: 0 });
    expect(back!.mean).toBeCloseTo(-found[0]!.mean, 12);
  });

  test("levels count as a sample: a gain on one of many levels does not carry over", () => {
    const zero = Array.from({ length: 5 }, () => [0, 0, 0, 0, 0, 0]);
    const one = zero.map((row, s) => [1, ...row.slice(1)].map((x) => x + s * 1e-6));
    const [found] = compareArms([arm("a", one), arm("b", zero)], [["a", "b"]]);
    expect(found!.verdict).toBe("cannot tell");
    expect(found!.interval.low).toBeLessThan(0.001);
    // More seeds on these levels would not help.
    expect(found!.seeds).toBeNull();
  });

  test("of arms that are the same cannot be told, by any number of seeds", () => {
    const same = outcomes(4, { arms: 1 })[0]!;
    const [found] = compareArms([arm("a", same), arm("b", same)], [["a", "b"]]);
    expect(found).toMatchObject({ mean: 0, p: 1, verdict: "cannot tell", seeds: null });
    expect(found!.improvement).toBe(0.5);
  });

  test("of one level are a paired t test", () => {
    const a = [0.5, 0.7, 0.6, 0.9];
    const [found] = judgeTables([a.map((x) => [x])]);
    expect(found!.mean).toBeCloseTo(mean(a), 12);
    // t = 0.675 / (0.1708 / 2) = 7.90 with 3 degrees of freedom.
    expect(found!.p).toBeCloseTo(0.0042, 4);
    expect(found!.seeds).toBe(valuesFor(0.675 / 0.17078251));
  });

  test("need two seeds, and the same levels", () => {
    const pairs = [["a", "b"]] as const;
    expect(() => compareArms([arm("a", [[1]]), arm("b", [[0]])], pairs)).toThrow("two or more");
    const uneven = [
      arm("a", [[1], [1]]),
      arm("b", [
        [0, 1],
        [1, 1],
      ]),
    ];
    expect(() => compareArms(uneven, pairs)).toThrow("same levels");
  });
});

test("a profile is the share of runs that reach each score", () => {
  const scores = [
    [0, 0],
    [0, 1],
    [1, 1],
    [1, 1],
  ];
  expect(profileOf({ scores }, [0, 0.5, 0.6, 1])).toEqual([1, 0.75, 0.5, 0.5]);
});
