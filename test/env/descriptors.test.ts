/** Every environment's descriptor beside the spec, the registry, the tokenizer and its own class. */
import { describe, expect, it } from "vitest";
import {
  descriptorOf,
  descriptors,
  hasPages,
  knownDescriptor,
  pictureOf,
  isEditableBoard,
} from "../../src/env/descriptors.ts";
import { listEnvironments } from "../../src/env/registry.ts";
import { chanceOf } from "../../src/numeric/rng.ts";
import { environment as schema, environmentKinds } from "../../src/spec/environments.ts";
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { listPresets, presetSpec, toSpec } from "../../src/spec/presets.ts";
import { configOf, taskFamilyOf } from "../../src/train/warmStart.ts";

const kinds = environmentKinds;
const presetsOf = (kind: string): ExperimentSpec[] =>
  listPresets()
    .map(({ name }) => presetSpec(name))
    .filter(({ environment }) => environment.kind === kind);

it("each kind of a spec has a descriptor, a preset and a name in the registry", () => {
  expect(descriptors.map(({ kind }) => kind)).toEqual(kinds);
  for (const { kind, registered } of descriptors) {
    // What a spec defines in code has no preset: its code is the spec's own.
    if (kind !== "defined") expect(presetsOf(kind).length, kind).toBeGreaterThan(0);
    for (const { name } of registered)
      expect(listEnvironments().map((one) => one.name)).toContain(name);
  }
});

it("an unknown environment in a file has no descriptor and no pages", () => {
  const foreign = { kind: "alfworld" } as unknown as ExperimentSpec["environment"];
  expect(knownDescriptor(foreign.kind)).toBeNull();
  expect(hasPages(foreign)).toBe(false);
  expect(kinds.map((kind) => knownDescriptor(kind)?.kind)).toEqual(kinds);
});

describe.each(kinds)("%s", (kind) => {
  const descriptor = descriptorOf(kind);

  it("has form fields of its spec, each with a label", () => {
    const { shape } = schema.def.options.find((one) => one.shape.kind.def.values[0] === kind)!;
    for (const { path, label } of descriptor.fields) {
      const [section, key] = path.split(".");
      if (section === "environment") expect(Object.keys(shape)).toContain(key);
      else expect(path).toBe("clone.noise");
      expect(label).not.toBe("");
    }
  });
});

const described = descriptors.filter(({ training }) => training !== null);

describe.each(described.map(({ kind }) => kind))("%s, as it is trained", (kind) => {
  const spec = presetsOf(kind)[0]!;
  const family = taskFamilyOf(spec);
  const { world } = family;

  it("every word that is shown or said is a token", () => {
    const config = configOf(spec, family);
    const unknown = world.prompter.tokenText(0);
    for (let seed = 0; seed < 40; seed++) {
      const game = world.create(seed);
      let { observation, info } = game.reset(seed);
      for (let turn = 0; turn < world.maxTurns; turn++) {
        const query = world.prompter.query(observation, info, turn);
        const actions = world.actions!(game);
        const said = actions[(seed + turn) % actions.length]!;
        const response = world.prompter.respond([said], info);
        for (const id of [...query, ...response]) {
          expect(id).toBeLessThan(config.vocabSize);
          expect(world.prompter.tokenText(id)).not.toBe(unknown);
        }
        expect(world.prompter.display(response)).toBe(said);
        const step = game.step(world.prompter.answer(response, info), seed);
        expect(step.info.formatPenalty).toBe(0);
        ({ observation, info } = step);
        if (step.terminated || step.truncated) break;
      }
    }
  });

  it("what is shown before a turn has a picture with a description", () => {
    for (let seed = 0; seed < 20; seed++) {
      const { observation } = world.create(seed).reset(seed);
      const picture = pictureOf(observation)!;
      expect(picture.label.length).toBeGreaterThan(10);
      expect(picture.rows.flat(2).length).toBeGreaterThan(0);
    }
  });

  it("the same chance gives the same turn, and a restored state the same future", () => {
    for (let seed = 0; seed < 20; seed++) {
      const game = world.create(seed);
      const { info } = game.reset(seed);
      const before = JSON.parse(JSON.stringify(game.snapshot())) as unknown;
      const [said] = world.actions!(game);
      const answer = world.prompter.answer(world.prompter.respond([said!], info), info);
      const key = { seed, stream: "test", iteration: 0, trajectory: 0, step: 0 };
      const first = game.step(answer, chanceOf(key));
      const after = game.snapshot();
      const other = world.create(seed + 1);
      other.reset(seed + 1);
      other.restore(before);
      expect(other.step(answer, chanceOf(key))).toEqual(first);
      expect(other.snapshot()).toEqual(after);
    }
  });

  it("its expert plays what is best, and earns what V* says on average", () => {
    const seeds = Array.from({ length: 400 }, (_, i) => i);
    const expected = seeds.map((seed) => {
      const game = world.create(seed);
      game.reset(seed);
      return world.best!(game, 1);
    });
    const earned = seeds.map((seed) => {
      const game = world.create(seed);
      let { info } = game.reset(seed);
      const { training } = descriptorOf(kind);
      for (let sum = 0, turn = 0; ; turn++) {
        const said = training!.expert(game as never);
        const answer = world.prompter.answer(world.prompter.respond(said, info), info);
        const value = world.best!(game, 1);
        expect(world.bestAfter!(game, answer, 1)).toBeCloseTo(value, 9);
        const key = { seed, stream: "expert", iteration: 0, trajectory: 0, step: turn };
        const step = game.step(answer, chanceOf(key));
        sum += step.reward;
        if (step.terminated || step.truncated) return sum;
        ({ info } = step);
      }
    });
    const mean = (x: number[]) => x.reduce((a, b) => a + b) / x.length;
    const spread = mean(earned.map((x, i) => (x - expected[i]!) ** 2)) ** 0.5;
    const error = spread / Math.sqrt(seeds.length);
    // What happens less than once in that many episodes is not in their spread.
    const rare = 4 / seeds.length;
    expect(Math.abs(mean(earned) - mean(expected))).toBeLessThan(4 * error + rare);
  });
});

