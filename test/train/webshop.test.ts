import { describe, expect, it, test } from "vitest";
import { runWhole } from "../../src/numeric/sliced.ts";
import { generateCatalogue } from "../../src/env/webshop/generate/generateCatalogue.ts";
import { HELD_OUT_LEVELS } from "../../src/train/levels.ts";
import { GoalSeeds } from "../../src/train/goalSeeds.ts";
import { cloneSeeds, demonstrationRows } from "../../src/train/clone.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { checkpointFolder } from "../../src/spec/checkpointFolder.ts";
import { configOf, taskFamilyOf } from "../../src/train/warmStart.ts";
import { presetSpec, toSpec } from "../../src/spec/presets.ts";
import { InputError } from "../../src/numeric/inputError.ts";
import type { ExperimentSpec, PartialSpec } from "../../src/spec/experiment.ts";
import { host, ofType, runAnew, runSpec, runToEnd } from "./support.ts";

/** A shopping run of seconds, from a model that has imitated a little. */
function tinyShop(changes: PartialSpec = {}): ExperimentSpec {
  const base = {
    preset: "webshop-class",
    model: { preset: "nano", warmStart: "clone" },
    clone: { levels: 8, steps: 2, batch: 4, noise: 0 },
    environment: { maxTurns: 5 },
    optimisation: { iterations: 2, tasksPerIteration: 2, groupSize: 4, minibatch: 4, epochs: 1 },
    critic: { warmup: 0, epochs: 1 },
    evaluation: { levels: 4, every: 2 },
    recordEpisodes: 8,
    engine: { backend: "wasm" },
  };
  return toSpec({ ...base, ...changes });
}

describe.each([1, 9])("the goals of shop %i", (shopSeed) => {
  const catalogue = generateCatalogue(shopSeed);
  const { goals } = catalogue;
  const seeds = new GoalSeeds(catalogue, shopSeed);
  const heldOut = seeds.heldOut(100_000);
  const all = { tasks: goals.length, episodes: goals.length, pool: 0 };
  const train = new Set(seeds.train(1, 1, all));

  it("share no product and no instruction between training and tests", () => {
    const facts = (list: Iterable<number>) =>
      new Set([...list].flatMap((g) => [goals[g]!.asin, goals[g]!.instruction]));
    const trained = facts([...train, ...seeds.clone(5000)]);
    expect([...facts(heldOut)].filter((fact) => trained.has(fact))).toEqual([]);
    expect(heldOut.length).toBeGreaterThan(300);
    expect(train.size).toBeGreaterThan(1000);
    expect(train.size + heldOut.length).toBeLessThanOrEqual(goals.length);
  });

  it("hold out as many products as possible first", () => {
    const first = seeds.heldOut(80).map((g) => goals[g]!.asin);
    expect(new Set(first).size).toBe(80);
    expect(seeds.heldOut(HELD_OUT_LEVELS).slice(0, 80)).toEqual(seeds.heldOut(80));
    expect(new GoalSeeds(catalogue, shopSeed).heldOut(80)).toEqual(seeds.heldOut(80));
  });

  it("have a validation and a test set without a product or an instruction in common", () => {
    const { validation, test } = seeds.split();
    const facts = (list: number[]) =>
      new Set(list.flatMap((g) => [goals[g]!.asin, goals[g]!.instruction]));
    expect(Math.min(validation.length, test.length)).toBeGreaterThan(128);
    const seen = facts(validation);
    expect([...facts(test)].filter((fact) => seen.has(fact))).toEqual([]);
    expect([...validation, ...test].filter((g) => train.has(g))).toEqual([]);
  });

  it("come in the run's own order, each once before any again", () => {
    const set = { tasks: 16, episodes: 128, pool: 0 };
    expect(seeds.train(1, 1, set)).not.toEqual(seeds.train(2, 1, set));
    expect(seeds.train(1, 1, { ...set, tasks: 128 }).slice(0, 16)).toEqual(seeds.train(1, 1, set));
    const walk = [1, 2, 3, 4].flatMap((n) => seeds.train(1, n, { ...set, tasks: 128 }));
    expect(new Set(walk).size).toBe(512);
    const pool = [1, 2, 3].flatMap((n) => seeds.train(1, n, { ...set, pool: 20 }));
    expect(new Set(pool).size).toBe(20);
  });
});

