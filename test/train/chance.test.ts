/** Sokoban with moves that slip and boards shown wrongly: runs, replays and the truth. */
import { expect, it } from "vitest";
import { isSolved, parseBoard } from "../../src/env/sokoban/board.ts";
import { SokobanEnv } from "../../src/env/sokoban/sokobanEnv.ts";
import { solveActions } from "../../src/env/sokoban/solver.ts";
import { runWhole } from "../../src/numeric/sliced.ts";
import { rollout } from "../../src/rollout/rollout.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { SokobanOptimum } from "../../src/train/oracle/sokobanOptimum.ts";
import { statesOf, type Player, type State } from "../../src/train/oracle/branches.ts";
import { trueValues } from "../../src/train/oracle/trueValues.ts";
import { askedLearner, replay } from "../../src/runtime/services/asked.ts";
import type { ForkQuestion } from "../../src/runtime/questions.ts";
import { taskFamilyOf } from "../../src/train/warmStart.ts";
import { answerFork } from "../../src/runtime/services/fork.ts";
import { validateSpec } from "../../src/spec/experiment.ts";
import { probabilities, RESPONSES, TABLE, tableBoard, tablePlayer } from "./oracleTable.ts";
import { host, ofType, runSpec, runToEnd, tinySpec } from "./support.ts";

const SLIP = 0.3;

const noisySpec = () =>
  tinySpec({
    algorithms: [{ name: "turn-ppo", set: {} }],
    environment: { slip: SLIP, observationNoise: 0.1, stepCost: -0.2, successBonus: 5 },
  });

it("a run repeats bit for bit, and its recorded episodes play again with the luck they had", async () => {
  const experiment = await Experiment.open(noisySpec(), await host());
  const events = await runToEnd(experiment);
  const turns = ofType(events, "iteration").flatMap(({ episodes }) =>
    episodes.flatMap((episode) => episode.turns),
  );
  expect(turns.every(({ chance }) => Number.isSafeInteger(chance))).toBe(true);
  expect(new Set(turns.map(({ chance }) => chance)).size).toBe(turns.length);
  const service = { experiment, progress: () => {}, gate: async () => {} };
  const { player } = askedLearner(service, "turn-ppo");
  for (const { episodes } of ofType(events, "iteration"))
    for (const episode of episodes) {
      const { episode: again } = replay(player, episode);
      expect(again.turns.map(({ actions }) => actions)).toEqual(
        episode.turns.map(({ actions }) => actions),
      );
      expect(again.finalObservation).toBe(episode.finalObservation);
    }
  // A fork that says what was said meets the same luck, twice.
  const [episode] = ofType(events, "iteration").at(-1)!.episodes;
  const fork: ForkQuestion = {
    ...{
      kind: "fork" as const,
      algorithm: "turn-ppo",
      iteration: 2,
      episode: episode!,
      branches: 4,
    },
    ...{ turn: 0, board: null, response: episode!.turns[0]!.text },
  };
  const answer = await answerFork(service, fork);
  const { text, reward, actions } = episode!.turns[0]!;
  expect(answer.played).toMatchObject({ text, reward, actions });
  expect(await answerFork(service, fork)).toEqual(answer);
  // A kept fork is an episode that plays again too.
  for (const kept of answer.kept)
    expect(replay(player, kept).episode.finalObservation).toBe(kept.finalObservation);
  // Without its chance, a turn that slipped comes out otherwise.
  const lost = ofType(events, "iteration").flatMap(({ episodes }) => episodes);
  const played = lost.filter((episode) => {
    const turnsOf = episode.turns.map(({ chance: _, ...turn }) => turn);
    try {
      replay(player, { ...episode, turns: turnsOf });
      return true;
    } catch {
      return false;
    }
  });
  expect(played.length).toBeLessThan(lost.length / 2);
  experiment.dispose();
  expect((await runSpec(noisySpec())).fingerprint).toBe(experiment.fingerprint);
});

it("no turn of a run without chance has one", async () => {
  const spec = tinySpec({ algorithms: [{ name: "grpo", set: {} }] });
  expect(Object.keys(spec.environment)).not.toContain("slip");
  const { events } = await runSpec(
    validateSpec({ ...spec, optimisation: { ...spec.optimisation, iterations: 1 } }),
  );
  const [iteration] = ofType(events, "iteration");
  expect(iteration!.episodes[0]!.turns[0]).not.toHaveProperty("chance");
});

