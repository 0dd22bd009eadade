/** Which level seeds belong to which run: none to two, as long as no run needs over a million levels. */
import { expect, test } from "vitest";
import { LevelSeeds } from "../../src/train/levels.ts";
import { candidatesOfRun, candidatesToClone, type Candidates } from "../../src/train/levels.ts";

const MILLION = 1_000_000;
const SEEDS = Array.from({ length: 2001 }, (_, seed) => seed);
/** From revision 2 on the levels of seeds 1 to 1,000 lie elsewhere from this number on. */
const LOW = 28_274;

/** Seeds of one use, both ends included. */
interface Range {
  use: string;
  first: number;
  last: number;
}

const tries = (candidates: Candidates, count: number) => {
  const found: number[] = [];
  for (const seed of candidates()) if (found.push(seed) === count) break;
  return found;
};

type Of = (n: number) => Candidates;

/** The t-th candidates of levels `from` to `to` lie side by side: one range for each t below `count`. */
function ranges(use: string, of: Of, from: number, to: number, count: number): Range[] {
  const middle = Math.floor((from + to) / 2);
  const [low, mid, high] = [from, middle, to].map((n) => tries(of(n), count));
  expect(mid).toEqual(low!.map((first) => first + middle - from));
  return low!.map((first, t) => ({ use: `${use}, try ${t}`, first, last: high![t]! }));
}

/** Replacements that come round: level 0 begins with the first of them, level 72,999 with the last. */
function spare(use: string, of: Of, counts: readonly [number, number], last: number): Range {
  const [from, to] = [0, last].map((n, i) => tries(of(n), counts[i]! + 1).at(-1)!);
  return { use: `${use}, spare`, first: from!, last: to! };
}

/** Where the levels of a run may lie. */
function rangesOf(seed: number): Range[] {
  const of = candidatesOfRun(seed, 2);
  const isOld = seed >= 1 && seed <= 1000;
  const low = isOld ? ranges(`run ${seed}`, of, 0, LOW - 1, 35) : [];
  const high = ranges(`run ${seed}`, of, isOld ? LOW : 0, MILLION - 1, 1);
  return [...low, ...high, spare(`run ${seed}`, of, [isOld ? 35 : 1, 1], 72_999)];
}

test.each([0, 1, 1000, 1001, 2000])(
  "replacements of seed %i come round within one range",
  (seed) => {
    const { first, last } = rangesOf(seed).at(-1)!;
    const isLow = (n: number) => seed >= 1 && seed <= 1000 && n < LOW;
    const found = [0, 17, LOW - 1, LOW, 500_000, MILLION - 1].flatMap((n) =>
      [...candidatesOfRun(seed, 2)(n)()].slice(isLow(n) ? 35 : 1),
    );
    expect(Math.min(...found)).toBeGreaterThanOrEqual(first);
    expect(Math.max(...found)).toBeLessThanOrEqual(last);
  },
);

test("no level seed belongs to two runs of seeds 0 to 2,000, replacements and cloned levels included", () => {
  const toClone = candidatesToClone(2);
  const all = [
    ...SEEDS.flatMap(rangesOf),
    ...ranges("cloning", toClone, 0, 99_999, 10),
    { ...spare("cloning", toClone, [10, 10], 99_999), last: 2 ** 32 - 1 },
  ].sort((a, b) => a.first - b.first);
  expect(all).toHaveLength(1000 * 35 + 2001 * 2 + 11);
  const meet = all.filter(({ last }, i) => last >= (all[i + 1]?.first ?? 2 ** 32));
  expect(meet.slice(0, 3)).toEqual([]);
});

const fresh = { tasks: 4, episodes: 128, pool: 0 };
const boardOf = (seed: number) => `board ${seed}`;

test.each([
  [1, [10_000, 10_001, 10_002, 10_003]],
  [2, [1_010_000, 1_010_001, 1_010_002, 1_010_003]],
  [1000, [999_010_000, 999_010_001, 999_010_002, 999_010_003]],
])("a run of seed %i has the levels that it always had, in either revision", (seed, expected) => {
  const levels = new LevelSeeds(boardOf);
  expect(levels.train(seed, 1, fresh)).toEqual(expected);
  expect(levels.train(seed, 1, { ...fresh, revision: 2 })).toEqual(expected);
  expect(levels.clone(2)).toEqual(levels.clone(2, 2));
});

test("a held-out board is replaced by the level that always replaced it", () => {
  const isHeld = (seed: number) => seed === 10_001 || seed === 10_001 + 15_485_863;
  const levels = new LevelSeeds((seed) => (isHeld(seed) || seed === 123 ? "held" : boardOf(seed)));
  levels.heldOut(1);
  const expected = [10_000, 10_001 + 2 * 15_485_863, 10_002, 10_003];
  expect(levels.train(1, 1, fresh)).toEqual(expected);
  expect(levels.train(1, 1, { ...fresh, revision: 2 })).toEqual(expected);
});

test("seeds that shared levels have their own since revision 2; old links play as they did", () => {
  const levels = new LevelSeeds(boardOf);
  for (const [one, other] of [
    [0, 1000],
    [1, 1001],
    [1000, 2000],
  ] as const) {
    expect(levels.train(one, 1, fresh)).toEqual(levels.train(other, 1, fresh));
    const [a, b] = [one, other].map((seed) => levels.train(seed, 1, { ...fresh, revision: 2 }));
    expect(a!.filter((seed) => b!.includes(seed))).toEqual([]);
  }
  // The millionth level of seed 1 was the first of seed 2.
  const late = { tasks: 1, episodes: MILLION, pool: 0 };
  expect(levels.train(1, 2, late)).toEqual(levels.train(2, 1, late));
  const last = levels.train(1, 1, { tasks: MILLION, episodes: MILLION, pool: 0, revision: 2 });
  expect(new Set(last).size).toBe(MILLION);
});
