import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { validateSpec, type ExperimentSpec } from "../../src/spec/experiment.ts";
import { decodeLink, encodeLink, sameSpec, traceStride } from "../../src/spec/link.ts";
import { changedSpec, specFromChanges } from "../../src/spec/specChanges.ts";
import { presetNames, presetSpec } from "../../src/spec/presets.ts";

const changed = (change: (spec: ExperimentSpec) => void): ExperimentSpec => {
  const spec = presetSpec("nano");
  change(spec);
  return validateSpec(spec);
};

const usual = changed((spec) => {
  spec.seed = 3;
  spec.optimisation.iterations = 2;
  spec.engine.backend = "wasm";
  spec.algorithms = [
    { name: "grpo", set: {} },
    { name: "turn-ppo", set: { gamma: 0.95, dualClip: null } },
  ];
});

/** Valid specs that differ from their preset in a few fields. */
const anySpec = fc
  .record({
    preset: fc.constantFrom(...presetNames),
    seed: fc.nat(),
    iterations: fc.integer({ min: 1, max: 1_000_000 }),
    groupSize: fc.integer({ min: 2, max: 64 }), // pairs need two
    actorLr: fc.double({ min: 0, max: 1, noNaN: true }),
    bootstrap: fc.boolean(),
    context: fc.constantFrom("full", "turn"),
    names: fc.shuffledSubarray(["grpo", "token-ppo", "turn-ppo"], { minLength: 1 }),
    gamma: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    dualClip: fc.constantFrom(undefined, null, "none", 5),
    ownLr: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    ownCritic: fc.constantFrom(undefined, "separate", "head-shared"),
    grouping: fc.constantFrom(undefined, "all", "each-own"),
    slip: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    bonus: fc.option(fc.double({ min: -100, max: 100, noNaN: true })),
  })
  .map((pick) => {
    const spec = presetSpec(pick.preset);
    spec.seed = pick.seed;
    spec.optimisation.iterations = pick.iterations;
    spec.optimisation.groupSize = pick.groupSize;
    spec.optimisation.minibatch = pick.groupSize;
    spec.optimisation.actorLr = pick.actorLr;
    spec.optimisation.bootstrapOnTruncation = pick.bootstrap;
    spec.context = pick.context as "full" | "turn";
    spec.algorithms = pick.names.map((name) => ({ name, set: {} }));
    const set = spec.algorithms[0]!.set;
    if (pick.gamma !== null) set["gamma"] = pick.gamma;
    if (pick.dualClip !== undefined) set["dualClip"] = pick.dualClip;
    const { ownLr, ownCritic: kind, grouping } = pick;
    if (ownLr !== null || kind)
      spec.algorithms[0]!.with = {
        ...(ownLr !== null && { optimisation: { actorLr: ownLr } }),
        ...(kind && { critic: { kind: kind as "separate" } }),
      };
    if (grouping) spec.optimisation.grouping = grouping as "all";
    if (spec.environment.kind === "sokoban") {
      if (pick.slip !== null) spec.environment.slip = pick.slip;
      if (pick.bonus !== null) spec.environment.successBonus = pick.bonus;
    }
    return validateSpec(spec);
  });

describe("links of a changed Sokoban", () => {
  it("carry pay and chance, and leave out what is absent", () => {
    const hash = "#v1/nano?environment.stepCost=-0.5&environment.slip=0.1";
    const { spec, warnings } = decodeLink(hash);
    expect(warnings).toEqual([]);
    expect(spec.environment).toMatchObject({ stepCost: -0.5, slip: 0.1 });
    expect(encodeLink(spec)).toBe(hash);
    const back = decodeLink(`${hash}&environment.slip=default`).spec;
    expect(Object.hasOwn(back.environment, "slip")).toBe(false);
    expect(JSON.stringify(presetSpec("nano"))).not.toContain("slip");
  });

  it("carry a think block, and refuse anything but true and false", () => {
    const hash = "#v1/nano?environment.think=true";
    const { spec, warnings } = decodeLink(hash);
    expect(warnings).toEqual([]);
    expect(spec.environment.kind === "sokoban" && spec.environment.think).toBe(true);
    expect(encodeLink(spec)).toBe(hash);
    expect(decodeLink("#v1/nano?environment.think=perhaps").warnings[0]).toContain(
      "environment.think is",
    );
    expect(decodeLink("#v1/webshop-class?environment.think=default").warnings).toHaveLength(1);
  });

  it("refuses probabilities out of range, and labels of lucky turns", () => {
    const [warning] = decodeLink("#v1/nano?environment.slip=2").warnings;
    expect(warning).toBe("environment.slip is 2; it must be a number from 0 to 1. Left out.");
    const raw = { provider: "exact", shaping: "raw" };
    const { environment, ...rest } = presetSpec("nano-process");
    const spec = { ...rest, environment: { ...environment, slip: 0.1 } };
    expect(() => validateSpec(spec)).not.toThrow();
    expect(() => validateSpec({ ...spec, processReward: raw })).toThrow(
      "processReward.shaping is raw; with environment.slip 0.1",
    );
  });
});

