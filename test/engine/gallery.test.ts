/**
 * Two planted collapses and one sound run, trained for real; `node test/clinic/clinic.mjs gallery` runs the whole gallery and ten
 * sound seeds.
 */
import { expect, test } from "vitest";
import { exhibits, ONSET } from "../../src/spec/gallery.ts";
import { presetNames, presetSpec } from "../../src/spec/presets.ts";
import { DETECTORS } from "../../src/train/doctor/detectors.ts";
import { diagnose } from "../../src/train/doctor/doctor.ts";
import { runSpec } from "../train/support.ts";
import { some } from "../every.ts";

test("every detector of metrics has its exhibit, and every exhibit is a preset that is sound before its onset", () => {
  const shown = exhibits.map(({ detector }) => detector);
  const judging = DETECTORS.filter(({ signs }) => signs.length > 0).map(({ name }) => name);
  expect([...shown].sort()).toEqual([...judging].sort());
  for (const { name } of exhibits) {
    expect(presetNames).toContain(name);
    const { schedule, optimisation } = presetSpec(name);
    expect(schedule!.from).toBe(ONSET);
    expect(optimisation.actorLr).toBe(presetSpec("healthy").optimisation.actorLr);
  }
});

test.each(
  some(["collapse-zero-variance", "collapse-critic"], (name) => name !== "collapse-critic"),
)("%s: found within five iterations of its onset, and nothing before it", async (name) => {
  const spec = { ...presetSpec(name), evaluation: { levels: 0, every: 1, temperature: 0 } };
  const { events } = await runSpec(spec);
  const { findings } = diagnose(events);
  const { detector } = exhibits.find((exhibit) => exhibit.name === name)!;
  const own = findings.find((finding) => finding.detector === detector)!;
  expect(own.firstBad).toBeGreaterThanOrEqual(ONSET);
  expect(own.iteration - ONSET).toBeLessThanOrEqual(5);
  expect(findings.filter(({ iteration }) => iteration < ONSET)).toEqual([]);
});

test("a sound run is left alone", async () => {
  const healthy = presetSpec("healthy");
  const spec = { ...healthy, evaluation: { ...healthy.evaluation, levels: 0 } };
  const { events } = await runSpec({ ...spec, algorithms: [{ name: "grpo", set: {} }] });
  expect(diagnose(events).findings).toEqual([]);
});
