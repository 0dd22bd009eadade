import { describe, expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { explorations } from "../../../src/panels/explore/explorations.ts";
import type { ExploreData, Standing } from "../../../src/panels/explore/exploration.ts";
import { readOpening } from "../../../src/reading/opening.ts";

const opening = readOpening(readFileSync("public/figures/opening.json", "utf8"));
const data: ExploreData = {
  rewards: opening.turns.map(({ reward }) => reward),
  values: [1, 2, 4, 8],
  truth: opening.truth.advantage,
  half: opening.truth.high.map((high, h) => (high - opening.truth.low[h]!) / 2),
  differences: [-9.8, 7.4, 5.1, 5.5, 1.6],
  potentials: [-2, -4, -3, -1],
  branches: opening.truth.branches,
  logRatios: [0.1, -0.3, 0.25, 0.05],
  lengths: [1, 2, 1],
  tokenValues: [1, 0, 2, 1, 3, 4, 5, 6],
  logits: [2, 1, 0, -1, -1],
  tokens: ["Up", "Down", "Left"],
};
/** Data of a figure's own: as many turns as rewards, what a solved and a failed episode earn, chances. */
const OWN: Record<string, ExploreData> = {
  clocks: { lengths: [2, 1, 2, 3] },
  batches: { rewards: [10.7, -0.8] },
  context: { lengths: [259, 126] },
  mask: { tokens: ["a", "b", "c", "d", "e"], lengths: [1, 3, 1] },
  worth: { chances: [0.5, 0.1, 0.2], rewards: [10.7, -0.8] },
  length: {
    measured: [
      [4, 0.5, 0.1],
      [64, 1, 0.02],
    ],
  },
  tilt: { chances: [0.6, 0.3, 0.1], rewards: [0, 1, 2] },
  pass: { chances: [0.8, 0.6, 0.2] },
};
const dataOf = (name: string): ExploreData => ({ ...data, ...OWN[name] });
const startOf = (name: string): Record<string, number> =>
  Object.fromEntries(explorations[name]!.handles.map(({ id, start }) => [id, start]));
const shown = (name: string, at: Standing = {}) =>
  explorations[name]!.show({ ...startOf(name), ...at }, dataOf(name));
const rowOf = (name: string, row: string, at?: Standing) =>
  shown(name, at).rows.find((one) => one.name === row)!.values;

describe.each(Object.keys(explorations))("the figure %s", (name) => {
  const { handles, show } = explorations[name]!;

  it("has as many numbers as columns at every setting of its handles, and says so in words", () => {
    for (const { id, low, high, step } of handles)
      for (let value = low; value <= high + 1e-9; value += step) {
        const { columns, rows, says } = show({ ...startOf(name), [id]: value }, dataOf(name));
        for (const { values, half = values } of rows) {
          expect(values).toHaveLength(columns.length);
          expect(half).toHaveLength(columns.length);
          expect(values.every((x) => x === null || Number.isFinite(x))).toBe(true);
        }
        expect(says).not.toMatch(/NaN|undefined|not a number/);
        expect(says.length).toBeGreaterThan(20);
      }
  });

  it("moves with every handle", () => {
    for (const { id, low, high } of handles) {
      const [a, b] = [low, high].map((value) =>
        show({ ...startOf(name), [id]: value }, dataOf(name)),
      );
      expect(JSON.stringify(a), id).not.toBe(JSON.stringify(b));
    }
  });
});

describe("what the figures show", () => {
  it("a bonus changes no credit after it, and the same return wherever it is paid", () => {
    const moved = rowOf("reward", "changed by the bonus", { turn: 2, size: 5, lambda: 0.5 });
    [2.5, 5, 0, 0].forEach((change, h) => expect(moved[h]).toBeCloseTo(change, 12));
    const [first] = rowOf("reward", "return of the episode", { turn: 1 });
    expect(first).toBeCloseTo(rowOf("reward", "return of the episode", { turn: 4 })[0]!, 12);
  });

  it("GAE goes from the last turn back, as computed by hand", () => {
    const at = { gamma: 1, lambda: 0.5, steps: 2 };
    expect(rowOf("backwards", "advantage A", at).slice(0, 2)).toEqual([null, null]);
    // δ4 = 10.9 − 8 = 2.9; δ3 = −0.1 + 8 − 4 = 3.9; A3 = 3.9 + 0.5 · 2.9.
    const [, , third, last] = rowOf("backwards", "advantage A", at) as number[];
    expect(last).toBeCloseTo(2.9, 12);
    expect(third).toBeCloseTo(5.35, 12);
    expect(shown("backwards", at).says).toContain("A = 3.90 + 0.50 · 2.90 = 5.35");
  });

  it("a group of equal scores says nothing; else its advantages sum to 0", () => {
    const adv = rowOf("group", "advantage", { size: 12, chance: 0.5, draw: 3 }) as number[];
    expect(adv.reduce((a, b) => a + b, 0)).toBeCloseTo(0, 9);
    expect(shown("group", { size: 2, chance: 0.05, draw: 1 }).says).toContain("says nothing");
  });

  it("a turn's product is clipped before its tokens are, and a mean later", () => {
    const free = /(\d) with token ratios, (\d) with the product, (\d) with the mean/.exec(
      shown("clip", { drift: 2.2, eps: 0.2, advantage: 1 }).says,
    )!;
    expect(free.slice(1).map(Number)).toEqual([2, 0, 4]);
    const product = rowOf("clip", "ratio, product", { drift: 1 })[0]!;
    expect(product).toBeCloseTo(Math.exp(0.1), 12);
  });

  it("turns joined to one have GSPO's ratio; the product of a turn leaves the band first", () => {
    const one = { joined: 3, drift: 1 };
    expect(shown("levels", one).columns).toEqual(["1"]);
    expect(rowOf("levels", "ratio, turn mean", one)).toEqual(
      rowOf("levels", "ratio, episode mean", one),
    );
    expect(rowOf("levels", "ratio, episode mean", one)[0]).toBeCloseTo(Math.exp(0.1 / 4), 12);
    expect(shown("levels", one).says).toContain("GSPO");
    // Turns 1 to 3: sums 0.1, -0.05 and 0.05.
    const at = { joined: 1, drift: 2, eps: 0.15, advantage: 1 };
    expect(shown("levels", at).says).toContain("2 with the product, 2 with the turn mean, 3");
  });

  it("a potential leaves the difference of two ways alone; a plain bonus does not", () => {
    const [, , plain] = rowOf("shaping", "return, no bonus") as number[];
    expect(rowOf("shaping", "shaped by a potential")[2]).toBeCloseTo(plain!, 12);
    expect(rowOf("shaping", "paid for each step forward")[2]).toBeGreaterThan(0);
  });

  it("a potential moves every return by itself, also where it is wrong", () => {
    const at = { weight: 0.5, error: 3, gamma: 0.9 };
    const plain = rowOf("telescope", "return from here", at) as number[];
    const shaped = rowOf("telescope", "return, shaped", at) as number[];
    [2, 1, 3, 1].forEach((x, h) => expect(shaped[h]! - plain[h]!).toBeCloseTo(0.5 * x, 12));
    // γΦ(s') − Φ(s) = 0.9 · (−4 + 3) + 2, halved.
    expect(rowOf("telescope", "shaping η F", at)[0]).toBeCloseTo(0.55, 12);
  });

  it("a baseline leaves the mean push alone, and can take its spread away", () => {
    const [solved, failed] = data.rewards!;
    const of = (row: string, baseline: number) =>
      rowOf("baseline", row, { baseline, chance: 0.25 })[2]!;
    const push = (baseline: number) => of("push towards solving", baseline);
    const spread = (baseline: number) => of("spread of the push", baseline);
    // p (1 − p) times the difference of the two rewards.
    for (const b of [-2, 0, 7]) expect(push(b)).toBeCloseTo((3 / 16) * (solved! - failed!), 12);
    expect(spread(0.75 * solved! + 0.25 * failed!)).toBeCloseTo(0, 12);
    expect(spread(7)).toBeGreaterThan(spread(-2));
  });

  it("a bootstrap draws as many seeds as are used, with replacement", () => {
    const times = rowOf("bootstrap", "times drawn", { seeds: 4, draw: 3 }) as number[];
    expect(times.slice(0, 4).reduce((a, b) => a + b, 0)).toBe(4);
    expect(times[4]).toBeNull();
    const at = (seeds: number) => shown("bootstrap", { seeds, draw: 1 }).says;
    // t(4) · 6.9 / √5 around 1.96, by hand.
    expect(at(5)).toContain("The mean is +1.96");
    expect(at(5)).toContain("between −6.61 and +10.53");
    expect(at(2)).toContain("The mean is −1.20");
  });

  it("four times the continuations halve the truth's interval", () => {
    const half = (doublings: number) => shown("truth", { doublings }).rows[0]!.half![0]!;
    expect(half(6) / half(8)).toBeCloseTo(2, 12);
    expect(half(8)).toBeCloseTo(data.half![0]!, 12);
  });

  it("chance caps the correlation of one episode, and a mean of four halves its spread", () => {
    const best = rowOf("luck", "best correlation", { luck: 1.25 }) as number[];
    expect(best[0]).toBeCloseTo(2 / 3, 12);
    expect(best[1]).toBeCloseTo(rowOf("luck", "best correlation", { luck: 1.25 / 4 })[0]!, 2);
    expect(rowOf("luck", "best correlation", { luck: 0 })).toEqual([1, 1, 1, 1]);
  });

  it("a board's larger estimates change the pooled correlation, not that within boards", () => {
    const said = (weight: number) =>
      /them: (.+); pooled: (.+)\.$/.exec(shown("pool", { weight }).says)!.slice(1);
    const [within, pooled] = said(1);
    expect(within).toBe("0.78 and 0.78");
    expect(said(30)[0]).toBe(within);
    expect(Number(said(30)[1])).toBeLessThan(Number(pooled) - 0.2);
  });

  it("a batch used often promises more than it gives; the clip keeps both near the start", () => {
    const end = (row: string, eps: number) => rowOf("reuse", row, { eps, draw: 8 }).at(-1)!;
    expect(end("batch promises", 2)).toBeGreaterThan(0.5);
    expect(end("true gain", 2)).toBeLessThan(-0.2);
    expect(Math.abs(end("true gain", 0.2))).toBeLessThan(0.05);
    expect(end("effective share", 0.2)).toBeGreaterThan(0.9);
    expect(end("share clipped", 2)).toBe(0);
  });

  it("one update of a batch follows its gradient: the objective rises by rate times its square", () => {
    const [before, after] = rowOf("reuse", "batch promises", { rate: 0.2 }) as [number, number];
    const [, twice] = rowOf("reuse", "batch promises", { rate: 0.4 }) as [number, number];
    expect(before).toBeCloseTo(0, 12);
    expect(after).toBeGreaterThan(0);
    expect(twice / after).toBeGreaterThan(1.9);
    expect(twice / after).toBeLessThan(2.2);
  });

  it("more seeds can tell more often", () => {
    const clear = (seeds: number) =>
      Number(/, (\d+) can separate/.exec(shown("sure", { seeds, gap: 5, spread: 8 }).says)![1]);
    expect(clear(30)).toBeGreaterThan(clear(3));
  });

  it("weights of λ are recognised as GAE", () => {
    expect(shown("weights", { w0: 1, w1: 0.5, w2: 0.25, w3: 0.15 }).says).toContain("λ = 0.50");
    expect(shown("weights", { w0: 0, w1: 1 }).says).toContain("estimator of your own");
    // Four weights end before an episode of five turns does, unless lambda has made them small by then.
    const rewards = [0, 0, 0, 0, 1];
    const five = (lambda: number) =>
      explorations["weights"]!.show(
        { w0: 1, w1: lambda, w2: lambda ** 2, w3: lambda ** 3 },
        { rewards, values: rewards },
      ).says;
    expect(five(1)).toMatch(/λ = 1\.00, cut after 3 later turns\./);
    expect(five(0.3)).toMatch(/λ = 0\.30\.$/);
  });

  it("by tokens less of a reward arrives than by turns", () => {
    const at = { turns: 5, tokens: 40, lambda: 0.95 };
    expect(rowOf("reach", "one step a turn", at)[0]).toBeCloseTo(0.95 ** 4, 12);
    expect(rowOf("reach", "one step a token (first token)", at)[0]).toBeCloseTo(0.95 ** 199, 12);
  });
});