/** The table's policy where moves slip. */
function slippery(): Player {
  const plain = tablePlayer("turn");
  const create = (seed: number) =>
    new SokobanEnv({ ...TABLE, slip: SLIP, level: parseBoard(tableBoard(seed)) });
  return { ...plain, world: { ...plain.world, create, chancy: true } };
}

type Where = Pick<State, "task" | "turn" | "snapshot" | "queryIds" | "info">;

/** V by summing over responses and directions, in the game without slips. */
function exactV(player: Player, where: Where): number {
  const chances = probabilities(where.queryIds);
  return RESPONSES.reduce((sum, _, i) => sum + chances[i]! * exactQ(player, where, i), 0);
}

function exactQ(player: Player, where: Where, response: number): number {
  const moves = [0, 1, 2, 3];
  // The fifth response is bad form: nothing moves, nothing slips.
  if (response === 4) return outcome(player, where, 4);
  return moves.reduce(
    (sum, d) => sum + (d === response ? 1 - SLIP : SLIP / 3) * outcome(player, where, d),
    0,
  );
}

/** The turn's reward and V of where it leads, if the move goes this way for sure. */
function outcome(player: Player, { task, turn, snapshot, info }: Where, direction: number): number {
  const { prompter } = player.world;
  const sure = tablePlayer("turn").world.create(task.seed);
  sure.restore(snapshot);
  const said = RESPONSES[direction]!;
  const step = sure.step(prompter.answer(said, info as never));
  if (step.terminated || step.truncated) return step.reward;
  const queryIds = prompter.query(step.observation, step.info, turn + 1, said);
  const next = { task, turn: turn + 1, snapshot: sure.snapshot(), queryIds, info: step.info };
  return step.reward + exactV(player, next);
}

it("true V, Q and A are expectations over the slips too, not what happened", async () => {
  const player = slippery();
  const tasks = [37, 120, 251].map((seed) => ({ name: `board ${seed}`, seed }));
  const key = { seed: 2, stream: "rollout", iteration: 1 };
  const episodes = await rollout({ ...player, tasks, key });
  const options = { branches: 1500, gamma: 1, key: { seed: 5, iteration: 1 } };
  const truth = await trueValues(player, episodes, options);
  const states = episodes.flatMap((episode) => statesOf(player.world, episode));
  const said = episodes.flatMap(({ turns }) => turns.map(({ responseIds }) => responseIds));
  expect(Number.isNaN(truth.best[0]!)).toBe(true);
  states.forEach((state, k) => {
    const response = RESPONSES.findIndex((ids) => ids.join() === said[k]!.join());
    const [V, Q] = [exactV(player, state), exactQ(player, state, response)];
    const near = (told: number, x: number, error: number) =>
      expect(Math.abs(told - x)).toBeLessThan(4.5 * error + 1e-9);
    near(truth.value.mean[k]!, V, truth.value.standardError[k]!);
    near(truth.actionValue.mean[k]!, Q, truth.actionValue.standardError[k]!);
    near(truth.advantage.mean[k]!, Q - V, truth.advantage.standardError[k]!);
  });
});

it.each([0, 0.2])(
  "where turns must have two moves, all demonstrated ones have: slip %s",
  (slip) => {
    const spec = tinySpec({ environment: { maxTurns: 5, minActionsPerTurn: 2, slip } });
    const { world, demonstrate } = taskFamilyOf(spec);
    let odd = 0;
    for (let seed = 0; seed < 30; seed++) {
      const game = world.create(seed) as SokobanEnv;
      let { info } = game.reset(seed);
      const moves = solveActions(game.board)!.length;
      const demonstration = runWhole(demonstrate(seed));
      if (!demonstration) continue;
      odd += moves % 2;
      for (const response of demonstration.responses) {
        ({ info } = game.step(world.prompter.answer(response, info)));
        expect(info.formatPenalty).toBe(0);
      }
      expect(isSolved(game.board)).toBe(true);
    }
    expect(odd).toBeGreaterThan(3);
  },
);

it("exact search refuses slips in one sentence", () => {
  const rules = {
    ...TABLE,
    minActionsPerTurn: 1,
    stepCost: -0.1,
    successBonus: 10,
    slip: 0.2,
    gamma: 1,
  };
  expect(() => new SokobanOptimum(rules)).toThrow("environment.slip is 0.2; exact search needs 0");
});
