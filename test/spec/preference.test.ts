import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { validateSpec } from "../../src/spec/experiment.ts";
import { InputError } from "../../src/numeric/inputError.ts";
import { decodeLink, encodeLink, sameSpec } from "../../src/spec/link.ts";
import {
  learnerNames,
  preferenceConfigs,
  preferenceDefaults,
  preferenceNames,
  preferenceRows,
} from "../../src/spec/preference.ts";
import { classPresetNames, presetSpec, toSpec } from "../../src/spec/presets.ts";

test("a spec without the field has no such learners, and names none", () => {
  const { preference, ...rest } = presetSpec("nano");
  expect(preference).toBeUndefined();
  expect("preference" in validateSpec(rest)).toBe(false);
  expect(preferenceConfigs(preference)).toEqual([]);
});

test("what is not said is the papers': beta 0.1, alpha 0.5, TDPO2, offline", () => {
  const { preference } = toSpec({ preference: { lr: 1e-3 } });
  expect(preference).toEqual({ ...preferenceDefaults(), lr: 1e-3 });
  expect(preference).toMatchObject({
    methods: ["tdpo2"],
    beta: 0.1,
    alpha: 0.5,
    rounds: "offline",
  });
});

test("the methods of a spec in its order, with its settings; learners are algorithms first", () => {
  const spec = toSpec({
    algorithms: [{ name: "grpo", set: {} }],
    preference: { methods: ["tdpo1", "dpo"], beta: 0.3 },
  });
  expect(learnerNames(spec)).toEqual(["grpo", "tdpo1", "dpo"]);
  const configs = preferenceConfigs(spec.preference);
  expect(configs.map(({ name, beta, critic }) => [name, beta, critic])).toEqual([
    ["tdpo1", 0.3, "none"],
    ["dpo", 0.3, "none"],
  ]);
});

test("every row has a title, a paper, a sentence and a formula", () => {
  for (const { title, arxiv, about, formula } of preferenceRows) {
    expect(title).toMatch(/^[A-Z0-9]+$/);
    expect(arxiv).toMatch(/^\d{4}\.\d{5}$/);
    expect(about).toMatch(/^[A-Z].*\.$/);
    expect(formula).toContain("m(y_w)-m(y_l)");
  }
});

const bad: [string, object, string][] = [
  [
    "an unknown method",
    { preference: { methods: ["kto"] } },
    'preference.methods[0] is "kto"; it must be dpo or ipo or tdpo1 or tdpo2',
  ],
  [
    "no method",
    { preference: { methods: [] } },
    "preference.methods is []; it must be a list of at least 1",
  ],
  [
    "a method twice",
    { preference: { methods: ["dpo", "dpo"] } },
    'preference.methods has "dpo" a second time; each method may appear once',
  ],
  [
    "beta 0",
    { preference: { beta: 0 } },
    "preference.beta is 0; it must be a number from 0.000001 to 1000",
  ],
  [
    "an unknown field",
    { preference: { gamma: 1 } },
    "preference.gamma is not a field of preference; allowed: methods, rounds, reference, collect, pairsPerTask",
  ],
  [
    "rounds of another kind",
    { preference: { rounds: "online" } },
    'preference.rounds is "online"; it must be offline or iterated',
  ],
  [
    "groups of one",
    { preference: {}, optimisation: { groupSize: 1, minibatch: 1 } },
    "optimisation.groupSize is 1; preference pairs need at least 2",
  ],
  [
    "collecting over iterations that each start again",
    { preference: { rounds: "iterated", collect: 2 } },
    "preference.collect is 2; it must be 1 where preference.rounds is iterated",
  ],
  [
    "other sampling half-way through an offline run",
    { preference: {}, schedule: { from: 2, temperature: 2 } },
    "schedule or plants set sampling.temperature to 2; it must not change where preference.rounds is offline",
  ],
  ["no learner at all", { algorithms: [] }, "algorithms is []; it must be a list of at least 1"],
];
test.each(bad)("refuses %s", (_what, partial, message) => {
  expect(() => toSpec(partial)).toThrow(InputError);
  expect(() => toSpec(partial)).toThrow(message);
});

describe("links", () => {
  it("switch the learners on, with what differs from the defaults", () => {
    const spec = toSpec({ preference: { methods: ["dpo", "tdpo2"], lr: 1e-3 } });
    const link = "#v1/nano?preference=on&preference.methods=dpo,tdpo2&preference.lr=0.001";
    expect(encodeLink(spec)).toBe(link);
    expect(sameSpec(decodeLink(link).spec, spec)).toBe(true);
  });
  it("switch them on by naming a field, and off by a word", () => {
    const named = decodeLink("#v1/nano?preference.beta=0.2");
    expect(named.warnings).toEqual([]);
    expect(named.spec.preference).toEqual({ ...preferenceDefaults(), beta: 0.2 });
    const off = decodeLink("#v1/nano-tdpo?preference=none&algorithms=grpo");
    expect(off.warnings).toEqual([]);
    expect(off.spec.preference).toBeUndefined();
    expect(encodeLink(off.spec)).toBe("#v1/nano-tdpo?preference=none&algorithms=grpo");
  });
  it.each([
    ["preference=yes", 'preference is "yes"; it must be on or none, or one of its fields'],
    ["preference.methods=dpo,kto", 'preference.methods[1] is "kto"'],
    ["preference.speed=1", "preference.speed is not a field of the experiment"],
    ["preference.methods=", "preference.methods is []"],
  ])("say what is wrong with %s, and leave it out", (change, warning) => {
    const { spec, warnings } = decodeLink(`#v1/nano?${change}`);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(warning);
    expect(spec).toEqual(presetSpec("nano"));
  });
  it("give back every experiment on pairs", () => {
    const settings = fc.record(
      {
        methods: fc.shuffledSubarray([...preferenceNames], { minLength: 1 }),
        pairsPerTask: fc.integer({ min: 1, max: 512 }),
        beta: fc.double({ min: 1e-6, max: 1000, noNaN: true }),
        heldOut: fc.double({ min: 0, max: 0.9, noNaN: true }),
      },
      { requiredKeys: [] },
    );
    const names = fc.subarray(["grpo", "turn-ppo"]);
    const presets = fc.constantFrom(...classPresetNames);
    fc.assert(
      fc.property(presets, fc.option(settings), names, (preset, preference, algorithms) => {
        const base = presetSpec(preset);
        const named = algorithms.map((name) => ({ name, set: {} }));
        const { preference: _own, ...without } = base;
        const spec = validateSpec({
          ...without,
          algorithms: named.length > 0 || preference ? named : [{ name: "grpo", set: {} }],
          ...(preference && { preference: { ...preferenceDefaults(), ...preference } }),
        });
        const decoded = decodeLink(encodeLink(spec));
        expect(decoded.warnings).toEqual([]);
        expect(sameSpec(decoded.spec, spec)).toBe(true);
      }),
    );
  });
});
