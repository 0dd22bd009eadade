import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Environment, StepResult } from "../../../src/env/environment.ts";
import {
  listEnvironments,
  makeEnvironment,
  registerEnvironment,
} from "../../../src/env/registry.ts";
import { VectorEnvironment } from "../../../src/env/vectorEnvironment.ts";
import { EpisodeTracking } from "../../../src/env/wrappers/episodeTracking.ts";
import { ObservationHistory } from "../../../src/env/wrappers/observationHistory.ts";
import { TimeLimit } from "../../../src/env/wrappers/timeLimit.ts";
import "./guessTheNumber.ts";

const names = listEnvironments().map(({ name }) => name);

/** Texts that mean something somewhere, and some that do not. */
const texts = fc.constantFrom(
  "<answer>Left</answer>",
  "<answer>Down || Right</answer>",
  "<answer>Right || Right || Up</answer>",
  "<answer>Baker</answer>",
  "<answer>Gambler</answer>",
  "search[red lamp]",
  "click[back to search]",
  "\\boxed{5}",
  "\\boxed{8}",
  "nonsense",
  "",
);
const turns = fc.array(texts, { minLength: 1, maxLength: 12 });
const seeds = fc.nat({ max: 9999 });

const makers: [string, () => Environment<object>][] = names.map((name) => {
  const first = makeEnvironment(name);
  // Shops are slow to make: their episodes follow one another in one environment.
  return [name, name === "WebShop-v0" ? () => first : () => makeEnvironment(name)];
});

const wrappedLake = () =>
  new EpisodeTracking(
    new ObservationHistory(new TimeLimit(makeEnvironment("FrozenLake-v0-ragen"), 4), { turns: 2 }),
  );

function play(environment: Environment<object>, list: readonly string[]): StepResult<object>[] {
  const results: StepResult<object>[] = [];
  for (const text of list) {
    const result = environment.step(text);
    results.push(result);
    if (result.terminated || result.truncated) break;
  }
  return results;
}

