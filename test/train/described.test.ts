/** FrozenLake and the bandit as runs: recorded luck, replay and fork, and the truth with its expectation over slips. */
import { describe, expect, it } from "vitest";
import type { FrozenLakeEnv } from "../../src/env/frozenLake/frozenLakeEnv.ts";
import { rollout } from "../../src/rollout/rollout.ts";
import type { ForkQuestion } from "../../src/runtime/questions.ts";
import { askedLearner, replay } from "../../src/runtime/services/asked.ts";
import { answerFork } from "../../src/runtime/services/fork.ts";
import { answerPlay } from "../../src/runtime/services/play.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { trueValues } from "../../src/train/oracle/trueValues.ts";
import { host, ofType, runSpec, runToEnd } from "./support.ts";

const specOf = (preset: string, changes: object = {}) =>
  toSpec({
    preset,
    clone: { levels: 8, steps: 2, batch: 8 },
    algorithms: [{ name: "turn-ppo", set: {} }],
    optimisation: { iterations: 2, tasksPerIteration: 2, groupSize: 4, minibatch: 4, epochs: 1 },
    critic: { warmup: 0, epochs: 1 },
    evaluation: { levels: 4, every: 1 },
    recordEpisodes: 8,
    engine: { backend: "wasm" },
    ...changes,
  });

describe.each(["frozenlake", "bandit"])("a run of %s", (preset) => {
  it("repeats bit for bit, and plays again and forks with the luck that it had", async () => {
    const experiment = await Experiment.open(specOf(preset), await host());
    const events = await runToEnd(experiment);
    const service = { experiment, progress: () => {}, gate: async () => {} };
    const { player } = askedLearner(service, "turn-ppo");
    const recorded = ofType(events, "iteration").flatMap(({ episodes }) => episodes);
    expect(recorded).toHaveLength(16);
    for (const episode of recorded) {
      expect(episode.turns.every(({ chance }) => Number.isSafeInteger(chance))).toBe(true);
      const { episode: again } = replay(player, episode);
      expect(again.finalObservation).toBe(episode.finalObservation);
    }
    const episode = ofType(events, "iteration").at(-1)!.episodes[0]!;
    const fork: ForkQuestion = {
      ...{ kind: "fork", algorithm: "turn-ppo", iteration: 2, episode, branches: 4 },
      ...{ turn: 0, board: null, response: episode.turns[0]!.text },
    };
    const answer = await answerFork(service, fork);
    const { text, reward, actions } = episode.turns[0]!;
    expect(answer.played).toMatchObject({ text, reward, actions });
    for (const kept of answer.kept)
      expect(replay(player, kept).episode.finalObservation).toBe(kept.finalObservation);
    // The playground lists what can be said, and how likely it is.
    const play = { kind: "play" as const, algorithm: "turn-ppo", seed: 1_000_000 };
    const game = await answerPlay(service, { ...play, said: [], take: false, draw: 0 });
    expect(game.moves.map(({ action }) => action)).toEqual(
      player.world.actions!(createdAt(player.world, 1_000_000)),
    );
    experiment.dispose();
    expect((await runSpec(specOf(preset))).fingerprint).toBe(experiment.fingerprint);
  });
});

function createdAt(
  { create }: Awaited<ReturnType<typeof askedLearner>>["player"]["world"],
  seed: number,
) {
  const game = create(seed);
  game.reset(seed);
  return game;
}

it("V* and what a turn gave away are expectations over the slips, not what happened", async () => {
  const experiment = await Experiment.open(specOf("frozenlake"), await host());
  const service = { experiment, progress: () => {}, gate: async () => {} };
  const { player } = askedLearner(service, "turn-ppo");
  const tasks = Array.from({ length: 12 }, (_, i) => ({ name: `lake ${i}`, seed: 500 + i }));
  const key = { seed: 2, stream: "rollout", iteration: 1 };
  const episodes = await rollout({ ...player, tasks, key });
  const options = { branches: 16, gamma: 0.9, key: { seed: 5, iteration: 1 } };
  const truth = await trueValues(player, episodes, options);
  const turns = episodes.flatMap((episode) => episode.turns);
  expect(truth.best.every((V) => V >= 0 && V <= 1)).toBe(true);
  truth.bestAdvantage.forEach((A) => expect(A).toBeLessThan(1e-9));
  // Where one slipped into the goal or a hole, what happened is not what was to be expected.
  expect(truth.bestAdvantage.some((A) => A < -0.01)).toBe(true);
  let k = 0;
  let expectations = 0;
  for (const { task, turns: played } of episodes) {
    const game = player.world.create(task.seed) as FrozenLakeEnv;
    let { info } = game.reset(task.seed);
    for (const { responseIds, chance } of played) {
      const answer = player.world.prompter.answer(responseIds, info);
      const Q = player.world.bestAfter!(game, answer, 0.9);
      expect(truth.bestAdvantage[k]!).toBeCloseTo(Q - truth.best[k]!, 12);
      // The mean over 3000 chances, each followed by the best player.
      if (k % 5 === 0) {
        const saved = game.snapshot();
        const n = 3000;
        let sum = 0;
        for (let i = 0; i < n; i++) {
          game.restore(saved);
          const { reward } = game.step(answer, i);
          sum += reward + 0.9 * player.world.best!(game, 0.9);
        }
        game.restore(saved);
        expect(Math.abs(sum / n - Q)).toBeLessThan(4 * (0.5 / Math.sqrt(n)));
        expectations++;
      }
      ({ info } = game.step(answer, chance));
      k++;
    }
  }
  expect(k).toBe(turns.length);
  expect(expectations).toBeGreaterThan(2);
  experiment.dispose();
});

it("a bandit's V* is the better arm's mean, and the other arm gives the difference away", async () => {
  const experiment = await Experiment.open(specOf("bandit"), await host());
  const { player } = askedLearner(
    { experiment, progress: () => {}, gate: async () => {} },
    "turn-ppo",
  );
  const tasks = Array.from({ length: 24 }, (_, i) => ({ name: `game ${i}`, seed: i }));
  const episodes = await rollout({ ...player, tasks, key: { seed: 3, stream: "r", iteration: 1 } });
  const options = { branches: 4, gamma: 1, key: { seed: 5, iteration: 1 } };
  const { best, bestAdvantage } = await trueValues(player, episodes, options);
  episodes.forEach(({ turns, success }, k) => {
    const [{ actions, formatPenalty }] = turns as [(typeof turns)[number]];
    const Q = actions?.length ? (success ? 0.25 : 0.1) : formatPenalty;
    expect(best[k]).toBe(0.25);
    expect(bestAdvantage[k]).toBeCloseTo(Q! - 0.25, 12);
  });
  experiment.dispose();
});
