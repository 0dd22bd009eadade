import { describe, expect, it } from "vitest";
import { hasOwnSettings } from "../../src/app/presetChoice.ts";
import { presetTime, roughly } from "../../src/app/presetTime.ts";
import { environmentFields } from "../../src/app/formFields.ts";
import { descriptors } from "../../src/env/descriptors.ts";
import { listPresets, presetNames, presetSpec } from "../../src/spec/presets.ts";
import { readMeasured } from "../../src/store/measuredTimes.ts";
import { editField, openDraft } from "../../src/store/specDraft.ts";
import { limitsOf } from "../../src/spec/experiment.ts";
import { sentencesOf, wordsIn } from "../fixtures/sentences.ts";

describe("a preset in words", () => {
  it.each(listPresets())(
    "$name has a title of a few words and sentences of at most twelve",
    ({ title, about }) => {
      expect(title.split(" ").length).toBeLessThanOrEqual(6);
      for (const sentence of sentencesOf(about)) expect(wordsIn(sentence)).toBeLessThanOrEqual(12);
    },
  );

  it("has a time, as an estimate until this machine is measured", () => {
    for (const name of presetNames.filter((name) => name.startsWith("nano")))
      expect(presetTime(name, null)!.seconds).toBeGreaterThan(0);
    expect(presetTime("bandit", null)).toEqual({ seconds: 10, engine: null });
    const times = { engine: "WebGPU", seconds: { nano: 2 } };
    expect(presetTime("nano", times)).toEqual({ seconds: 100, engine: "WebGPU" });
    // What was not measured stays an estimate.
    expect(presetTime("bandit", times)!.engine).toBeNull();
    // Of the gallery's: 14 iterations of 32 episodes by one method.
    expect(presetTime("collapse-entropy", times)!.seconds).toBeCloseTo(
      (14 * 2 * 32) / (3 * 128),
      9,
    );
  });

  it("has a time in whole minutes, since it is a bound", () => {
    expect([10, 95, 700, 7000].map(roughly)).toEqual(["1 min", "2 min", "10 min", "1.9 h"]);
  });

  it("reads a kept measurement, and nothing from what is none", () => {
    const kept = { engine: "WebAssembly", seconds: { nano: 3, micro: "x", bandit: -1 } };
    expect(readMeasured(kept)).toEqual({ engine: "WebAssembly", seconds: { nano: 3 } });
    for (const bad of [null, "", 7, [], { engine: 1, seconds: {} }, { engine: "x" }])
      expect(readMeasured(bad)).toBeNull();
  });
});

it("a form has own settings once it says anything but its preset and a seed", () => {
  const draft = openDraft(presetSpec("nano"));
  expect(hasOwnSettings(draft)).toBe(false);
  expect(hasOwnSettings(editField(draft, "seed", "9"))).toBe(false);
  expect(hasOwnSettings(editField(draft, "optimisation.iterations", "9"))).toBe(true);
  expect(hasOwnSettings(editField(draft, "environment.rows", "x"))).toBe(true);
  const noise = editField(draft, "environment.observationNoise", "0.1");
  expect(hasOwnSettings(noise)).toBe(true);
  // An emptied field is absent again.
  expect(hasOwnSettings(editField(noise, "environment.observationNoise", ""))).toBe(false);
});

describe("the environment's form", () => {
  const fieldsOf = (kind: string) =>
    environmentFields.filter((one) => one.kind === kind).flatMap(({ fields }) => fields);

  it.each(descriptors.filter(({ kind }) => kind !== "defined"))(
    "$kind has each of its fields once, and limits for each number",
    (one) => {
      const paths = fieldsOf(one.kind).map(({ path }) => path);
      expect(paths.toSorted()).toEqual(one.fields.map(({ path }) => path).toSorted());
      const preset = presetNames.find((name) => presetSpec(name).environment.kind === one.kind)!;
      for (const { path, options } of fieldsOf(one.kind))
        if (!options) expect(limitsOf(presetSpec(preset), path), path).not.toBeNull();
    },
  );

  it("refuses what is out of its limits, naming the field, the value and the limits", () => {
    const spec = presetSpec("nano");
    expect(limitsOf(spec, "environment.rows")).toEqual({ least: 5, most: 16, whole: true });
    expect(limitsOf(spec, "environment.slip")).toEqual({ least: 0, most: 1, whole: false });
    expect(limitsOf(spec, "environment.nothing")).toBeNull();
    const draft = editField(openDraft(spec), "environment.boxes", "9");
    expect(draft.pending["environment.boxes"]!.problem).toBe(
      "environment.boxes is 9; it must be a whole number from 1 to 6",
    );
  });
});
