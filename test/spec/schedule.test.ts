import { describe, expect, it } from "vitest";
import { InputError } from "../../src/numeric/inputError.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { presetSpec, toSpec } from "../../src/spec/presets.ts";
import { specAt } from "../../src/spec/schedule.ts";

describe("a schedule", () => {
  const spec = toSpec({
    schedule: { from: 9, actorLr: 0.01, epochs: 4, criticLr: 0.5, temperature: 0.1 },
  });

  it("changes nothing before its iteration, and then what it names and no more", () => {
    expect(specAt(spec, "grpo", 8)).toBe(spec);
    expect(specAt(spec, "grpo", 9)).toEqual({
      ...spec,
      optimisation: { ...spec.optimisation, actorLr: 0.01, epochs: 4 },
      critic: { ...spec.critic, lr: 0.5 },
      sampling: { ...spec.sampling, temperature: 0.1 },
    });
    expect(specAt(presetSpec("nano"), "grpo", 9)).toEqual(presetSpec("nano"));
  });

  it("travels in a link, switched on or off", () => {
    const link = encodeLink(spec);
    expect(link).toContain("schedule=on&schedule.from=9&schedule.actorLr=0.01");
    expect(decodeLink(link)).toMatchObject({ spec, warnings: [] });
    const without = { ...spec };
    delete without.schedule;
    expect(decodeLink(encodeLink(without)).spec).toEqual(without);
    const back = decodeLink("#v1/nano?schedule.from=3&schedule.epochs=2&schedule.epochs=null");
    expect(back.warnings).toEqual([
      'schedule.epochs is given more than once; the last, "null", is used.',
    ]);
    expect(back.spec.schedule).toMatchObject({ from: 3, epochs: null, actorLr: null });
  });

  it("is refused by field, value and range", () => {
    const wrong = (schedule: unknown) => () => toSpec({ schedule });
    expect(wrong({ from: 0 })).toThrow(
      new InputError("schedule.from is 0; it must be a whole number from 1 to 1000000"),
    );
    expect(wrong({ from: 2, actorLr: 2 })).toThrow(
      new InputError("schedule.actorLr is 2; it must be a number from 0 to 1"),
    );
    expect(wrong({ from: 2, lr: 1 })).toThrow("schedule.lr is not a field of schedule");
  });
});

describe("the doctor's part of a spec", () => {
  it("is on and never pauses where nothing is said, in specs older than it too", () => {
    const { doctor, ...old } = presetSpec("nano");
    expect(doctor).toMatchObject({ on: true, pause: false });
    expect(toSpec(old).doctor).toEqual(doctor);
    expect(toSpec({ doctor: { pause: true } }).doctor).toEqual({ ...doctor, pause: true });
    expect(() => toSpec({ doctor: { crossScorePrompts: 65 } })).toThrow(
      "doctor.crossScorePrompts is 65; it must be a whole number from 2 to 64",
    );
  });
});
