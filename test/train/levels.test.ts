import { expect, test } from "vitest";
import { InputError } from "../../src/spec/inputError.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { LevelSeeds } from "../../src/train/levels.ts";
import { familyOf } from "../../src/train/warmStart.ts";

const family = familyOf(presetSpec("nano"));
const boardOf = (seed: number) => family.world.create(seed).reset(seed).observation;

test("held-out boards are distinct and in no training or cloning set", () => {
  const heldOut = new Set(family.levels.heldOut(128).map(boardOf));
  expect(heldOut.size).toBe(128);
  const trained = [1, 2, 3, 50].flatMap((iteration) => family.levels.train(1, iteration, 64));
  const cloned = family.levels.clone(100);
  expect([...trained, ...cloned].filter((seed) => heldOut.has(boardOf(seed)))).toEqual([]);
});

test("run seed 1 trains on RAGEN's own seeds, another run on others", () => {
  const ragen = family.levels.train(1, 1, 32);
  expect(ragen.filter((seed) => seed >= 10_000 && seed < 10_032).length).toBeGreaterThan(16);
  expect(family.levels.train(2, 1, 32).filter((seed) => ragen.includes(seed))).toEqual([]);
});

test("a family whose every board is held out says so instead of searching for ever", () => {
  const one = new LevelSeeds(() => "the only board");
  expect(one.heldOut(5)).toHaveLength(1);
  expect(() => one.train(1, 1, 4)).toThrow(InputError);
});