test("a shop of few products cannot be trained on", () => {
  const catalogue = generateCatalogue(1);
  const goals = catalogue.goals.filter(({ asin }) => asin === catalogue.goals[0]!.asin);
  expect(() => new GoalSeeds({ ...catalogue, goals }, 1)).toThrow(InputError);
});

test("demonstrations end in a purchase, after detours where there is noise", () => {
  const rows = (noise: number) => {
    const spec = tinyShop({ clone: { levels: 40, noise }, environment: { maxTurns: 8 } });
    const family = taskFamilyOf(spec);
    return runWhole(demonstrationRows(family, spec, runWhole(cloneSeeds(family, spec))));
  };
  const longest = (noise: number) =>
    Math.max(...rows(noise).map(({ stateEnd }) => stateEnd.length));
  expect(rows(0)).toHaveLength(40);
  expect(longest(0)).toBeLessThanOrEqual(5);
  expect(longest(0.3)).toBeGreaterThan(5);
  expect(rows(0.3).length).toBeLessThanOrEqual(40);
});

test("a run tells the same events as any, with the shop's own counts, and the same each time", async () => {
  const { events, fingerprint } = await runSpec(tinyShop());
  // Two steps of cloning make a policy that the doctor has things to say of.
  const told = events.filter(({ type }) => type !== "finding");
  expect(told.map(({ type }) => type)).toEqual([
    ...["start", "warmStart", "eval", "eval", "eval"],
    ...["iteration", "iteration", "iteration"],
    ...Array.from({ length: 3 }, () => ["iteration", "eval"]).flat(),
    "end",
  ]);
  const first = ofType(events, "iteration")[0]!;
  expect(first.metrics).toMatchObject({
    "webshop/success": expect.any(Number) as number,
    "webshop/success_purchase": expect.any(Number) as number,
    "webshop/success_find": expect.any(Number) as number,
    "webshop/end_of_page": expect.any(Number) as number,
    "webshop/action_is_valid": expect.any(Number) as number,
  });
  expect(ofType(events, "eval")[0]!.metrics).toHaveProperty("val-env/webshop/success_purchase");
  const [episode] = first.episodes;
  expect(episode!.turns[0]!.observation).toContain("Instruction:");
  expect((await runAnew(tinyShop())).fingerprint).toBe(fingerprint);
});

test.each([
  ["full context", { context: "full" }],
  ["a think block", { preset: "webshop-think", model: { preset: "nano", warmStart: "clone" } }],
] as [string, PartialSpec][])("trains with %s", async (_, changes) => {
  const { events } = await runSpec(tinyShop({ ...changes, evaluation: { levels: 0 } }));
  expect(ofType(events, "iteration")).toHaveLength(6);
  expect(ofType(events, "crash")).toEqual([]);
});

test.each(["webshop-class", "webshop-think"])("%s starts from its checkpoint", async (preset) => {
  const spec = toSpec({
    preset,
    optimisation: { iterations: 1, tasksPerIteration: 1, groupSize: 2, minibatch: 2 },
    evaluation: { levels: 32 },
    engine: { backend: "wasm" },
  });
  const experiment = await Experiment.open(spec, await host());
  const events = await runToEnd(experiment);
  experiment.dispose();
  const { metrics } = ofType(events, "eval")[0]!;
  expect(metrics["val-env/webshop/reward"]).toBeGreaterThan(0.5);
  expect(metrics["val-env/webshop/success"]).toBeGreaterThan(0.1);
  expect(checkpointFolder(spec)).toBe(
    preset === "webshop-think" ? "models/nano-webshop-think" : "models/nano-webshop",
  );
});

test("the model has a row for each word, Sokoban's as many as ever", () => {
  const rows = (preset: string) => {
    const spec = presetSpec(preset);
    return configOf(spec, taskFamilyOf(spec)).vocabSize;
  };
  expect(rows("webshop-class")).toBe(448);
  expect(rows("nano")).toBe(64);
});
