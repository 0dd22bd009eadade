import { expect, test } from "vitest";
import { InputError } from "../../src/numeric/inputError.ts";
import { presetSpec, toSpec } from "../../src/spec/presets.ts";
import { testTasks } from "../../src/train/evaluate.ts";
import { LevelSeeds } from "../../src/train/levels.ts";
import { taskFamilyOf, prepareModel } from "../../src/train/warmStart.ts";
import { host } from "./support.ts";

const family = taskFamilyOf(presetSpec("nano"));
const boardOf = (seed: number) => family.world.create(seed).reset(seed).observation;

const fresh = (n: number) => ({ tasks: n, episodes: n, pool: 0 });

test("held-out boards are distinct and in no training or cloning set", () => {
  const heldOut = new Set(family.levels.heldOut(128).map(boardOf));
  expect(heldOut.size).toBe(128);
  const trained = [1, 2, 3, 50].flatMap((iteration) =>
    family.levels.train(1, iteration, fresh(64)),
  );
  const cloned = family.levels.clone(100);
  expect([...trained, ...cloned].filter((seed) => heldOut.has(boardOf(seed)))).toEqual([]);
});

test("run seed 1 trains on RAGEN's own seeds, another run on others", () => {
  const ragen = family.levels.train(1, 1, fresh(32));
  expect(ragen.filter((seed) => seed >= 10_000 && seed < 10_032).length).toBeGreaterThan(16);
  expect(family.levels.train(2, 1, fresh(32)).filter((seed) => ragen.includes(seed))).toEqual([]);
});

test("a family whose every board is held out says so instead of searching for ever", () => {
  const one = new LevelSeeds(() => "the only board");
  expect(one.heldOut(5)).toHaveLength(1);
  expect(() => one.train(1, 1, fresh(4))).toThrow(InputError);
});

test("without a pool every iteration has levels of its own; a group algorithm takes the first of them", () => {
  const all = [1, 2].flatMap((iteration) => family.levels.train(1, iteration, fresh(32)));
  expect(new Set(all).size).toBe(64);
  const grouped = family.levels.train(1, 2, { tasks: 4, episodes: 32, pool: 0 });
  expect(grouped).toEqual(all.slice(32, 36));
});

test("with a pool every algorithm walks through the same levels, at its own pace", () => {
  const pool = family.levels.train(1, 1, { tasks: 16, episodes: 32, pool: 16 });
  const wide = family.levels.train(1, 7, { tasks: 32, episodes: 32, pool: 16 });
  expect(wide).toEqual([...pool, ...pool]);
  const walk = [1, 2, 3, 4].flatMap((n) =>
    family.levels.train(1, n, { tasks: 4, episodes: 32, pool: 16 }),
  );
  expect(walk).toEqual(pool);
});

test("boards that a checkpoint was cloned on are not held out, whatever the search depth", async () => {
  const seen = family.levels.clone(50).map(boardOf);
  const shallow = { ...presetSpec("nano").environment, searchDepth: 5 };
  const spec = toSpec({ environment: shallow, evaluation: { levels: 512 } });
  const { family: other } = await prepareModel(spec, await host(), false);
  const heldOut = other.levels.heldOut(512);
  expect(heldOut).toHaveLength(512);
  const boards = heldOut.map((seed) => other.world.create(seed).reset(seed).observation);
  expect(boards.filter((board) => seen.includes(board))).toEqual([]);
});

test("an excluded board is not held out", () => {
  const levels = new LevelSeeds((seed) => `board ${seed}`);
  levels.exclude(["board 124"]);
  expect(levels.heldOut(3)).toEqual([123, 125, 126]);
});

test("validation and test levels have no board in common, and a run that names one trains on neither", async () => {
  const spec = toSpec({ evaluation: { levels: 256, set: "test" } });
  const { family: held } = await prepareModel(spec, await host(), false);
  const { validation, test: sealed } = held.levels.split();
  expect(testTasks(spec, held)).toEqual(sealed);
  const shorter = toSpec({ evaluation: { levels: 8, set: "validation" } });
  expect(testTasks(shorter, held)).toEqual(validation.slice(0, 8));
  const boards = [...validation, ...sealed].map(boardOf);
  expect(new Set(boards).size).toBe(512);
  const trained = held.levels.train(1, 1, fresh(512)).map(boardOf);
  expect(trained.filter((board) => boards.includes(board))).toEqual([]);
  expect(() => toSpec({ evaluation: { levels: 257, set: "test" } })).toThrow(
    "evaluation.levels is 257; with evaluation.set it must be at most 256",
  );
});

test("a study's sealed levels are its own, distinct, and none that a run has seen", () => {
  const { levels } = taskFamilyOf(presetSpec("nano"));
  const trained = [1, 2, 3].flatMap((seed) => levels.train(seed, 1, fresh(64)));
  const sealed = levels.sealed(3, 64, trained);
  const boards = sealed.map(boardOf);
  expect(new Set(boards).size).toBe(64);
  const seen = new Set([...trained, ...levels.heldOut(512)].map(boardOf));
  expect(boards.filter((board) => seen.has(board))).toEqual([]);
  // What a run trained on is replaced, and only that.
  const again = levels.sealed(3, 64, [...trained, sealed[5]!]);
  expect(again.filter((seed, i) => seed !== sealed[i])).toHaveLength(1);
  const others = [4, 3 + 1000, 999_999].flatMap((study) => levels.sealed(study, 64, trained));
  expect(others.filter((seed) => sealed.includes(seed))).toEqual([]);
  expect(new Set(others).size).toBe(3 * 64);
});
