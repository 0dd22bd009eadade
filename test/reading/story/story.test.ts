import { expect, it } from "vitest";
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
