/** The clinic: each patient is the healthy run with one setting changed, and shows what its lesson says. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { log } from "../../../src/numeric/deterministic.ts";
import { mean } from "../../../src/numeric/statistics.ts";
import { readExperiment } from "../../../src/notebook/cells/experiment/experiment.ts";
import { feverFigure } from "../../../src/panels/explore/practiceFigures.ts";
import { LogDoctor } from "../../../src/reading/diagnosis.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { changesOf } from "../../../src/spec/specDifference.ts";
import { toSpec } from "../../../src/spec/presets.ts";
import { bodyOf, expectAnswer, quizOf, recordedRun } from "../../fixtures/lesson.ts";

const repository = join(import.meta.dirname, "../../..");
const PATIENTS = ["a", "b", "c", "d"] as const;
const METHOD = { a: "turn-ppo", b: "grpo", c: "turn-ppo", d: "token-ppo" } as const;

let healthy: RunLog;
const runs = {} as Record<(typeof PATIENTS)[number], RunLog>;

beforeAll(async () => {
  healthy = await recordedRun("nano");
  for (const name of PATIENTS) runs[name] = await recordedRun(`clinic-${name}`);
});

/** Of iterations 1 to `until`. */
function numbersOf(run: RunLog, method: string, metric: string, until = 20): number[] {
  const { x, y } = run.series(method, metric, "train");
  return [...y].filter((_, i) => x[i]! <= until).map((value) => value ?? NaN);
}

function heldout(run: RunLog, method: string, iteration: number): number {
  const { x, y } = run.series(method, "val-env/sokoban/success", "heldout");
  return y[[...x].indexOf(iteration)]!;
}

/** Detector and iteration of each finding, in the doctor's order. */
function findingsOf(name: (typeof PATIENTS)[number]): string[] {
  const doctor = new LogDoctor(runs[name]);
  doctor.advance(Infinity, () => 0);
  return doctor.diagnosis.findings.map(({ detector, iteration }) => `${detector} ${iteration}`);
}

describe.each(PATIENTS)("patient %s", (name) => {
  const file = readFileSync(join(repository, `test/bench/recordings/clinic-${name}.json`), "utf8");
  const spec = toSpec(JSON.parse(file));

  it("has the settings of its file, and its recording the same", () => {
    const { spec: shown, recording, remarks } = readExperiment(bodyOf("clinic", name));
    expect(remarks).toEqual([]);
    expect(shown).toEqual(spec);
    expect(recording).toBe(`runs/clinic-${name}/recording.json`);
    // A run says which backend it found.
    expect(toSpec({ ...runs[name].start!.spec, engine: spec.engine })).toEqual(spec);
  });

  it("is the healthy run but for one setting", () => {
    const own = changesOf(spec).changes.map(([key]) => key);
    const length = ["optimisation.iterations", "evaluation.every", "engine.name", "algorithms"];
    expect(own.filter((key) => !length.includes(key))).toHaveLength(1);
    const twin = toSpec(healthy.start!.spec);
    expect([spec.preset, spec.seed]).toEqual([twin.preset, twin.seed]);
    // The same weights before training.
    expect(heldout(runs[name], METHOD[name], 0)).toBe(heldout(healthy, METHOD[name], 0));
  });

  it("takes at most 300 kB, without weights", () => {
    const folder = join(repository, `public/runs/clinic-${name}`);
    const files = readdirSync(folder);
    const bytes = files.reduce((sum, one) => sum + statSync(join(folder, one)).size, 0);
    expect(bytes).toBeLessThan(300_000);
    expect(files.filter((one) => one.startsWith("weights"))).toEqual([]);
  });
});

