import { describe, expect, it } from "vitest";
import {
  discountOf,
  isSameDiscount,
  turnWeights,
  type Discount,
} from "../../src/method/credit/discount.ts";
import { parseBoard } from "../../src/env/sokoban/board.ts";
import { distanceToGo } from "../../src/env/sokoban/solver.ts";
import { rollout, type Episode } from "../../src/rollout/rollout.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { branchReturns, stateKey, statesOf } from "../../src/train/oracle/branches.ts";
import { trueValues, type Estimates } from "../../src/train/oracle/trueValues.ts";
import { exactValue, tableBoard, tablePlayer } from "./oracleTable.ts";

const GAMMA = 0.9;
const PER_TURN: Discount = { gamma: GAMMA, steps: "turn" };
const PER_TOKEN: Discount = { gamma: 0.95, steps: "token" };
const key = { seed: 5, iteration: 1 };

/** Boards that can be solved within the three moves there are, so that rewards vary. */
const boards = Array.from({ length: 504 }, (_, n) => n).filter((n) => {
  const moves = distanceToGo(parseBoard(tableBoard(n)));
  return moves !== null && moves > 0 && moves <= 2;
});

function play(context: "full" | "turn", seeds: number[], seed = 1): Promise<Episode[]> {
  const player = tablePlayer(context);
  const tasks = seeds.map((board) => ({ name: `board ${board}`, seed: board }));
  return rollout({ ...player, tasks, key: { seed, stream: "rollout", iteration: 1 } });
}

/** What the three quantities of each turn are exactly. */
function exactly(context: "full" | "turn", episodes: Episode[], discount = PER_TURN) {
  const player = tablePlayer(context);
  const truth = { value: [] as number[], actionValue: [] as number[], advantage: [] as number[] };
  for (const episode of episodes) {
    const V = statesOf(player.world, episode).map((state) => exactValue(player, discount, state));
    episode.turns.forEach(({ reward, responseIds }, h) => {
      const { gamma, steps } = discount;
      const n = steps === "token" ? responseIds.length : 1;
      const Q = gamma ** (n - 1) * reward + gamma ** n * (V[h + 1] ?? 0);
      truth.value.push(V[h]!);
      truth.actionValue.push(Q);
      truth.advantage.push(Q - V[h]!);
    });
  }
  return truth;
}

const covers = ({ low, high }: Estimates, truth: number[], k: number) =>
  low[k]! <= truth[k]! && truth[k]! <= high[k]!;

describe.each([
  ["turn", PER_TURN],
  ["full", PER_TURN],
  ["turn", PER_TOKEN],
] as const)("in %s context, discounted with %o", (context, discount) => {
  it("the oracle agrees with the sum over all that can happen", async () => {
    const episodes = await play(context, boards.slice(0, 5));
    const truth = exactly(context, episodes, discount);
    const oracle = await trueValues(tablePlayer(context), episodes, {
      ...{ branches: 1000, ...discount, key },
    });
    // Responses differ in length: the best player's are not known.
    expect(Number.isNaN(oracle.best[0]!)).toBe(discount.steps === "token");
    for (const name of ["value", "actionValue", "advantage"] as const) {
      const { mean, standardError } = oracle[name];
      // 4.5 standard errors: of so few numbers hardly one in ten thousand such tests has one further off.
      truth[name].forEach((x, k) =>
        expect(Math.abs(mean[k]! - x), `${name} ${k}`).toBeLessThanOrEqual(
          4.5 * standardError[k]! + 1e-9,
        ),
      );
      expect(Math.max(...standardError)).toBeLessThan(0.3);
    }
    expect(Math.max(...truth.advantage.map(Math.abs))).toBeGreaterThan(3);
  });
});

describe("the discount of an algorithm", () => {
  const of = (name: string, set = {}) =>
    discountOf(resolveAlgorithm(name, { gamma: 0.95, ...set }));

  it("is per turn or per token as its estimator counts, over turns for bi-level GAE", () => {
    for (const name of ["turn-ppo", "gigpo", "reinforce"])
      expect(of(name)).toEqual({ gamma: 0.95, steps: "turn" });
    for (const name of ["token-ppo", "reinforce-pp", "remax"])
      expect(of(name)).toEqual({ gamma: 0.95, steps: "token" });
    // Scores of whole episodes are plain sums, whatever gamma is set to.
    for (const name of ["grpo", "rloo", "opo", "reinforce-pp-baseline", "mt-grpo", "a2tgpo"])
      expect(of(name), name).toEqual({ gamma: 1, steps: "turn" });
    const twoLevels = of("bi-level-gae", { gammaTurn: 0.8 });
    expect(twoLevels).toEqual({ gamma: 0.8, steps: "turn" });
  });

  it("is the same as another one where nothing is discounted, whatever a step is", () => {
    expect(isSameDiscount({ gamma: 1, steps: "turn" }, { gamma: 1, steps: "token" })).toBe(true);
    expect(isSameDiscount(PER_TURN, { ...PER_TURN, steps: "token" })).toBe(false);
    expect(isSameDiscount(PER_TURN, { ...PER_TURN, gamma: 0.95 })).toBe(false);
  });

  it("pays a turn's reward at its last token", () => {
    const weights = turnWeights(PER_TOKEN, 4);
    expect(weights).toEqual({ reward: 0.95 ** 3, later: 0.95 ** 4 });
    expect(turnWeights(PER_TURN, 4)).toEqual({ reward: 1, later: GAMMA });
  });
});

