/** Seeds and numbers of levels that a new experiment may have; old links have any. */
import { describe, expect, it } from "vitest";
import { validateSpec } from "../../src/spec/experiment.ts";
import { InputError } from "../../src/numeric/inputError.ts";
import { presetSpec, toSpec } from "../../src/spec/presets.ts";
import { revised, revisionReasons } from "../../src/spec/revise.ts";
import { overSeeds } from "../../src/spec/sweepGrid.ts";
import { planSweepCell } from "../../src/notebook/cells/sweep/plan.ts";
import { choosePreset, editField, openDraft } from "../../src/store/specDraft.ts";

const nano = presetSpec("nano");
const long = (iterations: number) => toSpec({ preset: "nano", optimisation: { iterations } });

describe("which experiments have levels of their own", () => {
  it.each([1, 2, 1000])("seed %i has the levels it always had, and says no revision", (seed) => {
    expect(revised({ ...nano, seed }, null)).toEqual({ ...nano, seed });
  });

  it.each([0, 1001, 2000])("seed %i says revision 2", (seed) => {
    expect(revised({ ...nano, seed }, null).revision).toBe(2);
    expect(revisionReasons({ ...nano, seed })).toEqual([
      { what: `seed ${seed}`, was: "levels of another seed", now: "levels of its own" },
    ]);
  });

  it("seeds above 2000 are refused, by name, value and range", () => {
    expect(() => revised({ ...nano, seed: 2001 }, null)).toThrow(InputError);
    expect(() => validateSpec({ ...nano, seed: 5000, revision: 2 })).toThrow(
      "seed is 5000; it must be a whole number from 0 to 2000",
    );
  });

  it("a run that may need more levels than a seed has is refused before it begins", () => {
    // 128 episodes an iteration.
    expect(revised(long(220), null)).not.toHaveProperty("revision");
    expect(revised(long(221), null).revision).toBe(2);
    expect(() => revised(long(7813), null)).toThrow("needs 1000064 levels");
    const pool = { ...nano.environment, trainLevels: 500 };
    const walking = { ...long(7813), environment: pool };
    expect(revised(walking, null)).toEqual(walking);
  });

  it("old links have any seed, and stay as they are while they keep it", () => {
    const old = validateSpec({ ...nano, seed: 123_456_789 });
    const opened = openDraft(old);
    const edited = editField(opened, "optimisation.iterations", "7");
    expect(edited.spec).toMatchObject({ seed: old.seed });
    expect(edited.spec).not.toHaveProperty("revision");
    expect(editField(opened, "seed", "1500").spec).toMatchObject({ seed: 1500, revision: 2 });
    expect(editField(opened, "seed", "4000").pending["seed"]!.problem).toContain("0 to 2000");
    expect(choosePreset(opened, "nano").spec).toEqual(nano);
  });

  it("a shop's goals are the same for all seeds", () => {
    const shop = { ...presetSpec("webshop-class"), seed: 70_000 };
    expect(revised(shop, null)).toEqual(shop);
    expect(validateSpec({ ...shop, revision: 2 }).seed).toBe(70_000);
  });

  it("a sweep's seeds share no levels, and a notebook's say revision 2 where they must", () => {
    expect(overSeeds(nano, [1, 2, 1000]).map(({ seed }) => seed)).toEqual([1, 2, 1000]);
    expect(() => overSeeds(nano, [1, 5, 1001])).toThrow("seeds 1 and 1001 share levels");
    expect(overSeeds({ ...nano, revision: 2 }, [1, 1001])).toHaveLength(2);
    expect(() => overSeeds({ ...nano, revision: 2 }, [1, 3000])).toThrow("seed is 3000");
    const planned = (seeds: number[]) => planSweepCell(nano, { over: [], seeds });
    const { settings, problems } = planned([1, 1001]);
    expect(settings[0]!.runs.map(({ spec }) => spec.revision)).toEqual([undefined, 2]);
    expect(problems).toEqual([]);
    expect(planned([1, 3000]).problems[0]).toContain("seed is 3000");
  });
});