describe("what the lesson says of its patients", () => {
  it("the healthy run: entropy falls while success rises; the four numbers' ranges", () => {
    const entropy = numbersOf(healthy, "turn-ppo", "actor/entropy");
    expect([entropy[0], entropy[19]].map((x) => x!.toFixed(2))).toEqual(["0.73", "0.60"]);
    expect(heldout(healthy, "turn-ppo", 0)).toBeCloseTo(0.246, 3);
    expect(heldout(healthy, "turn-ppo", 20)).toBeCloseTo(0.383, 3);
    for (const method of ["token-ppo", "turn-ppo"]) {
      const all = numbersOf(healthy, method, "actor/entropy");
      expect(Math.min(...all)).toBeGreaterThanOrEqual(0.6);
      expect(Math.max(...all)).toBeLessThanOrEqual(0.755);
      expect(Math.max(...numbersOf(healthy, method, "actor/grad_norm"))).toBeLessThan(1.75);
    }
    for (const method of healthy.algorithms)
      expect(Math.max(...numbersOf(healthy, method, "actor/ppo_kl_k3"))).toBeLessThan(0.0215);
    const silent = numbersOf(healthy, "grpo", "frac_reward_zero_std");
    expect(silent.slice(0, 11)).toEqual(Array(11).fill(0));
    expect(silent[11]).toBeGreaterThan(0);
    expect(silent[19]).toBe(0.75);
  });

  it("the tiny policy gets stuck with a step size of 10, and mostly does not with 1", () => {
    const last = (rate: number, draw: number) => {
      const { rows } = feverFigure.show({ rate, temperature: 1, entropy: 0, draw }, {});
      return { best: rows[0]!.values.at(-1)!, entropy: rows[1]!.values.at(-1)! };
    };
    const stuck = last(10, 7);
    expect(stuck.best).toBeLessThan(0.02);
    expect(stuck.entropy).toBeLessThan(0.1);
    expect(last(1, 7).best).toBeGreaterThan(0.8);
    expect(bodyOf("clinic", "fever")).toContain("draw: 7");
  });

  it("A: destroyed by its first update", () => {
    expect(heldout(runs.a, "turn-ppo", 5)).toBeCloseTo(0.047, 3);
    const k3 = numbersOf(runs.a, "turn-ppo", "actor/ppo_kl_k3");
    expect(k3.slice(0, 2)).toEqual([0, 0]);
    expect(k3[2]).toBeCloseTo(0.595, 3);
    expect(findingsOf("a")).toEqual(["ratio-blow-up 3", "length-explosion 16", "entropy-crash 20"]);
    expect(quizOf("clinic", "a-first").options[0]).toBe("Ratio blow-up, iteration 3");
  });

  it("A: the limit of its entropy, by hand", () => {
    const entropy = numbersOf(runs.a, "turn-ppo", "actor/entropy");
    const said = [0.075, 0.264, 0.282, 0.491, 0.317, 0.101, 0.018];
    expect(entropy.slice(13).map((x) => Number(x.toFixed(3)))).toEqual(said);
    const limit = 0.4 * mean(entropy.slice(13, 18));
    expectAnswer("clinic", "limit", limit);
    expect(entropy.slice(18).every((x) => x < limit)).toBe(true);
    expect(mean(entropy.slice(0, 10))).toBeCloseTo(0.541, 3);
    expectAnswer("clinic", "rings", 20);
  });

  it("B: silent from the first iteration, and so without a gradient", () => {
    const silent = numbersOf(runs.b, "grpo", "frac_reward_zero_std");
    expect(silent[0]).toBe(1);
    expect(Math.min(...silent)).toBeGreaterThan(0.8);
    const norm = numbersOf(runs.b, "grpo", "actor/grad_norm");
    expect(norm[0]! * 1e11).toBeCloseTo(2, 0);
    expect(findingsOf("b")[0]).toBe("zero-variance 3");
    // Boards change from iteration to iteration, and so does the reward.
    expect(new Set(numbersOf(runs.b, "grpo", "critic/score/mean")).size).toBe(20);
  });

  it("C: no finding, a steady entropy, a large gradient, and little learned", () => {
    expect(findingsOf("c")).toEqual([]);
    expect(heldout(runs.c, "turn-ppo", 20)).toBeCloseTo(0.262, 3);
    const entropy = numbersOf(runs.c, "turn-ppo", "actor/entropy");
    expect(entropy.every((x) => Math.abs(x - 0.7) < 0.04)).toBe(true);
    const norm = numbersOf(runs.c, "turn-ppo", "actor/grad_norm");
    expect(norm.at(-1)).toBeCloseTo(34.9, 1);
    expectAnswer("clinic", "c-scale", 1 / norm.at(-1)!);
    expect(1 / 1.7).toBeGreaterThan(0.585);
  });

  it("D: entropy rises until the model guesses", () => {
    expect(heldout(runs.d, "token-ppo", 5)).toBeCloseTo(0.273, 3);
    expect(heldout(runs.d, "token-ppo", 10)).toBe(0);
    const length = numbersOf(runs.d, "token-ppo", "response_length/mean");
    expect(Math.min(...length.slice(9))).toBeGreaterThan(5.7);
    expect(numbersOf(runs.d, "token-ppo", "actor/entropy")[19]).toBeCloseTo(4.129, 3);
    expectAnswer("clinic", "d-limit", log(64));
  });
});
