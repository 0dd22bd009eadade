import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canReach,
  DIRECTIONS,
  neighbour,
  randomMap,
  readMap,
  startOf,
  tileAt,
} from "../../../src/env/frozenLake/lakeMap.ts";
import { FrozenLakeEnv, renderLake, slipTo } from "../../../src/env/frozenLake/frozenLakeEnv.ts";
import { InputError } from "../../../src/numeric/inputError.ts";

const still = { slippery: false };
const answer = (...names: string[]) => `<answer>${names.join(" || ")}</answer>`;

describe("the lake", () => {
  it("slips to the sides in Gymnasium's order, with the probabilities asked for", () => {
    expect([0, 0.3, 0.4, 0.6, 0.7, 0.99].map((u) => slipTo("Left", 1 / 3, u))).toEqual(
      ["Up", "Up", "Left", "Left", "Down", "Down"], // (a - 1, a, a + 1)
    );
    for (const rate of [0, 1 / 3, 0.8, 1]) {
      const n = 3000;
      const hits = Array.from({ length: n }, (_, i) => slipTo("Right", rate, (i + 0.5) / n));
      expect(hits.filter((move) => move === "Right").length / n).toBeCloseTo(rate, 2);
      expect(hits.filter((move) => move === "Up").length / n).toBeCloseTo((1 - rate) / 2, 2);
      expect(hits).not.toContain("Left");
    }
  });

  it("gives the best player of the slippery 4x4 map a success of 14/17, as is known", () => {
    const map = readMap("4x4");
    let value = Array.from({ length: 16 }, () => 0); // [tiles]
    for (let sweep = 0; sweep < 2000; sweep++) {
      value = value.map((_, tile) => {
        if (tileAt(map, tile) === "G") return 1;
        if (tileAt(map, tile) === "H") return 0;
        const best = DIRECTIONS.map((direction) =>
          [0.1, 0.5, 0.9].reduce((sum, u) => {
            return sum + value[neighbour(map, tile, slipTo(direction, 1 / 3, u))]! / 3;
          }, 0),
        );
        return Math.max(...best);
      });
    }
    expect(value[startOf(map)]).toBeCloseTo(14 / 17, 6);
  });

  it("makes random maps that can be crossed, the same for the same seed", () => {
    const seeds = fc.nat({ max: 1e9 });
    const ends = fc.constantFrom("corners" as const, "anywhere" as const);
    fc.assert(
      fc.property(seeds, fc.integer({ min: 2, max: 8 }), ends, (seed, size, at) => {
        const options = { size, frozenProbability: 0.7, ends: at };
        const map = randomMap(seed, options);
        expect(canReach(map)).toBe(true);
        expect([map.length, ...map.map((row) => row.length)]).toEqual(Array(size + 1).fill(size));
        expect(map.join("").replace(/[FH]/g, "").length).toBe(2);
        expect(randomMap(seed, options)).toEqual(map);
      }),
      { numRuns: 100 },
    );
  });

  it("knows what cannot be crossed", () => {
    expect(canReach(readMap("SF/HF/FH/FG"))).toBe(false);
    expect(() => randomMap(1, { size: 8, frozenProbability: 0, ends: "corners" })).toThrow(
      "frozenProbability is 0; seed 1 gives no 8x8 map",
    );
  });
});

describe("FrozenLakeEnv", () => {
  it("shows RAGEN's symbols and walks to the goal", () => {
    const env = new FrozenLakeEnv({ ...still, maxActionsPerTurn: 6 });
    expect(env.reset(0).observation).toBe("P___\n_O_O\n___O\nO__G");
    const path = answer("down", "Down", "Right", "Right", "Down", "Right");
    expect(env.step(path)).toMatchObject({
      observation: "____\n_O_O\n___O\nO__√",
      reward: 1,
      terminated: true,
      truncated: false,
      info: { success: true, actionsLeft: 94, formatPenalty: 0 },
    });
    expect(() => env.step(path)).toThrow("ended");
  });

  it("ends in a hole and drops what was to come after it", () => {
    const env = new FrozenLakeEnv(still);
    env.reset(0);
    const result = env.step(answer("Left", "Right", "Down", "Right"));
    expect(result).toMatchObject({ reward: 0, terminated: true, truncated: false });
    expect(result.info).toMatchObject({ actions: ["Left", "Right", "Down"], success: false });
    expect(renderLake(readMap("4x4"), 5)).toBe(result.observation);
    expect(result.observation).toBe("____\n_X_O\n___O\nO__G");
  });

  it("truncates when actions or turns are used up, and punishes bad form once a turn", () => {
    const env = new FrozenLakeEnv({ ...still, maxActions: 3, maxTurns: 3 });
    env.reset(0);
    expect(env.step("Down")).toMatchObject({ reward: -0.1, truncated: false });
    expect(env.step(answer("Fly", "Up", "Swim"))).toMatchObject({
      reward: -0.1,
      info: { actions: ["Up"], actionsLeft: 2, turnsLeft: 1 },
    });
    const last = env.step(answer("Up", "Up", "Up"));
    expect(last).toMatchObject({ reward: 0, terminated: false, truncated: true });
    expect(last.info.actions).toEqual(["Up", "Up"]);
  });

  it("slips by member: the same member as before, another one differently", () => {
    const moves = (member: number) => {
      const env = new FrozenLakeEnv({ map: "SFF/FFF/FFG", member, maxActionsPerTurn: 20 });
      env.reset(7);
      return env.step(answer(...Array<string>(20).fill("Left"))).info.moves;
    };
    expect(moves(1)).toEqual(moves(1));
    expect(moves(1)).not.toEqual(moves(2));
  });

  it.each([
    [{ map: "5x5" }, 'map is "5x5"; allowed: 4x4, 8x8, random'],
    [{ map: "SF/FSG" }, "map is"],
    [{ size: 1 }, "size is 1"],
    [{ frozenProbability: 2 }, "frozenProbability is 2"],
    [{ ends: "middle" as "corners" }, "ends is"],
    [{ successRate: NaN }, "successRate is NaN; it must be a number from 0 to 1"],
    [{ maxTurns: 0 }, "maxTurns is 0"],
    [{ member: -1 }, "member is -1"],
  ])("refuses %j", (options, message) => {
    expect(() => new FrozenLakeEnv(options)).toThrow(InputError);
    expect(() => new FrozenLakeEnv(options)).toThrow(message);
  });

  it("refuses a seed that is none", () => {
    expect(() => new FrozenLakeEnv().reset(-1)).toThrow("seed is -1");
  });
});
