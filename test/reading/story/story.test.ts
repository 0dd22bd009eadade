import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/record/runEvent.ts";
import { TURN_PLACE } from "../../../src/spec/turnPlace.ts";
import { storiesOf } from "../../../src/reading/story/story.ts";
import {
  falls,
  logOfEvents,
  madeEpisode,
  PLANTED,
  plantedEvents,
  type Plant,
} from "../../fixtures/plantedLog.ts";

const storyOf = (plant: Plant) => storiesOf(logOfEvents(plantedEvents(plant)))[0]!;
const flat = () => ({ "actor/entropy": 0.6, "sokoban/success": 0.2, "critic/score/mean": 1.2 });

it("says nothing about a run of a few iterations", () => {
  const story = storyOf({ iterations: 7, train: () => ({}) });
  expect(story).toMatchObject({ verdict: "too-early", onset: null, causes: [] });
});

it("tells what a method did: fell, stalled, fell back, lost its format", () => {
  expect(storyOf({ heldOut: () => 0.08, train: () => ({ "sokoban/success": 0.1 }) }).verdict).toBe(
    "fell",
  );
  const back = (since: number) => (since < 10 ? 0.6 : 0.26);
  expect(storyOf({ heldOut: back }).verdict).toBe("fell-back");
  const invalid = () => ({ "sokoban/action_is_valid": 0.1 });
  expect(storyOf({ heldOut: falls, train: invalid }).verdict).toBe("lost-format");
  const events = plantedEvents({ heldOut: () => 0.21 }).map((event) =>
    event.type === "iteration"
      ? { ...event, metrics: { ...event.metrics, ...flat() } }
      : event.type === "eval"
        ? { ...event, metrics: { "val-env/sokoban/success": 0.21 } }
        : event,
  );
  expect(storiesOf(logOfEvents(events))[0]).toMatchObject({ verdict: "stalled", causes: [] });
});

describe("what is not there is not told", () => {
  const heldOutAt = (scores: readonly number[], every = 10): RunEvent[] =>
    plantedEvents({ iterations: every * (scores.length - 1) })
      .filter((event) => event.type !== "eval" || event.iteration % every === 0)
      .map((event): RunEvent =>
        event.type === "eval"
          ? { ...event, metrics: { "val-env/sokoban/success": scores[event.iteration / every]! } }
          : event,
      );
  const told = (events: readonly RunEvent[]) => storiesOf(logOfEvents(events))[0]!;
  /** With these numbers alone. */
  const alone = (metrics: (iteration: number) => Record<string, number | null>): RunEvent[] =>
    plantedEvents().flatMap((event): RunEvent[] =>
      event.type === "eval"
        ? []
        : event.type === "iteration"
          ? [{ ...event, metrics: metrics(event.iteration) }]
          : [event],
    );

  it("three evaluations show a fall, and no iteration of it", () => {
    const story = told(heldOutAt([0.4, 0.1, 0.1]));
    expect(story).toMatchObject({ verdict: "fell", onset: null, between: null });
    expect(story.says).toMatch(/^Fell: held-out success went from 40\.0\s% to 10\.0\s% by/);
  });

  it("a score that never moves has no onset, however large it is", () => {
    const still = told(alone(() => ({ "critic/score/mean": 0 })));
    expect(still).toMatchObject({ verdict: "stalled", onset: null, between: null, causes: [] });
    const huge = told(alone((i) => ({ "critic/score/mean": i % 2 ? 1e300 : -1e300 })));
    expect(huge).toMatchObject({ verdict: "stalled", onset: null });
  });

  it("the last value is said once", () => {
    const { says } = told(heldOutAt([0.4, 0.35, 0.2, 0.1]));
    expect(says).toMatch(/to 10\.0\s% by iteration 30\.$/);
  });

  it("a score that ends before its run does not speak for the rest", () => {
    const lost = told(
      alone((i) => ({ "critic/score/mean": i > 12 ? null : 0.02 * i, "actor/entropy": 0.5 })),
    );
    expect(lost.says).toMatch(/by iteration 12; none is logged after that, up to iteration 40\.$/);
    expect(told(heldOutAt([0.1, 0.3, 0.5])).says).not.toContain("none is logged");
  });

  it("a reward that rises without any success is nothing learned, as success says", () => {
    const metrics = (i: number) => ({ "critic/score/mean": 0.02 * i, "sokoban/success": 0 });
    const story = told(alone(metrics));
    expect(story.verdict).toBe("stalled");
    expect(story.says).toMatch(/^Did not learn: success went from 0\.0\s% to 0\.0\s%/);
  });

  it("every cause has evidence, where its numbers were the same from the start, too", () => {
    const metrics = (i: number) => ({
      "sokoban/success": 0.2 + 0.001 * (i % 3),
      "response_length/clip_ratio": 0.6,
      "response_length/mean": 4,
    });
    const [cause] = told(alone(metrics)).causes;
    expect(cause).toMatchObject({ cause: "format-loss" });
    expect(cause!.because).toMatchObject([{ metric: "response_length/clip_ratio", from: 0.6 }]);
  });

  it("an episode from before the onset says so", () => {
    const episodes = (i: number) => (i === 2 ? [madeEpisode(0)] : []);
    const train = () => ({ "actor/entropy": 0.05 });
    const [cause] = storyOf({ heldOut: falls, train, episodes }).causes;
    expect(cause!.because[0]!.says).toMatch(/\(iteration 2, before this set in\)\.$/);
  });
});

