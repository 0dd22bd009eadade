import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../src/spec/canonical.ts";
import { validateSpec } from "../../src/spec/experiment.ts";
import { InputError } from "../../src/numeric/inputError.ts";
import { listPresets, presetNames, presetSpec, toSpec } from "../../src/spec/presets.ts";

test("every preset is a valid spec that names itself", () => {
  expect(presetNames.slice(0, 17)).toEqual([
    ...["nano", "nano-fair", "sokoban-class", "webshop-class", "webshop-think"],
    ...[
      "nano-qwen2",
      "nano-think",
      "nano-tdpo",
      "nano-iterative",
      "nano-process",
      "webshop-progress",
      "webshop-fair",
    ],
    ...["sokoban-class-many", "sokoban-class-fair"],
    ...["webshop-qwen2", "webshop-qwen2-progress", "webshop-think-progress"],
  ]);
  // Then the gallery: a healthy run and one per way to collapse.
  expect(presetNames.slice(17)).toEqual(
    expect.arrayContaining(["healthy", "collapse-template", "collapse-ratio"]),
  );
  for (const name of presetNames) {
    const spec = presetSpec(name);
    expect(validateSpec(spec)).toEqual(spec);
    expect(toSpec({ preset: name })).toEqual(spec);
  }
  expect(listPresets().map(({ name }) => name)).toEqual(presetNames);
});

test("a partial spec takes the rest from its preset, objects merged and lists replaced", () => {
  const spec = toSpec({
    preset: "sokoban-class",
    optimisation: { iterations: 7 },
    algorithms: [{ name: "turn-ppo", set: { gamma: 0.5 } }],
  });
  const preset = presetSpec("sokoban-class");
  expect(spec.optimisation).toEqual({ ...preset.optimisation, iterations: 7 });
  expect(spec.algorithms).toEqual([{ name: "turn-ppo", set: { gamma: 0.5 } }]);
  expect(spec.environment).toEqual(preset.environment);
});

test("a spec from before the learning-rate warm-up has none", () => {
  const { actorLrWarmup, ...optimisation } = presetSpec("sokoban-class").optimisation;
  expect(actorLrWarmup).toBeGreaterThanOrEqual(0);
  const old = { ...presetSpec("sokoban-class"), optimisation };
  expect(validateSpec(old).optimisation).toEqual({ ...optimisation, actorLrWarmup: 0 });
});

const bad: [string, unknown, string][] = [
  [
    "a defaulted field out of range",
    { optimisation: { actorLrWarmup: -1 } },
    "optimisation.actorLrWarmup is -1; it must be a whole number from 0 to 1000",
  ],
  [
    "a number out of range",
    { optimisation: { groupSize: 0 } },
    "optimisation.groupSize is 0; it must be a whole number from 1 to 1024",
  ],
  [
    "a fraction",
    { optimisation: { iterations: 1.5 } },
    "optimisation.iterations is 1.5; it must be a whole number from 1 to 1000000",
  ],
  ["a word for a number", { seed: "x" }, 'seed is "x"; it must be a whole number from 0 to'],
  ["an unknown choice", { context: "both" }, 'context is "both"; it must be full or turn'],
  [
    "an unknown field",
    { critic: { speed: 1 } },
    "critic.speed is not a field of critic; allowed: kind, lr, coef, warmup, epochs",
  ],
  ["an unknown top field", { sed: 1 }, "sed is not a field of the spec; allowed: version, preset"],
  [
    "an unknown algorithm",
    { algorithms: [{ name: "ppo", set: {} }] },
    'algorithms[0].name is "ppo"; allowed: reinforce, ',
  ],
  [
    "an algorithm twice",
    {
      algorithms: [
        { name: "grpo", set: {} },
        { name: "grpo", set: {} },
      ],
    },
    "a second time",
  ],
  [
    "an unknown setting",
    { algorithms: [{ name: "grpo", set: { gama: 1 } }] },
    'algorithms[0].set: "gama" is not a setting',
  ],
  [
    "a setting out of range",
    { algorithms: [{ name: "turn-ppo", set: { gamma: 2 } }] },
    "algorithms[0].set: gamma is 2; it must be a number from 0 to 1",
  ],
  ["no algorithm", { algorithms: [] }, "algorithms is []; it must be a list of at least 1"],
  [
    "a minibatch beyond the batch",
    { optimisation: { minibatch: 999 } },
    "optimisation.minibatch is 999; it must be at most",
  ],
  ["a future version", { version: 2 }, "version is 2; it must be 1"],
  ["an unknown preset", { preset: "huge" }, 'preset is "huge"; allowed: nano, nano-fair'],
  [
    "an unknown environment",
    { environment: { kind: "chess" } },
    'environment.kind is "chess"; it must be sokoban or webshop',
  ],
  [
    "an environment without its preset",
    { environment: { kind: "webshop" } },
    'environment.kind is "webshop"; preset nano plays sokoban, take preset webshop-class or webshop-think or webshop-progress or webshop-fair',
  ],
  [
    "a field of the other environment",
    { preset: "webshop-class", environment: { boxes: 2 } },
    "environment.boxes is not a field of environment; allowed: kind, catalogSeed, observation",
  ],
  [
    "a shop's field out of range",
    { preset: "webshop-class", environment: { catalogSeed: -1 } },
    "environment.catalogSeed is -1; it must be a whole number from 0 to 4294967295",
  ],
  [
    "a shop's unknown choice",
    { preset: "webshop-class", environment: { observation: "html" } },
    'environment.observation is "html"; it must be text or text_rich',
  ],
  [
    "noise out of range",
    { preset: "webshop-class", clone: { noise: 2 } },
    "clone.noise is 2; it must be a number from 0 to 1",
  ],
  [
    "noise where no expert makes any",
    { clone: { noise: 0.5 } },
    "clone.noise is 0.5; environment.kind sokoban does not have it",
  ],
  ["no object", [], "the spec is []; it must be an object"],
  ["null for an object", { critic: null }, "critic is null; it must be an object"],
];