describe("links of a shop", () => {
  it("carry its own fields", () => {
    const hash = "#v1/webshop-class?environment.catalogSeed=7&environment.think=true&clone.noise=0";
    const { spec, warnings } = decodeLink(hash);
    expect(warnings).toEqual([]);
    expect(spec.environment).toMatchObject({ kind: "webshop", catalogSeed: 7, think: true });
    expect(spec.clone.noise).toBe(0);
    expect(encodeLink(spec)).toBe(hash);
  });

  it("start from a preset that has its fields, whatever preset the spec names", () => {
    const spec = validateSpec({ ...presetSpec("webshop-class"), preset: "my own" });
    expect(encodeLink(spec)).toBe("#v1/webshop-class");
    const moved = validateSpec({ ...presetSpec("webshop-think"), preset: "nano", seed: 5 });
    const { spec: read, warnings } = decodeLink(encodeLink(moved));
    expect(warnings).toEqual([]);
    expect({ ...read, preset: "nano" }).toEqual(moved);
  });

  it("cannot turn a Sokoban experiment into a shop", () => {
    const { spec, warnings } = decodeLink("#v1/nano?environment.kind=webshop&seed=4");
    expect(spec).toEqual({ ...presetSpec("nano"), seed: 4 });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("environment");
  });
});