describe.each([...makers, ["wrapped lake", wrappedLake] as const])("%s", (_name, make) => {
  it("plays the same episode twice", () => {
    fc.assert(
      fc.property(seeds, turns, (seed, list) => {
        const first = make();
        const start = first.reset(seed);
        const results = play(first, list);
        const second = make();
        expect(second.reset(seed)).toEqual(start);
        expect(play(second, list)).toEqual(results);
        expect(results.every((r) => !(r.terminated && r.truncated))).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it("has the same future after restoring, through JSON", () => {
    fc.assert(
      fc.property(seeds, turns, turns, (seed, before, after) => {
        const environment = make();
        environment.reset(seed);
        const past = play(environment, before).at(-1)!;
        if (past.terminated || past.truncated) return;
        const saved = JSON.stringify(environment.snapshot());
        const future = play(environment, after);
        expect(JSON.stringify(JSON.parse(saved))).toBe(saved);
        const other = make();
        other.restore(JSON.parse(saved));
        expect(play(other, after)).toEqual(future);
      }),
      { numRuns: 25 },
    );
  });
});

describe("VectorEnvironment", () => {
  const rows = () => [
    makeEnvironment("Sokoban-v0"),
    wrappedLake(),
    makeEnvironment("Bandit-v0"),
    makeEnvironment("FrozenLake-v0"),
  ];

  it("plays what its rows play one after the other, whatever is left out", () => {
    const skips = fc.array(fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), {
      minLength: 8,
      maxLength: 8,
    });
    fc.assert(
      fc.property(seeds, turns, skips, (seed, list, skip) => {
        const vector = new VectorEnvironment(rows());
        const starts = vector.reset(seed);
        const told: StepResult<object>[][] = [[], [], [], []];
        const said: string[][] = [[], [], [], []];
        for (const [i, text] of list.entries()) {
          const active = vector.active.filter((row) => !skip[i % 8]![row]);
          active.forEach((row) => said[row]!.push(text));
          const results = vector.step(new Map(active.map((row) => [row, text])));
          results.forEach((result, row) => result && told[row]!.push(result));
          expect(results.flatMap((result, row) => (result ? [row] : []))).toEqual(active);
        }
        rows().forEach((environment, row) => {
          expect(environment.reset(seed + row)).toEqual(starts[row]);
          expect(play(environment, said[row]!)).toEqual(told[row]);
        });
      }),
      { numRuns: 30 },
    );
  });

  it("leaves ended rows as they are until they are reset", () => {
    const vector = new VectorEnvironment([
      makeEnvironment("Bandit-v0"),
      makeEnvironment("Sokoban-v0"),
    ]);
    expect(vector.active).toEqual([]);
    vector.reset([1, 10000]);
    const results = vector.step(["<answer>Baker</answer>", "<answer>Up</answer>"]);
    expect(results[0]!.terminated || results[0]!.truncated).toBe(true);
    expect(vector.active).toEqual([1]);
    const saved = vector.snapshot();
    // A text for the ended row is refused before the other row moves.
    expect(() => vector.step(["again", "<answer>Up</answer>"])).toThrow("row 0 has ended");
    expect(vector.snapshot()).toEqual(saved);
    expect(vector.step([null, "<answer>Up</answer>"])[0]).toBeNull();
    expect(() => vector.step(new Map([[2, ""]]))).toThrow("no row 2");
    vector.resetRow(0, 2);
    expect(vector.active).toEqual([0, 1]);
    vector.restore(saved);
    expect(vector.active).toEqual([1]);
    expect(() => vector.reset([1])).toThrow("1 seeds for 2 rows");
  });
});

describe("wrappers", () => {
  const guess = (options = {}) => makeEnvironment("game:GuessTheNumber-v0", options);

  it("show the history as GEM does, between prefix and suffix", () => {
    const env = new ObservationHistory(guess({ max: 1 }));
    const rule = (left: number) => `Answer with \\boxed{number}. ${left} guesses left.\n`;
    expect(env.reset(0).observation).toBe(`Guess a number of 1 to 1.\n${rule(4)}`);
    expect(env.step("I say \\boxed{7}").observation).toBe(
      `Guess a number of 1 to 1.\n7\nThe number is lower than 7.\n${rule(3)}`,
    );
    const concat = new ObservationHistory(guess({ max: 1 }), { actions: false, turns: 1 });
    concat.reset(0);
    concat.step("\\boxed{7}");
    expect(concat.step("?").observation).toBe(
      `The number is lower than 7.\nThat was no number.\n${rule(2)}`,
    );
  });

  it("truncate and count", () => {
    const env = new EpisodeTracking(new TimeLimit(guess({ max: 9 }), 2));
    expect(env.reset(3).info).toMatchObject({ turns: 0, episodeReward: 0 });
    expect(env.step("?")).toMatchObject({ truncated: false, info: { turns: 1 } });
    const last = env.step("?");
    expect(last).toMatchObject({ truncated: true, terminated: false, info: { turns: 2 } });
    expect(last.info.episodeReward).toBeCloseTo(-0.2, 12);
    expect(() => env.step("?")).toThrow("ended");
  });

  it("do not truncate a task that ends in its last turn", () => {
    const env = new TimeLimit(guess({ max: 1 }), 1);
    env.reset(0);
    expect(env.step("\\boxed{1}")).toMatchObject({ terminated: true, truncated: false, reward: 1 });
  });

  it("refuse limits that are none", () => {
    expect(() => new TimeLimit(guess(), 0)).toThrow("maxTurns is 0");
    expect(() => new ObservationHistory(guess(), { turns: -1 })).toThrow("turns is -1");
  });
});

describe("the registry", () => {
  it("names what there is", () => {
    expect(names).toEqual(
      expect.arrayContaining([
        "Sokoban-v0",
        "WebShop-v0",
        "FrozenLake-v0",
        "FrozenLake-v0-ragen",
        "Bandit-v0",
        "game:GuessTheNumber-v0",
      ]),
    );
  });

  it.each([
    ["Chess-v0", {}, 'environment is "Chess-v0"; allowed: Sokoban-v0'],
    ["Bandit-v0", { arm: 1 }, '"arm" is not an option of Bandit-v0; allowed: arms'],
    ["Bandit-v0", { maxTurns: "3" }, 'maxTurns is "3"; it must be a number'],
    ["Sokoban-v0", { rows: 2 }, "rows is 2"],
    ["WebShop-v0", { maxTurns: 0 }, "maxTurns is 0"],
  ])("refuses %s %j", (name, options, message) => {
    expect(() => makeEnvironment(name, options).reset(0)).toThrow(message);
  });

  it("takes no name twice", () => {
    const entry = { about: "", defaults: {}, create: () => makeEnvironment("Bandit-v0") };
    expect(() => registerEnvironment({ ...entry, name: "Bandit-v0" })).toThrow("it is taken");
    expect(() => registerEnvironment({ ...entry, name: "a b" })).toThrow("letters");
  });
});

it("the porting note shows the example as it is", () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const [, shown] = /```ts\n([\s\S]*?)```/.exec(read("../../../src/env/README.md"))!;
  expect(shown).toBe(read("./guessTheNumber.ts"));
});
