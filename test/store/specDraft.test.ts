import { describe, expect, it } from "vitest";
import { presetSpec } from "../../src/spec/presets.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import {
  choosePreset,
  editField,
  fieldText,
  hasEdits,
  openDraft,
  toggleAlgorithm,
} from "../../src/store/specDraft.ts";

const draft = openDraft(shortRun());
const order = ["grpo", "token-ppo", "turn-ppo"];

describe("editing an experiment", () => {
  it("keeps an unusable text with its reason, and the last valid spec", () => {
    const bad = editField(draft, "optimisation.iterations", "many");
    expect(bad.spec).toEqual(draft.spec);
    expect(fieldText(bad, "optimisation.iterations")).toBe("many");
    expect(bad.pending["optimisation.iterations"]!.problem).toMatch(/iterations is "many"/);
    const good = editField(bad, "optimisation.iterations", " 7 ");
    expect(good.pending).toEqual({});
    expect(good.spec.optimisation.iterations).toBe(7);
  });

  it("tries waiting fields again when another one changes", () => {
    const waiting = editField(draft, "optimisation.minibatch", "64");
    expect(waiting.spec.optimisation.minibatch).toBe(16);
    const both = editField(waiting, "optimisation.groupSize", "16");
    expect(both.pending).toEqual({});
    expect(both.spec.optimisation).toMatchObject({ minibatch: 64, groupSize: 16 });
  });

  it("sets and unsets an algorithm's own numbers", () => {
    const set = editField(draft, "turn-ppo/gamma", "0.5");
    expect(set.spec.algorithms.find(({ name }) => name === "turn-ppo")!.set).toEqual({
      gamma: 0.5,
    });
    expect(fieldText(set, "turn-ppo/gamma")).toBe("0.5");
    expect(editField(set, "turn-ppo/gamma", "").spec).toEqual(draft.spec);
    expect(editField(draft, "turn-ppo/gamma", "2").pending["turn-ppo/gamma"]!.problem).toMatch(
      /gamma is 2/,
    );
  });

  it("sets and unsets what one method has for itself, and optional fields", () => {
    const path = "turn-ppo/optimisation.actorLr";
    const set = editField(editField(draft, path, "3e-4"), "turn-ppo/gamma", "0.5");
    const row = () => set.spec.algorithms.find(({ name }) => name === "turn-ppo")!;
    expect(row()).toMatchObject({ set: { gamma: 0.5 }, with: { optimisation: { actorLr: 3e-4 } } });
    expect(fieldText(set, path)).toBe("0.0003");
    const unset = editField(editField(set, path, ""), "turn-ppo/gamma", "");
    expect(unset.spec).toEqual(draft.spec);
    expect(editField(draft, path, "7").pending[path]!.problem).toMatch(/actorLr is 7/);
    const grouped = editField(draft, "optimisation.grouping", "all");
    expect(grouped.spec.optimisation.grouping).toBe("all");
    expect(editField(grouped, "optimisation.grouping", "").spec).toEqual(draft.spec);
  });

  it("knows local edits, typed or unfinished", () => {
    expect(hasEdits(draft)).toBe(false);
    expect(hasEdits(editField(draft, "seed", "2"))).toBe(true);
    expect(hasEdits(editField(draft, "seed", "x"))).toBe(true);
    expect(hasEdits(editField(editField(draft, "seed", "2"), "seed", "1"))).toBe(false);
  });

  it("switches methods on and off in their order, but never the last off", () => {
    let now = toggleAlgorithm(draft, "grpo", false, order);
    now = toggleAlgorithm(now, "token-ppo", false, order);
    now = toggleAlgorithm(now, "turn-ppo", false, order);
    expect(now.spec.algorithms.map(({ name }) => name)).toEqual(["turn-ppo"]);
    now = toggleAlgorithm(now, "grpo", true, order);
    expect(now.spec.algorithms.map(({ name }) => name)).toEqual(["grpo", "turn-ppo"]);
  });

  it("drops a method's unfinished texts with the method", () => {
    const waiting = editField(draft, "turn-ppo/gamma", "2");
    expect(toggleAlgorithm(waiting, "turn-ppo", false, order).pending).toEqual({});
  });

  it("takes another preset but keeps the seed", () => {
    const other = choosePreset(editField(draft, "seed", "9"), "sokoban-class");
    expect(other.spec).toEqual({ ...presetSpec("sokoban-class"), seed: 9 });
  });
});