it("a crash is a fall, with the iteration", () => {
  const crash = { type: "crash", algorithm: "turn-ppo", iteration: 12, cause: "x", action: "y" };
  const events = [...plantedEvents({ iterations: 11 }), { ...crash, chain: "", time: { at: "" } }];
  const [story] = storiesOf(logOfEvents(events as never));
  expect(story).toMatchObject({ verdict: "fell", onset: 12, causes: [{ cause: "large-steps" }] });
  expect(story!.says).toMatch(/^Crashed at iteration 12/);
});

it("leaves out numbers that are missing or not finite", () => {
  const holes = (since: number) => ({
    "actor/entropy": since % 3 === 0 ? null : 0.05,
    "actor/ppo_kl_k3": null,
  });
  const story = storyOf({ heldOut: falls, train: holes });
  expect(story.causes[0]).toMatchObject({ cause: "entropy-crash" });
  for (const { because } of story.causes)
    for (const { from, to } of because) expect([from, to].every(Number.isFinite)).toBe(true);
});

it("reads numbers alone, under other trainers' names, and says what they lack", () => {
  const events = plantedEvents({ heldOut: falls, train: () => ({}) }).flatMap((event) => {
    if (event.type !== "iteration") return [];
    const isBad = event.iteration >= PLANTED;
    const metrics = {
      reward: isBad ? 0.1 : 0.5 + 0.01 * event.iteration,
      entropy: isBad ? 3 : 0.7,
      kl: 0.01,
    };
    return [{ ...event, metrics }];
  });
  const [story] = storiesOf(logOfEvents(events));
  expect(story).toMatchObject({ verdict: "fell", causes: [{ cause: "entropy-blow-up" }] });
  // No settings are known here: a change that needs none.
  expect(story!.causes[0]!.test).toEqual({ set: expect.any(Object) });
  const missing = story!.notMeasured.map(({ cause }) => cause);
  expect(missing).toContain("silent-groups");
  expect(missing).not.toContain("reference-drift");
  expect(story!.notMeasured.every(({ needs }) => needs.length > 0)).toBe(true);
});

it("judges by verl's validation where it is logged, not by training", () => {
  const events = plantedEvents().flatMap((event) => {
    if (event.type !== "iteration") return [];
    const { iteration } = event;
    const held = { "val-core/openai/gsm8k/acc/mean@1": 0.5 - 0.01 * iteration };
    const metrics = { "critic/score/mean": 0.01 * iteration, ...(iteration % 5 === 0 && held) };
    return [{ ...event, metrics }];
  });
  const [story] = storiesOf(logOfEvents(events));
  expect(story).toMatchObject({
    ...{ verdict: "fell", last: { metric: "val-core/openai/gsm8k/acc/mean@1" } },
  });
  expect(story!.says).toMatch(/held-out success went from 45\.0\s% to 10\.0\s% by iteration 40\./);
});

it("names a group and an episode at the nearest recorded iteration that shows the cause", () => {
  const spread = [-0.8, -0.7, -0.5, -0.5].map((reward, i) => madeEpisode(i, { reward, task: "b" }));
  const silent = [4, 5, 6, 7].map((i) => madeEpisode(i, { task: "c", advantages: [0] }));
  const episodes = (i: number) => (i % 12 === 0 ? (i < 30 ? spread : [...spread, ...silent]) : []);
  const train = () => ({ frac_reward_zero_std: 0.7 });
  const [cause] = storyOf({ algorithm: "grpo", heldOut: falls, train, episodes }).causes;
  const { at, says } = cause!.because[0]!;
  expect(at).toBe("grpo,36,5,1");
  expect(at).toMatch(TURN_PLACE);
  expect(says).toContain("Group 2: all 4 recorded attempts earn −0.500 (iteration 36)");
});

it("methods that learned beside one that fell are named", () => {
  const start = plantedEvents({
    changes: { algorithms: ["grpo", "turn-ppo"].map((name) => ({ name, set: {} })) },
  });
  const fallen = plantedEvents({ algorithm: "grpo", heldOut: falls }).slice(1);
  const stories = storiesOf(logOfEvents([...start, ...fallen]));
  expect(stories.map(({ verdict }) => verdict)).toEqual(["fell", "learned"]);
  expect(stories[0]!.says).toContain("Turn-PPO learned in the same run.");
});
