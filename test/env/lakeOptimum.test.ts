/** The best player of a lake: beside sums made by hand, and beside the environment's own slips. */
import { describe, expect, it } from "vitest";
import { FrozenLakeEnv } from "../../src/env/frozenLake/frozenLakeEnv.ts";
import { DIRECTIONS } from "../../src/env/frozenLake/lakeMap.ts";
import { LakeOptimum } from "../../src/env/frozenLake/lakeOptimum.ts";
import { chanceOf } from "../../src/numeric/rng.ts";

const at = (tile: number, actionsLeft: number, turnsLeft: number) => ({
  tile,
  actionsLeft,
  turnsLeft,
});

describe("by hand", () => {
  // One row: Right goes to the goal four times in five, and its sides lead off the lake, so one stays.
  const row = (maxActionsPerTurn: number, gamma = 1) =>
    new LakeOptimum(["SG"], { successRate: 0.8, maxActionsPerTurn, gamma });

  it("a step in each of two turns: 0.8, then gamma 0.2 of 0.8 more", () => {
    expect(row(1).best(at(0, 9, 1)).value).toBeCloseTo(0.8, 12);
    expect(row(1).best(at(0, 9, 2)).value).toBeCloseTo(0.96, 12);
    expect(row(1, 0.5).best(at(0, 9, 2)).value).toBeCloseTo(0.8 + 0.5 * 0.2 * 0.8, 12);
    expect(row(1).best(at(0, 1, 2)).value).toBeCloseTo(0.8, 12); // one action is left
  });

  it("two steps in one turn are two tries, and are not discounted", () => {
    expect(row(2, 0.5).best(at(0, 9, 1))).toEqual({
      value: expect.closeTo(0.96, 12) as number,
      response: ["Right", "Right"],
    });
  });

  // S F   Right from S: 0.8 to F, 0.1 Down into the hole, 0.1 Up and stays.
  // H G   Down from F: 0.8 to the goal, 0.1 Left to S, 0.1 Right and stays.
  it("a hole beside the way: 0.64 in two turns, 0.768 in three", () => {
    const lake = new LakeOptimum(["SF", "HG"], {
      successRate: 0.8,
      maxActionsPerTurn: 1,
      gamma: 1,
    });
    expect(lake.best(at(1, 9, 1)).value).toBeCloseTo(0.8, 12);
    expect(lake.best(at(0, 9, 2)).value).toBeCloseTo(0.8 * 0.8, 12);
    expect(lake.best(at(1, 9, 2)).value).toBeCloseTo(0.8 + 0.1 * 0.8, 12);
    expect(lake.best(at(0, 9, 3))).toEqual({
      value: expect.closeTo(0.8 * 0.88 + 0.1 * 0.64, 12) as number,
      response: ["Right"],
    });
    // Not the best: Up stays (0.8, 0.1 Left) or slips Right to F (0.1).
    expect(lake.worth(["Up"], at(0, 9, 2))).toBeCloseTo(0.1 * 0.8, 12);
    expect(lake.worth([], at(0, 9, 3))).toBeCloseTo(0.64, 12); // a turn lost
  });

  it("is nothing where all is over", () => {
    const lake = new LakeOptimum(["SF", "HG"], {
      successRate: 0.8,
      maxActionsPerTurn: 1,
      gamma: 1,
    });
    for (const standing of [at(2, 9, 9), at(3, 9, 9), at(0, 0, 9), at(0, 9, 0)])
      expect(lake.best(standing)).toEqual({ value: 0, response: [] });
  });
});

it("on dry ice it gets there whenever the way is short enough", () => {
  const rules = { successRate: 1, maxActionsPerTurn: 2, gamma: 0.9 };
  const lake = new LakeOptimum(["SFFF", "FHFH", "FFFH", "HFFG"], rules);
  expect(lake.best(at(0, 6, 3)).value).toBeCloseTo(0.9 ** 2, 12); // six steps, three turns
  expect(lake.best(at(0, 5, 3)).value).toBe(0);
  expect(lake.best(at(0, 6, 2)).value).toBe(0);
});

it("what it expects is what it earns where the environment slips", () => {
  const options = { map: "SFFF/FHFH/FFFH/HFFG", slippery: true, successRate: 0.8 };
  const game = new FrozenLakeEnv({ ...options, maxTurns: 5, maxActions: 9, maxActionsPerTurn: 2 });
  game.reset(0);
  const rules = { successRate: 0.8, maxActionsPerTurn: 2, gamma: 1 };
  const lake = new LakeOptimum(game.standing.map, rules);
  const expected = lake.best(game.standing).value;
  const n = 4000;
  let reached = 0;
  for (let i = 0; i < n; i++) {
    game.reset(0);
    while (!game.standing.ended) {
      const { response } = lake.best(game.standing);
      const key = { seed: 1, stream: "test", iteration: 0, trajectory: i };
      const chance = chanceOf({ ...key, step: game.standing.turnsLeft });
      reached += game.step(`<answer>${response.join("||")}</answer>`, chance).reward;
    }
  }
  const error = Math.sqrt((expected * (1 - expected)) / n);
  expect(Math.abs(reached / n - expected)).toBeLessThan(4 * error);
  expect(expected).toBeGreaterThan(0.2);
  expect(expected).toBeLessThan(0.99);
});

it("no response is worth more than the best, and the best is worth its value", () => {
  const rules = { successRate: 1 / 3, maxActionsPerTurn: 2, gamma: 0.9 };
  const lake = new LakeOptimum(["SFFH", "FFFF", "HFFG"], rules);
  const both = DIRECTIONS.flatMap((a) => [[a], ...DIRECTIONS.map((b) => [a, b])]);
  for (const tile of [0, 1, 2, 4, 5, 6, 7, 9, 10])
    for (const standing of [at(tile, 5, 4), at(tile, 3, 4), at(tile, 8, 2)]) {
      const { value, response } = lake.best(standing);
      expect(lake.worth(response, standing)).toBeCloseTo(value, 12);
      const worths = both.map((said) => lake.worth(said, standing));
      expect(Math.max(...worths)).toBeCloseTo(value, 12);
    }
});