it("on ice that does not slip each step on the way comes nearer, and one back goes farther", () => {
  const spec = toSpec({ preset: "frozenlake", environment: { slip: 0, map: "4x4" } });
  const { world } = taskFamilyOf(spec);
  const { training } = descriptorOf("frozenlake");
  const game = world.create(1);
  let { info } = game.reset(1);
  const after = (said: string) => {
    const step = game.step(world.prompter.answer(world.prompter.respond([said], info), info), 1);
    ({ info } = step);
    return training!.potential(game as never);
  };
  expect(training!.potential(game as never)).toBeCloseTo(0.9 ** 6, 12);
  const way = ["Down", "Up", "Down", "Down", "Right"];
  const seen = way.map(after);
  [5, 6, 5, 4, 3].forEach((steps, i) => expect(seen[i]).toBeCloseTo(0.9 ** steps, 12));
});

it("draws a lake tile by tile, and a board as before", () => {
  const lake = pictureOf("P_O\n__G")!;
  expect(lake.rows).toEqual([
    [["ice", "player"], ["ice"], ["ice", "hole"]],
    [["ice"], ["ice"], ["ice", "goal"]],
  ]);
  expect(lake.label).toBe(
    "2 by 3 lake. Player at row 1, column 1. Goal at row 2, column 3. Hole at row 1, column 3.",
  );
  expect(pictureOf("####\n#PX#\n#_O#\n####")!.rows[1]).toEqual([
    ["wall"],
    ["player"],
    ["box"],
    ["wall"],
  ]);
  expect(pictureOf("Two arms can be pulled: Baker and Racer.")!.label).toBe(
    "Two levers: Baker, Racer.",
  );
  expect(pictureOf("Baker pays 0.1.")).toBeNull();
});

it("a good turn cannot be known from a lucky one: raw process rewards need a floor that is dry", () => {
  const pay = { processReward: { provider: "exact", shaping: "raw" } };
  expect(() => toSpec({ preset: "frozenlake", ...pay })).toThrow("environment.slip 0.2");
  toSpec({ preset: "frozenlake", environment: { slip: 0 }, ...pay });
});

it("only a Sokoban board can be changed by hand", () => {
  expect(isEditableBoard("####\n#PX#\n#_O#\n####")).toBe(true);
  expect(isEditableBoard("P_O\n__G")).toBe(false);
  expect(isEditableBoard("Baker pays 0.1.")).toBe(false);
});