it("counts the continuations that solve the board", async () => {
  const episodes = await play("turn", boards.slice(0, 3));
  const solved = new Map<number, number>();
  const oracle = await trueValues(tablePlayer("turn"), episodes, {
    ...{ branches: 64, ...PER_TURN, key },
    onEpisode: (state, _, { success }) =>
      solved.set(state, (solved.get(state) ?? 0) + Number(success)),
  });
  const { before, after } = oracle.solved;
  oracle.stateOf.forEach((state, k) => expect(before[k]).toBe(solved.get(state)! / 64));
  let k = 0;
  for (const { turns } of episodes)
    turns.forEach((_, h) => expect(after[k++]).toBe(h + 1 < turns.length ? before[k]! : NaN));
  expect(Math.max(...before)).toBeGreaterThan(Math.min(...before));
});

it("its 95 % interval with 64 branches covers the truth in 183 to 198 of 200 cases", async () => {
  // Eight times, with draws of their own, the first turn on each of 25 boards.
  const episodes = await play("turn", boards.slice(0, 25), 3);
  const truth = exactly("turn", episodes);
  const counts = { value: 0, advantage: 0 };
  for (let iteration = 1; iteration <= 8; iteration++) {
    const options = { branches: 64, gamma: GAMMA, key: { seed: 5, iteration } };
    const oracle = await trueValues(tablePlayer("turn"), episodes, options);
    for (const k of starts(episodes)) {
      counts.value += Number(covers(oracle.value, truth.value, k));
      counts.advantage += Number(covers(oracle.advantage, truth.advantage, k));
    }
  }
  for (const count of Object.values(counts)) {
    expect(count).toBeGreaterThanOrEqual(183);
    expect(count).toBeLessThanOrEqual(198);
  }
});

/** Where each episode's turns begin. [B] */
function starts(episodes: Episode[]): number[] {
  let k = 0;
  return episodes.map(({ turns }) => (k += turns.length) - turns.length);
}

it("chunks change no number, and a state shared by several turns is branched once", async () => {
  const player = tablePlayer("turn");
  const episodes = await play("turn", [boards[0]!, boards[0]!, boards[0]!, boards[1]!]);
  const options = { branches: 16, gamma: 1, key };
  const whole = await trueValues(player, episodes, options);
  const cut = await trueValues(player, episodes, { ...options, chunk: 7 });
  expect(cut).toEqual(whole);
  const [a, b, c] = starts(episodes).map((k) => whole.stateOf[k]);
  expect([a, b, c]).toEqual([0, 0, 0]);
  const turns = episodes.reduce((n, { turns }) => n + turns.length, 0);
  expect(whole.states.length).toBeLessThan(turns);
  expect(new Set(whole.states.map((state) => stateKey(state, "turn"))).size).toBe(
    whole.states.length,
  );
});

it("full context tells states apart by what came before", async () => {
  const [episode] = await play("full", [boards[0]!]);
  const [, second] = statesOf(tablePlayer("full").world, episode!);
  if (!second) throw new Error("the episode has one turn only");
  const other = { ...second, historyIds: [...second.historyIds, 1] };
  expect(stateKey(other, "full")).not.toBe(stateKey(second, "full"));
  expect(stateKey(other, "turn")).toBe(stateKey(second, "turn"));
});

it("progress is told, and the gate can cancel", async () => {
  const player = tablePlayer("turn");
  const [episode] = await play("turn", [boards[0]!]);
  const states = statesOf(player.world, episode!);
  const told: number[][] = [];
  const options = { branches: 4, gamma: 1, key, chunk: 4 };
  await branchReturns(player, states, { ...options, progress: (...at) => void told.push(at) });
  expect(told).toEqual(states.map((_, i) => [4 * (i + 1), 4 * states.length]));
  // Turn by turn as well, never back, and to the end.
  const work: number[] = [];
  await branchReturns(player, states, { ...options, work: (done) => void work.push(done) });
  expect(work.length).toBeGreaterThan(told.length);
  expect(work).toEqual([...work].sort((a, b) => a - b));
  expect(work.at(-1)).toBe(4 * states.length);
  const gate = () => Promise.reject(new Error("stopped"));
  await expect(branchReturns(player, states, { ...options, gate })).rejects.toThrow("stopped");
});

it.each([
  [{ branches: 1 }, "branches is 1; it must be a whole number from 2 to "],
  [{ branches: 2.5 }, "branches is 2.5; it must be a whole number from 2 to "],
  [{ gamma: 1.5 }, "gamma is 1.5; it must be a number from 0 to 1"],
  [{ chunk: 0 }, "chunk is 0; it must be a whole number of at least 1"],
])("%j is refused", async (wrong, message) => {
  const options = { branches: 4, gamma: 1, key, ...wrong };
  await expect(branchReturns(tablePlayer("turn"), [], options)).rejects.toThrow(message);
});
