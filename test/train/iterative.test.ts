import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/record/runEvent.ts";
import type { ExperimentSpec, PartialSpec } from "../../src/spec/experiment.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";
import { episodeRow } from "../../src/train/episodes.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { tasksOf, playIteration } from "../../src/train/iterate.ts";
import { type IterationContext } from "../../src/train/context.ts";
import type { IterativeLearner } from "../../src/train/iterative/learner.ts";
import { actionCorrelation } from "../../src/train/iterative/iterateTurns.ts";
import { truthOf } from "../../src/train/process/processReward.ts";
import { potentialAfter } from "../../src/method/credit/shaping.ts";
import { answerAgain, paidBy, singleTurns } from "../../src/train/iterative/singleTurns.ts";
import { scoreTurns } from "../../src/train/process/turnScorer.ts";
import { taskFamilyOf } from "../../src/train/warmStart.ts";
import { mean } from "../../src/numeric/statistics.ts";
import { host, ofType, runSpec, runToEnd, tinySpec } from "./support.ts";
import { EVERY, some } from "../every.ts";

function tinyIterative(changes: PartialSpec = {}): ExperimentSpec {
  const base = {
    algorithms: [],
    iterative: { rounds: 2, q: { epochs: 1 } },
    evaluation: { levels: 4, every: 2 },
  };
  return tinySpec({ ...base, ...changes });
}

const iterations = (events: RunEvent[]) => ofType(events, "iteration");

/** An open experiment's only learner, and what its loop is told. */
async function opened(spec: ExperimentSpec) {
  const experiment = await Experiment.open(spec, await host());
  const context: IterationContext = { spec, family: taskFamilyOf(spec), clock: () => 0 };
  return { experiment, context, learner: experiment.learners[0] as IterativeLearner };
}

test("it runs beside the rows, on the same tasks and, at first, the same episodes", async () => {
  const algorithms = [{ name: "token-ppo", set: {} }];
  const { events } = await runSpec(tinyIterative({ algorithms }));
  expect(iterations(events).map(({ algorithm, iteration }) => `${algorithm} ${iteration}`)).toEqual(
    [1, 2].flatMap((n) => [`token-ppo ${n}`, `iterative-ppo ${n}`]),
  );
  const [row, iterative] = iterations(events);
  const played = ({ episodes }: typeof row & object) =>
    episodes.map(({ seed, reward, turns }) => [seed, reward, turns.map(({ text }) => text)]);
  expect(played(iterative!)).toEqual(played(row!));
  expect(ofType(events, "eval").map(({ algorithm }) => algorithm)).toContain("iterative-ppo");
  for (const { metrics } of iterations(events))
    expect(Object.entries(metrics).filter(([, value]) => value === null)).toEqual([]);
});

test("two responses in a state are told apart by the state that each leads to", async () => {
  const { experiment, context, learner } = await opened(tinyIterative());
  const episodes = await playIteration(context, learner, 1);
  const logged = singleTurns(episodes, "turn");
  const other = await answerAgain(context, learner, logged, { iteration: 1, round: 1 });
  experiment.dispose();
  const truth = truthOf(context.family, episodes);
  const led = potentialAfter(truth);
  const same = { singles: logged, q: led };
  // A Q that is the potential itself, against one that knows nothing and says the number of the turn.
  const { "q/true_gain": gain } = actionCorrelation(context.family, episodes, same, same);
  expect(gain).toBe(0);
  const apart = (q: Float64Array) =>
    actionCorrelation(context.family, episodes, same, { singles: other, q });
  const trueGain = apart(led)["q/true_gain"]!;
  expect(apart(led)).not.toHaveProperty("q/action_correlation");
  const after = new Float64Array(led.length);
  other.forEach(({ turns }, k) => {
    const h = Number(logged[k]!.task.name.split(":").at(-1));
    const b = truth.turnStart.findLastIndex((start) => start <= k);
    const game = context.family.world.create(episodes[b]!.task.seed);
    let { info } = game.reset(episodes[b]!.task.seed);
    const says = (ids: number[]) => context.family.world.prompter.answer(ids, info);
    for (const turn of episodes[b]!.turns.slice(0, h))
      ({ info } = game.step(says(turn.responseIds)));
    game.step(says(turns[0]!.responseIds));
    after[k] = context.family.potential(game);
  });
  expect(apart(after)["q/action_correlation"]).toBeCloseTo(1, 12);
  expect(trueGain).toBeCloseTo(mean(after) - mean(led), 12);
});