describe("links", () => {
  it("says nothing about what the preset already says", () => {
    for (const name of presetNames) expect(encodeLink(presetSpec(name))).toBe(`#v1/${name}`);
  });

  it("is readable and short for usual changes, with the expected fingerprint too", () => {
    expect(encodeLink(usual)).toBe(
      "#v1/nano?optimisation.iterations=2&seed=3&engine.backend=wasm" +
        "&algorithms=grpo,turn-ppo&turn-ppo.gamma=0.95&turn-ppo.dualClip=null",
    );
    const link = encodeLink(presetSpec("nano"), {
      fingerprint: "a".repeat(64),
      trace: "b".repeat(40),
    });
    expect(link.length).toBeLessThan(200);
  });

  it("gives back every experiment it is given", () => {
    fc.assert(
      fc.property(anySpec, (spec) => {
        const decoded = decodeLink(encodeLink(spec));
        expect(decoded.warnings).toEqual([]);
        expect(sameSpec(decoded.spec, spec)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("carries the fingerprint and the trace beside the experiment", () => {
    const expected = { fingerprint: "0123456789abcdef".repeat(4), trace: "0a1b" };
    expect(decodeLink(encodeLink(usual, expected))).toEqual({
      spec: usual,
      warnings: [],
      ...expected,
      ...{ view: null, at: null, layout: null, open: null, alone: null, settings: {} },
      ...{ sender: null, curves: null },
    });
  });

  it("carries a place in the page, which is not part of the experiment", () => {
    const place = { view: "lens", at: "turn-ppo,12,1,4" };
    const hash = encodeLink(usual, place);
    expect(hash).toContain("view=lens&at=turn-ppo,12,1,4");
    expect(decodeLink(hash)).toMatchObject({ ...place, spec: usual, warnings: [] });
    const odd = decodeLink("#v1/nano?view=<b>&at=a%20b");
    expect(odd).toMatchObject({ view: null, at: null });
    expect(odd.warnings).toHaveLength(2);
  });

  it("carries the layout and settings of panels, in readable form", () => {
    const settings = { "curves:axis": "tokens", "credits:set": "gamma:0.9,turn-ppo.lambda:1" };
    const layout = "c(60-ribbon.*critic~40-curves)";
    const place = { view: "lens", layout, open: "formula,-turns", alone: "formula", settings };
    const hash = encodeLink(usual, place);
    expect(hash).toContain(
      "&layout=c(60-ribbon.*critic~40-curves)&open=formula,-turns&alone=formula&curves:axis=tokens&credits:set=gamma:0.9,turn-ppo.lambda:1",
    );
    expect(decodeLink(hash)).toMatchObject({ ...place, spec: usual, warnings: [] });
  });

  it.each([
    ["open=curves,,turns", /^open is "curves,,turns"/],
    [`open=${"curves,".repeat(40)}turns`, /^open is /],
    ["layout=r(1,2)", /^layout is "r\(1,2\)"; it must be a layout’s name/],
    ["alone=<b>", /^alone is "<b>"; it must be a word/],
    ["curves:axis=", /^curves:axis is ""; it must be a line/],
    ["curves:axis=%0A", /^curves:axis is /],
    [`curves:axis=${"x".repeat(1501)}`, /^curves:axis is /],
    ["Curves:axis=turns", /^Curves:axis is not a field/],
    ["__proto__:axis=turns", /is not a field/],
  ])("refuses the form of %.60s", (part, warning) => {
    const { warnings, open, alone, settings } = decodeLink(`#v1/nano?view=lens&${part}`);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(warning);
    expect({ open, alone, settings }).toEqual({ open: null, alone: null, settings: {} });
  });

  it("reads short names, in any order", () => {
    const { spec, warnings } = decodeLink(
      "#v1/nano?turn-ppo.gamma=.5&iterations=7&algorithms=turn-ppo",
    );
    expect(warnings).toEqual([]);
    expect(spec.optimisation.iterations).toBe(7);
    expect(spec.algorithms).toEqual([{ name: "turn-ppo", set: { gamma: 0.5 } }]);
  });

  it("uses the last of two values of one field, and says so", () => {
    const { spec, warnings } = decodeLink("#v1/nano?iterations=7&seed=3&optimisation.iterations=9");
    expect(spec.optimisation.iterations).toBe(9);
    expect(warnings).toEqual([
      'optimisation.iterations is given more than once; the last, "9", is used.',
    ]);
    expect(decodeLink("#v1/nano?seed=3&seed=3").warnings).toEqual([]);
    const twice = [["seed", "3"] as const, ["seed", "4"] as const];
    expect(() => changedSpec(presetSpec("nano"), twice)).toThrow(
      "seed is given more than once; give it once",
    );
  });

  it("applies changes that are only possible together", () => {
    const shrink = decodeLink("#v1/nano?optimisation.groupSize=2&optimisation.minibatch=8");
    expect(shrink.warnings).toEqual([]);
    const grow = decodeLink("#v1/nano?optimisation.minibatch=64&optimisation.groupSize=16");
    expect(grow.warnings).toEqual([]);
    expect(grow.spec.optimisation.minibatch).toBe(64);
  });

  it("drops an override with the word default", () => {
    const changes = [
      ["turn-ppo.gamma", "0.5"],
      ["turn-ppo.gamma", "default"],
    ] as const;
    expect(specFromChanges("nano", changes).spec).toEqual(presetSpec("nano"));
  });
});

describe("links that cannot be used", () => {
  const nano = presetSpec("nano");
  const cases: [name: string, hash: string, warning: RegExp | null][] = [
    ["empty", "", null],
    ["only a hash", "#", null],
    ["a later version", "#v9/nano?seed=3", /version 9/],
    ["no link at all", "#what-a-turn-is", /does not have the form/],
    ["unknown preset", "#v1/mega", /"mega"; allowed: nano, /],
    ["broken percent code", "#v1/%E0%A4%A?seed=1%", /allowed|name=value/],
    ["unknown field", "#v1/nano?speed=3", /speed is not a field/],
    ["group of fields", "#v1/nano?optimisation=3", /group of fields/],
    ["prototype", "#v1/nano?__proto__.polluted=1", /__proto__.polluted is not a field/],
    ["constructor", "#v1/nano?constructor.prototype.polluted=1", /is not a field/],
    ["inherited name", "#v1/nano?toString=1", /toString is not a field/],
    ["override prototype", "#v1/nano?turn-ppo.__proto__=1", /__proto__/],
    ["version field", "#v1/nano?version=2", /version is not a field/],
    [
      "out of range",
      "#v1/nano?optimisation.iterations=0",
      /optimisation.iterations is 0; it must be a whole number from 1 to 1000000/,
    ],
    ["infinite", "#v1/nano?optimisation.actorLr=1e999", /actorLr/],
    ["not a number", "#v1/nano?seed=NaN", /seed is "NaN"; it must be a whole number from 0/],
    ["unknown algorithm", "#v1/nano?algorithms=grpo,sarsa", /"sarsa"; allowed/],
    ["absent algorithm", "#v1/nano?algorithms=grpo&turn-ppo.gamma=1", null],
    ["bad setting", "#v1/nano?turn-ppo.gamma=7", /gamma is 7/],
    ["bad fingerprint", "#v1/nano?fp=<script>", /fp is "<script>"/],
    ["very long", `#v1/nano?${"seed=1&".repeat(5000)}`, /characters long/],
    ["many changes", `#v1/nano?${"seed=1&".repeat(100)}`, /only the first 64/],
  ];

  it.each(cases)("%s: warns and falls back", (_name, hash, warning) => {
    const { spec, warnings } = decodeLink(hash);
    expect(validateSpec(spec)).toEqual(spec);
    if (warning) expect(warnings.join("\n")).toMatch(warning);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("keeps the good changes beside a bad one", () => {
    const { spec, warnings } = decodeLink("#v1/nano?seed=5&optimisation.epochs=0&context=full");
    expect(warnings).toHaveLength(1);
    expect(spec).toEqual({ ...nano, seed: 5, context: "full" });
  });

  it("takes anything but text as no link", () => {
    for (const value of [null, undefined, 7, {}, []]) {
      expect(decodeLink(value as unknown as string).spec).toEqual(nano);
    }
  });
});

describe("mutated links", () => {
  const base = encodeLink(usual, {
    ...{ fingerprint: "ab".repeat(32), trace: "0123", view: "lens", at: "grpo,3,1,2" },
    ...{ open: "credits,-turns", alone: "credits" },
    settings: { "curves:domain": "5,10", "curves:metrics": "reward", "credits:set": "gamma:0.9" },
  });
  const snippet = fc.constantFrom(
    "%",
    "%00",
    "%E0%A4%A",
    "&",
    "=",
    "?",
    "#",
    "/",
    "__proto__=1",
    ".",
    ",,",
    "1e999",
    "-1",
    "\u0000",
    "algorithms=",
    "constructor.x=1",
    "v9",
    "𝒳",
    "\ud800",
    "null",
    "[object Object]",
    "&constructor:toString=1",
    ":",
    "&alone=",
    "x".repeat(5000),
  );
  const mutation = fc.record({
    at: fc.nat(base.length),
    cut: fc.nat(20),
    insert: fc.oneof(snippet, fc.string()),
  });
  const mutated = fc
    .array(mutation, { minLength: 1, maxLength: 4 })
    .map((edits) =>
      edits.reduce(
        (text, { at, cut, insert }) => text.slice(0, at) + insert + text.slice(at + cut),
        base,
      ),
    );

  it("never does harm: 1000 mutations and every truncation give a valid experiment", () => {
    const check = (hash: string) => {
      const { spec, warnings, fingerprint, settings } = decodeLink(hash);
      expect(() => validateSpec(spec)).not.toThrow();
      expect(Object.entries(settings).every((pair) => pair.every((text) => text !== ""))).toBe(
        true,
      );
      expect(warnings.every((warning) => typeof warning === "string")).toBe(true);
      expect(fingerprint === null || /^[0-9a-f]{1,64}$/.test(fingerprint)).toBe(true);
    };
    for (let length = 0; length <= base.length; length++) check(base.slice(0, length));
    fc.assert(fc.property(mutated, check), { numRuns: 1000 });
    fc.assert(fc.property(fc.string({ maxLength: 300, unit: "binary" }), check), { numRuns: 300 });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe("traces", () => {
  it("stay short however long the run", () => {
    expect(traceStride(1)).toBe(1);
    expect(traceStride(20)).toBe(1);
    expect(traceStride(21)).toBe(2);
    expect(100_000 / traceStride(100_000)).toBeLessThanOrEqual(20);
  });
});

describe("settings of one method in a link", () => {
  it("come after the method's name, and can be dropped again", () => {
    const spec = changed(({ algorithms, optimisation }) => {
      algorithms[0]!.with = { optimisation: { actorLr: 3e-4 }, sampling: { temperature: 0.8 } };
      optimisation.grouping = "all";
    });
    const link = encodeLink(spec);
    expect(link).toBe(
      "#v1/nano?optimisation.grouping=all&grpo.optimisation.actorLr=0.0003&grpo.sampling.temperature=0.8",
    );
    expect(decodeLink(link)).toMatchObject({ spec, warnings: [] });
    const dropped = decodeLink(`${link}&grpo.optimisation.actorLr=default`);
    expect(dropped.spec.algorithms[0]!.with).toEqual({ sampling: { temperature: 0.8 } });
    const back = decodeLink(`${link}&optimisation.grouping=default`);
    expect(Object.hasOwn(back.spec.optimisation, "grouping")).toBe(false);
  });

  it("are refused where a method may not have them, by field, value and range", () => {
    const refused = (change: string) => decodeLink(`#v1/nano?${change}`).warnings[0];
    expect(refused("grpo.optimisation.groupSize=4")).toMatch(
      /^grpo\.optimisation\.groupSize cannot be set for one method; allowed: optimisation\.minibatch/,
    );
    expect(refused("grpo.optimisation.actorLr=2")).toMatch(
      "algorithms[0].with.optimisation.actorLr is 2; it must be a number from 0 to 1",
    );
    expect(refused("grpo.optimisation.minibatch=4096")).toMatch(
      "algorithms[0].with.optimisation.minibatch is 4096; it must be at most",
    );
    expect(refused("grpo.optimisation.__proto__=1")).toMatch("cannot be set for one method");
    expect(refused("rloo.optimisation.actorLr=0.1")).toMatch("rloo is not among the algorithms");
    expect(refused("optimisation.grouping=some")).toMatch(
      'optimisation.grouping is "some"; it must be each-own or all',
    );
  });
});
