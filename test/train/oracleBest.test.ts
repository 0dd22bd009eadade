import { describe, expect, it } from "vitest";
import { ACTIONS, parseBoard } from "../../src/env/sokoban/board.ts";
import { SokobanEnv, type SokobanOptions } from "../../src/env/sokoban/sokobanEnv.ts";
import { distanceToGo } from "../../src/env/sokoban/solver.ts";
import { expert } from "../../src/env/webshop/expert.ts";
import { generateCatalogue } from "../../src/env/webshop/generate/generateCatalogue.ts";
import { randomPolicy } from "../../src/env/webshop/policies.ts";
import { WebShopEnv } from "../../src/env/webshop/webshopEnv.ts";
import { shopOptimum } from "../../src/train/oracle/bestValue.ts";
import { SokobanOptimum } from "../../src/train/oracle/sokobanOptimum.ts";
import { tableBoard } from "./oracleTable.ts";

/** Every response of up to n moves, and one of bad form. */
function responses(n: number): string[] {
  const moves = Array.from({ length: n }).reduce<string[][]>(
    (all) => [[], ...all.flatMap((start) => ACTIONS.map((action) => [...start, action]))],
    [[]],
  );
  return [...new Set(moves.map((names) => `<answer>${names.join("||")}</answer>`))];
}

/** The best discounted return by playing every sequence of responses in the environment itself. */
function bruteForce(environment: SokobanEnv, gamma: number): number {
  const saved = environment.snapshot();
  if (saved.ended) return 0;
  const values = responses(environment.options.maxActionsPerTurn).map((text) => {
    environment.restore(saved);
    const { reward } = environment.step(text);
    return reward + gamma * bruteForce(environment, gamma);
  });
  environment.restore(saved);
  return Math.max(...values);
}

describe("Sokoban's optimum", () => {
  const limits: Partial<SokobanOptions>[] = [
    { maxTurns: 2, maxActions: 3, maxActionsPerTurn: 2, formatPenalty: -0.1 },
    { maxTurns: 3, maxActions: 3, maxActionsPerTurn: 1, formatPenalty: -0.02 },
    { maxTurns: 3, maxActions: 2, maxActionsPerTurn: 2, formatPenalty: -1 },
  ];
  it.each(limits)("is that of playing everything: %j", (options) => {
    for (const n of [0, 50, 101, 202, 303, 404, 477]) {
      const environment = new SokobanEnv({ ...options, level: parseBoard(tableBoard(n)) });
      environment.reset(0);
      for (const gamma of [1, 0.8]) {
        const optimum = new SokobanOptimum({ ...environment.options, gamma });
        expect(optimum.value(environment)).toBeCloseTo(bruteForce(environment, gamma), 12);
      }
    }
  });

  it("of a solvable level is 11 less a tenth of the moves of the shortest solution", () => {
    const environment = new SokobanEnv({ maxActions: 20, maxTurns: 20 });
    for (const seed of [1, 2, 3, 4]) {
      environment.reset(seed);
      const optimum = new SokobanOptimum({ ...environment.options, gamma: 1 });
      const moves = distanceToGo(environment.board)!;
      expect(optimum.value(environment)).toBeCloseTo(11 - moves / 10, 10);
    }
  });

  it("is 0 after the end, and unknown where there is too much to search", () => {
    const environment = new SokobanEnv({ level: parseBoard(tableBoard(50)), maxTurns: 1 });
    environment.reset(0);
    environment.step("nothing");
    expect(new SokobanOptimum({ ...environment.options, gamma: 1 }).value(environment)).toBe(0);
    const large = new SokobanEnv({ size: [12, 12], boxes: 4, maxActions: 60, maxTurns: 50 });
    large.reset(1);
    expect(new SokobanOptimum({ ...large.options, gamma: 1 }).value(large)).toBeNaN();
  });
});

const catalogue = generateCatalogue(1);

/** The best of all clicks and of searching the goal's words, played out. */
function bestPlayed(shop: WebShopEnv, search: string, gamma: number): number {
  const saved = shop.snapshot();
  if (saved.ended) return 0;
  const list = shop.page.kind === "done" ? [] : clicksOf(shop);
  const values = [search, ...list].map((action) => {
    shop.restore(saved);
    const { reward } = shop.step(action);
    return reward + gamma * bestPlayed(shop, search, gamma);
  });
  shop.restore(saved);
  return Math.max(...values);
}

function clicksOf(shop: WebShopEnv): string[] {
  return shop.nodes.flatMap((node) =>
    node.role === "text" || node.role === "searchBar" ? [] : [`click[${node.text.toLowerCase()}]`],
  );
}

describe("the shop's reachable reward", () => {
  const shop = new WebShopEnv(catalogue, { maxTurns: 8 });

  it("is that of playing all clicks and the goal's search, some turns before the end", () => {
    for (const [goal, walked, left] of [
      [0, 0, 3],
      [40, 1, 3],
      [80, 2, 3],
      [120, 2, 2],
      [160, 3, 2],
    ] as const) {
      shop.resetGoal(goal);
      const policy = expert({ share: 0.3, seed: 1, episode: goal });
      for (let i = 0; i < walked && shop.page.kind !== "done"; i++) shop.step(policy(shop));
      const saved = shop.snapshot();
      shop.restore({ ...saved, turnsLeft: left });
      const search = `search[${expert()(openingOf(goal)).slice("search[".length)}`;
      for (const gamma of [1, 0.9])
        expect(shopOptimum(shop, gamma)).toBeCloseTo(bestPlayed(shop, search, gamma), 12);
      shop.restore(saved);
    }
  });

  /** A shop of its own before the goal's first search. */
  function openingOf(goal: number): WebShopEnv {
    const opening = new WebShopEnv(catalogue, { maxTurns: 8 });
    opening.resetGoal(goal);
    return opening;
  }

  it("never falls short of what a shopper then gets, and leaves the shop as it was", () => {
    for (let goal = 0; goal < 60; goal += 3) {
      shop.resetGoal(goal);
      const wander = randomPolicy(1, goal);
      shop.step(wander(shop));
      const before = shop.snapshot();
      const bound = shopOptimum(shop, 1);
      expect(shop.snapshot()).toEqual(before);
      const finish = expert();
      let reward = 0;
      while (!shop.snapshot().ended) reward = shop.step(finish(shop)).reward;
      expect(bound).toBeGreaterThanOrEqual(reward - 1e-12);
      expect(shopOptimum(shop, 1)).toBe(0);
    }
  });
});