describe.each(["turn", "full"] as const)("in %s context", (context) => {
  test("a run saved half-way and opened again ends as if it had never stopped", async () => {
    const spec = tinyIterative({ context });
    const whole = await runSpec(spec);
    const { experiment } = await opened(spec);
    for (let i = 0; i < 2; i++) await experiment.advance();
    const saved = await decodeCheckpoint(await experiment.save());
    experiment.dispose();
    expect(Object.keys(saved.steps)).toContain("iterative-ppo:q");
    const second = await Experiment.open(spec, await host(), saved);
    await runToEnd(second);
    second.dispose();
    expect(second.fingerprint).toBe(whole.fingerprint);
  });

  test("a single turn is to Q what the turn is in its episode", async () => {
    const { experiment, context: told, learner } = await opened(tinyIterative({ context }));
    const episodes = await playIteration(told, learner, 1);
    const singles = singleTurns(episodes, context);
    // A head of zeros tells nothing apart.
    const weights = await learner.q.readWeights();
    for (const [name, { data }] of weights)
      if (/value|score/.test(name)) data.forEach((_, i) => (data[i] = ((i % 7) - 3) / 10));
    await learner.q.writeWeights(weights);
    const rowsOf = (list: typeof episodes) => list.map((one) => episodeRow(one, context, false));
    const inEpisodes = await scoreTurns(learner.q, rowsOf(episodes));
    const alone = await scoreTurns(learner.q, rowsOf(singles));
    experiment.dispose();
    expect(new Set(inEpisodes.map((q) => Math.fround(q))).size).toBeGreaterThan(8);
    expect(singles).toHaveLength(episodes.flatMap(({ turns }) => turns).length);
    inEpisodes.forEach((q, k) => expect(alone[k]).toBeCloseTo(q, 4));
  });
});

test("logged states are answered again: the same states, other responses, the same ones again", async () => {
  const { experiment, context, learner } = await opened(
    tinyIterative({ optimisation: { tasksPerIteration: 8, groupSize: 6, minibatch: 8 } }),
  );
  expect(await tasksOf(context, learner, 1)).toHaveLength(48);
  const episodes = await playIteration(context, learner, 1);
  const logged = singleTurns(episodes, "turn");
  const answers = (round: number) => answerAgain(context, learner, logged, { iteration: 1, round });
  const [first, again, other] = [await answers(1), await answers(1), await answers(2)];
  experiment.dispose();
  const ids = (list: typeof logged) => list.map(({ turns }) => turns[0]!.responseIds);
  // More than one chunk, and each chunk draws numbers of its own.
  expect(first.length).toBeGreaterThan(128);
  expect(first.map(({ turns }) => turns[0]!.queryIds)).toEqual(
    logged.map(({ turns }) => turns[0]!.queryIds),
  );
  expect(ids(again)).toEqual(ids(first));
  expect(ids(other)).not.toEqual(ids(first));
  expect(ids(first)).not.toEqual(ids(logged));
  expect(first.every(({ terminated, turns }) => terminated && turns.length === 1)).toBe(true);
  const paid = paidBy(
    first,
    Float64Array.from(first, (_, k) => k),
  );
  expect(paid.map(({ turns }) => turns[0]!.reward)).toEqual(first.map((_, k) => k));
});