test.each(bad)("%s is refused by name, value and range", (_, partial, message) => {
  expect(() => toSpec(partial)).toThrow(InputError);
  expect(() => toSpec(partial)).toThrow(message);
});

test("a Sokoban spec is what it was before there were shops", () => {
  const { environment, clone } = presetSpec("nano");
  expect(Object.keys(environment)).toEqual([
    ...["kind", "rows", "columns", "boxes", "searchDepth", "trainLevels"],
    ...["maxTurns", "maxActions", "maxActionsPerTurn", "formatPenalty"],
  ]);
  expect(Object.keys(clone)).toEqual(["levels", "steps", "batch", "lr"]);
});

test("whatever is thrown at it, a spec is valid or refused in one line", () => {
  const keys = fc.constantFrom(
    "seed",
    "critic",
    "optimisation",
    "algorithms",
    "__proto__",
    "preset",
    "x",
  );
  fc.assert(
    fc.property(fc.dictionary(keys, fc.jsonValue()), (partial) => {
      try {
        expect(validateSpec(toSpec(partial))).toBeTruthy();
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        expect((error as Error).message).not.toContain("\n");
      }
    }),
    { numRuns: 300 },
  );
});

test("hostile keys do not reach any prototype", () => {
  expect(() =>
    toSpec(JSON.parse('{"__proto__": {"seed": 5}, "critic": {"__proto__": {"lr": 9}}}')),
  ).toThrow(InputError);
  expect(({} as Record<string, unknown>)["seed"]).toBeUndefined();
});

test("canonical JSON sorts keys at every depth and has no spaces", () => {
  expect(canonicalJson({ b: [1, { d: null, c: "ü√" }], a: true, z: undefined })).toBe(
    '{"a":true,"b":[1,{"c":"ü√","d":null}]}',
  );
  expect(() => canonicalJson({ a: Number.NaN })).toThrow(TypeError);
});

test("canonical JSON parses back to the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("refuses a segmentation beside Iterative PPO, whose units are the environment's turns", () => {
  const spec = presetSpec("nano-iterative");
  const optimisation = { ...spec.optimisation, segmentation: "theirs" };
  const definitions = [{ kind: "segmentation", name: "theirs", source: "({ tokens }) => []" }];
  expect(() => validateSpec({ ...spec, optimisation, definitions })).toThrow(
    /optimisation\.segmentation is "theirs"; it must be absent beside iterative/,
  );
});
