/** The value landscape, on nano with the wasm engine: right, and no trouble to training. */
import { expect, test, vi } from "vitest";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import { askedLearner, replay, type Service } from "../../src/runtime/services/asked.ts";
import { scoreEpisodes, stateValues, type Scored } from "../../src/runtime/services/score.ts";
import { answerValues } from "../../src/runtime/services/values.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { host, ofType, runSpec, runToEnd, tinySpec } from "../train/support.ts";
import { criticOf, type Learner } from "../../src/train/learner.ts";

const serviceOf = (experiment: Experiment): Service => ({
  experiment,
  progress: () => undefined,
  gate: () => Promise.resolve(),
});

async function trained(changes = {}) {
  const experiment = await Experiment.open(tinySpec(changes), await host());
  const events = [];
  while (experiment.position.iteration < 2) events.push(...(await experiment.advance()));
  const episodes = ofType(events, "iteration").find(
    ({ algorithm }) => algorithm === "turn-ppo",
  )!.episodes;
  return { experiment, episode: longest(episodes) };
}

const longest = (episodes: EpisodeRecord[]) =>
  episodes.reduce((most, one) => (one.turns.length > most.turns.length ? one : most));

test.each(["turn", "full"] as const)(
  "at the player's place it is V of the turn (context %s)",
  async (context) => {
    const { experiment, episode } = await trained({ context });
    const service = serviceOf(experiment);
    const asked = askedLearner(service, "turn-ppo");
    const played = replay(asked.player, episode).episode;
    const [{ values }] = (await scoreEpisodes(service, asked, [played])) as [Scored];
    expect(episode.turns.length).toBeGreaterThan(1);
    for (const turn of episode.turns.keys()) {
      const answer = await answerValues(service, {
        ...{ kind: "values", algorithm: "turn-ppo", episode, turn },
      });
      expect(answer).toMatchObject({ kind: "values", trained: 1, rows: 6, cols: 6 });
      const own = answer.values["turn-ppo"]!;
      expect(own).toHaveLength(answer.squares.length);
      expect(own[answer.squares.indexOf(answer.player)]).toBeCloseTo(values![turn]!, 4);
      expect(Object.keys(answer.values)).toEqual(["token-ppo", "turn-ppo"]);
      // Standing elsewhere is worth something else.
      expect(new Set(own).size).toBeGreaterThan(1);
      expect(symbolsAt(episode, turn, answer.squares)).toMatch(/^[_OPS]+$/);
      expect(answer.squares).toHaveLength(symbolCount(episode, turn));
    }
    experiment.dispose();
  },
);

const boardText = (episode: EpisodeRecord, turn: number) =>
  episode.turns[turn]!.observation.replaceAll("\n", "");
const symbolsAt = (episode: EpisodeRecord, turn: number, squares: number[]) =>
  squares.map((cell) => boardText(episode, turn)[cell]).join("");
const symbolCount = (episode: EpisodeRecord, turn: number) =>
  [...boardText(episode, turn)].filter((symbol) => "_OPS".includes(symbol)).length;

test("what cannot be answered is refused with a reason", async () => {
  const { experiment, episode } = await trained();
  const ask = (changes: object) =>
    answerValues(serviceOf(experiment), {
      ...{ kind: "values", algorithm: "turn-ppo", episode, turn: 0 },
      ...changes,
    });
  await expect(ask({ turn: 99 })).rejects.toThrow(/turn is 99; the episode has \d/);
  await expect(ask({ algorithm: "gspo" })).rejects.toThrow(/does not train gspo/);
  const first = { ...episode.turns[0]!, observation: "A shop" };
  const other = { ...episode, turns: [first, ...episode.turns.slice(1)] };
  await expect(ask({ episode: other })).rejects.toThrow(/cannot be replayed from turn 1/);
  experiment.dispose();
});

test("asking changes nothing of the run", async () => {
  const { experiment, episode } = await trained();
  const service = serviceOf(experiment);
  await answerValues(service, { kind: "values", algorithm: "turn-ppo", episode, turn: 0 });
  await runToEnd(experiment);
  expect(experiment.fingerprint).toBe((await runSpec(tinySpec())).fingerprint);
  experiment.dispose();
});

test("a critic is asked for the state alone, not for the tokens before it", async () => {
  const experiment = await Experiment.open(tinySpec(), await host());
  const learner = askedLearner(serviceOf(experiment), "turn-ppo").learner as Learner;
  const asked = vi.spyOn(criticOf(learner)!, "forward");
  const values = await stateValues(serviceOf(experiment), [1, 2, 3]);
  expect(values["turn-ppo"]).toEqual(expect.any(Number));
  const [{ rows, mask }] = asked.mock.lastCall!;
  expect([...mask!.subarray(0, rows.L)].flatMap((on, t) => (on ? [t] : []))).toEqual([2]);
  experiment.dispose();
});