test("further rounds change what is learned, not what is played first", async () => {
  const run = async (rounds: number) => {
    const iterative = { rounds, q: { epochs: 1 } };
    return iterations((await runSpec(tinyIterative({ iterative, critic: { warmup: 0 } }))).events);
  };
  const [one, three] = [await run(1), await run(3)];
  expect(three[0]!.metrics["critic/score/mean"]).toBe(one[0]!.metrics["critic/score/mean"]);
  expect(one[0]!.metrics["q/gain"]).toBe(0);
  expect(three[0]!.metrics["q/gain"]).not.toBe(0);
  expect(Math.abs(three[0]!.metrics["q/action_correlation"]!)).toBeLessThan(1);
  expect(Number.isFinite(three[0]!.metrics["q/true_gain"])).toBe(true);
  expect(three[0]!.updates!.length).toBe(3 * one[0]!.updates!.length);
  expect(new Set(three[0]!.updates!.map(({ epoch }) => epoch)).size).toBe(3);
});

test.each(some(["turn-ppo", "reinforce-pp", "rebn"], (name) => name === "turn-ppo"))(
  "the inner row may be %s",
  async (inner) => {
    const iterative = { inner, rounds: 1, q: { epochs: 1 } };
    const { events } = await runSpec(tinyIterative({ iterative }));
    expect(iterations(events)).toHaveLength(2);
    expect(events.at(-1)!.type).toBe("end");
  },
);

if (EVERY)
  test("Q explains outcomes of tasks that it was not fitted to", async () => {
    const { events } = await runSpec(
      tinyIterative({
        optimisation: {
          iterations: 4,
          tasksPerIteration: 16,
          groupSize: 8,
          minibatch: 32,
          epochs: 1,
        },
        iterative: { rounds: 1 },
        evaluation: { levels: 0 },
        recordEpisodes: 0,
      }),
    );
    const told = iterations(events).map(({ metrics }) => metrics);
    const column = (name: string) => told.map((metrics) => metrics[`q/explained_var/${name}`]!);
    // A head of zeros explains nothing.
    expect(Math.abs(column("before_fit")[0]!)).toBeLessThan(0.01);
    expect(mean(column("held_out").slice(1))).toBeGreaterThan(0.05);
    // Fitted to earlier iterations only, it already knows something of this one's.
    expect(mean(column("before_fit").slice(1))).toBeGreaterThan(0.02);
  });

test("nothing leaks: tensors and pool bytes after iteration 4 are those after iteration 2", async () => {
  const optimisation = {
    iterations: 4,
    tasksPerIteration: 2,
    groupSize: 4,
    minibatch: 4,
    epochs: 1,
  };
  const { engine } = await host();
  const { experiment } = await opened(tinyIterative({ optimisation }));
  const seen = [];
  while (!experiment.finished) {
    await experiment.advance();
    seen.push(engine.memory());
  }
  experiment.dispose();
  expect(seen[4]!.tensors).toBe(seen[2]!.tensors);
});

test.each([
  [{ inner: "grpo" }, /^iterative\.inner is "grpo"; it must be /],
  [{ inner: "remax" }, /^iterative\.inner is "remax"; it must be /],
  [{ rounds: 0 }, "iterative.rounds is 0; it must be a whole number from 1 to 32"],
  [{ q: { heldOut: 1 } }, "iterative.q.heldOut is 1; it must be a number from 0 to 0.9"],
])("refused: %j", (iterative, message) => {
  expect(() => toSpec({ preset: "nano", iterative })).toThrow(message);
});

test.each([
  [{ provider: "learned" }, /^processReward\.shaping is potential; with provider learned/],
  [{ noise: { flip: 0.5 } }, /^processReward\.noise\.flip is 0\.5; with shaping potential/],
  [{ provider: "magic" }, 'processReward.provider is "magic"; it must be none or exact or learned'],
  [{ eta: -1 }, "processReward.eta is -1; it must be a number from 0 to 1000"],
])("refused: %j", (processReward, message) => {
  expect(() => toSpec({ preset: "nano", processReward })).toThrow(message);
});

test("links carry both", () => {
  const spec = toSpec({
    preset: "nano",
    iterative: { inner: "turn-ppo", rounds: 3, q: { lr: 0.01 } },
    processReward: { provider: "learned", shaping: "raw", noise: { flip: 0.2 } },
  });
  const { spec: read, warnings } = decodeLink(encodeLink(spec));
  expect(warnings).toEqual([]);
  expect(read).toEqual(spec);
});
