import { describe, expect, it } from "vitest";
import { InputError } from "../../src/numeric/inputError.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { presetSpec, toSpec } from "../../src/spec/presets.ts";
import { specAt } from "../../src/spec/schedule.ts";
import { specHash } from "../../src/spec/specHash.ts";

const PLANTS = [
  { at: 4, set: { "optimisation.groupSize": 2, "critic.lr": 0.5 } },
  { at: 9, set: { "critic.lr": 0, "sampling.temperature": 0.1 } },
];

describe("plants", () => {
  it("change their numbers from their iteration on, for every method, and nothing else", () => {
    const algorithms = [{ name: "turn-ppo", set: {}, with: { critic: { lr: 0.01, warmup: 2 } } }];
    const spec = toSpec({ algorithms, plants: PLANTS });
    expect(specAt(spec, "turn-ppo", 3).critic.lr).toBe(0.01);
    const at4 = specAt(spec, "turn-ppo", 4);
    expect(at4.optimisation).toEqual({ ...spec.optimisation, groupSize: 2 });
    expect(at4.critic).toEqual({ ...spec.critic, lr: 0.5, warmup: 2 });
    expect(at4.sampling).toEqual(spec.sampling);
    expect(specAt(spec, "turn-ppo", 9).critic.lr).toBe(0);
    expect(specAt(spec, "turn-ppo", 9).sampling.temperature).toBe(0.1);
  });

  it("come after a schedule, which is read as the first of them", () => {
    const schedule = { from: 6, criticLr: 0.2, epochs: 3 };
    const spec = toSpec({ schedule, plants: PLANTS });
    expect([5, 6, 9].map((k) => specAt(spec, "grpo", k).critic.lr)).toEqual([0.5, 0.5, 0]);
    expect(specAt(spec, "grpo", 6).optimisation.epochs).toBe(3);
  });

  it("belong to the fingerprint, and travel in a link", async () => {
    const spec = toSpec({ plants: PLANTS });
    expect(await specHash(spec)).not.toBe(await specHash(presetSpec("nano")));
    const link = encodeLink(spec);
    const text = decodeURIComponent(link);
    expect(text).toContain("4:optimisation.groupSize=2,critic.lr=0.5;9:critic.lr=0,sampling");
    expect(decodeLink(link)).toMatchObject({ spec, warnings: [] });
  });

  it.each<[string, unknown, string]>([
    ["no list", {}, "plants is {}; it must be a list"],
    ["an empty list", [], "plants is []; it must be a list of at least 1"],
    ["no iteration", [{ set: {} }], "plants[0].at is nothing; it must be a whole number"],
    ["nothing set", [{ at: 2, set: {} }], "plants[0].set is {}; it must set at least one number"],
    [
      "a number out of its range",
      [{ at: 2, set: { "optimisation.actorLr": 2 } }],
      "plants[0].set.optimisation.actorLr is 2; it must be a number from 0 to 1",
    ],
    [
      "the run's length",
      [{ at: 2, set: { "optimisation.iterations": 2 } }],
      "plants[0].set.optimisation.iterations is not a field of plants[0].set",
    ],
    [
      "the wrong order",
      [
        { at: 8, set: { "critic.lr": 0 } },
        { at: 3, set: { "critic.lr": 1 } },
      ],
      "plants[1].at is 3; it must be at least that of the plant before, 8",
    ],
    [
      "more memory",
      [{ at: 2, set: { "optimisation.groupSize": 1024 } }],
      "plants[0] makes tasksPerIteration x groupSize 16384; it must be at most the run's own, 128",
    ],
    [
      "longer turns",
      [{ at: 2, set: { "sampling.maxTokensPerTurn": 4000 } }],
      "plants[0] makes maxTokensPerTurn 4000; it must be at most the run's own",
    ],
    [
      "fewer episodes than a minibatch",
      [{ at: 2, set: { "optimisation.groupSize": 1 } }],
      "plants[0] optimisation.minibatch is ",
    ],
  ])("refuses %s", (_, plants, message) => {
    expect(() => toSpec({ plants })).toThrow(message);
  });

  it.each(["8", "8:critic.lr", "8:critic.lr=", "8:critic.lr=x", ":critic.lr=1", "8:a=1=2"])(
    "refuses the text %s in a link",
    (text) => {
      const { spec, warnings } = decodeLink(`#v1/nano?plants=${encodeURIComponent(text)}`);
      expect(spec.plants).toBeUndefined();
      expect(warnings[0]).toMatch(/^plants has .*; it must be as 8:optimisation/);
    },
  );

  it("refuses another temperature where pairs are collected before training", () => {
    const wrong = () =>
      toSpec({ preference: {}, plants: [{ at: 2, set: { "sampling.temperature": 2 } }] });
    expect(wrong).toThrow(InputError);
  });
});
