import { describe, expect, it } from "vitest";
import { fairnessOf, fairnessOfLogged } from "../../src/spec/fairness.ts";
import { presetSpec, toSpec } from "../../src/spec/presets.ts";

const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id);

describe("the fairness card", () => {
  it("says of the preset nano that GRPO sees fewer tasks, and that all share one rate", () => {
    const { rows, warnings } = fairnessOf(presetSpec("nano"))!;
    expect(rows.find(({ id }) => id === "tasks")).toEqual({
      ...{ id: "tasks", equal: false },
      values: { grpo: "16 × 8", "token-ppo": "128 × 1", "turn-ppo": "128 × 1" },
    });
    expect(warnings).toEqual([
      { id: "tasks", fewer: ["grpo"], more: ["token-ppo", "turn-ppo"] },
      { id: "oneRate" },
    ]);
    expect(ids(rows.filter(({ equal }) => !equal))).toEqual(["tasks"]);
  });

  it("counts updates and critics' by each method's own settings", () => {
    const spec = toSpec({
      optimisation: { grouping: "all" },
      algorithms: [
        { name: "grpo", set: {}, with: { optimisation: { actorLr: 3e-4, minibatch: 128 } } },
        { name: "turn-ppo", set: {}, with: { critic: { epochs: 3 } } },
      ],
    });
    const { rows, warnings } = fairnessOf(spec)!;
    const values = (id: string) => rows.find((row) => row.id === id)!.values;
    // 128 episodes in minibatches of 128 and of 32, two epochs.
    expect(values("actorSteps")).toEqual({ grpo: "2", "turn-ppo": "8" });
    expect(values("criticSteps")).toEqual({ grpo: null, "turn-ppo": "12" });
    expect(values("tasks")).toEqual({ grpo: "16 × 8", "turn-ppo": "16 × 8" });
    expect(warnings).toEqual([{ id: "steps", fewer: ["grpo"], more: ["turn-ppo"] }]);
  });

  it("is silent of a log whose spec is not whole", () => {
    const { sampling: _, ...cut } = presetSpec("nano");
    expect(fairnessOfLogged(cut)).toBeNull();
    expect(fairnessOfLogged(undefined)).toBeNull();
    expect(fairnessOfLogged(presetSpec("nano"))).toEqual(fairnessOf(presetSpec("nano")));
  });

  it("is silent for one method, and names methods with loops of their own", () => {
    expect(fairnessOf(toSpec({ algorithms: [{ name: "grpo", set: {} }] }))).toBeNull();
    const { warnings } = fairnessOf(presetSpec("nano-iterative"))!;
    expect(ids(warnings)).toContain("outside");
    expect(fairnessOf(presetSpec("nano-tdpo"))!.warnings).toMatchObject([{ id: "outside" }]);
  });
});
