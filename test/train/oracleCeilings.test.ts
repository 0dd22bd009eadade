import { expect, it } from "vitest";
import { parseBoard } from "../../src/env/sokoban/board.ts";
import { distanceToGo } from "../../src/env/sokoban/solver.ts";
import { mean, pearson } from "../../src/numeric/statistics.ts";
import { rollout } from "../../src/rollout/rollout.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { ceilingsOf } from "../../src/train/oracle/judge.ts";
import { statesOf } from "../../src/train/oracle/branches.ts";
import { trueValues } from "../../src/train/oracle/trueValues.ts";
import { exactValue, tableBoard, tablePlayer } from "./oracleTable.ts";

const boards = Array.from({ length: 504 }, (_, n) => n).filter((n) => {
  const moves = distanceToGo(parseBoard(tableBoard(n)));
  return moves !== null && moves > 0 && moves <= 2;
});

it("ceilings are GAE on the true V, drawn apart from the truth", async () => {
  const player = tablePlayer("turn");
  const tasks = boards.slice(0, 30).map((board) => ({ name: `board ${board}`, seed: board }));
  const episodes = await rollout({
    ...player,
    tasks,
    key: { seed: 1, stream: "rollout", iteration: 1 },
  });
  const options = { branches: 100, gamma: 1, key: { seed: 5, iteration: 1 } };
  const truth = await trueValues(player, episodes, options);
  const rows = [resolveAlgorithm("turn-ppo", { lambda: 0.5 }), resolveAlgorithm("grpo")];
  const [atOne, atHalf, ...more] = await ceilingsOf(player, episodes, truth, { rows }, options);
  expect(more).toEqual([]);
  expect([atOne!.config.name, atHalf!.config.name]).toEqual(["true-v-1", "true-v-0.5"]);

  const perTurn = { gamma: 1, steps: "turn" } as const;
  let k = 0;
  const errors: number[] = [];
  const own: number[] = [];
  for (const episode of episodes) {
    const V = statesOf(player.world, episode).map((state) => exactValue(player, perTurn, state));
    const delta = episode.turns.map(({ reward }, h) => reward + (V[h + 1] ?? 0) - V[h]!);
    episode.turns.forEach((_, h) => {
      const rest = delta.slice(h);
      const at = (lambda: number) => rest.reduce((sum, d, j) => sum + lambda ** j * d, 0);
      errors.push(atOne!.raw[k]! - at(1), atHalf!.raw[k]! - at(0.5));
      // Errors of the two sets of branches have nothing to do with each other.
      own.push(truth.value.mean[k]! - V[h]!);
      k += 1;
    });
  }
  expect(Math.abs(mean(errors))).toBeLessThan(0.1);
  expect(Math.max(...errors.map(Math.abs))).toBeLessThan(3);
  const ofOne = errors.filter((_, i) => i % 2 === 0);
  expect(Math.abs(pearson(ofOne, own))).toBeLessThan(0.3);
});
