/** What a sweep cell says, and the experiments that it makes. */
import { describe, expect, it } from "vitest";
import { readFields, remarksOf } from "../../src/notebook/cellFields.ts";
import { parseNotebook, serialiseNotebook } from "../../src/notebook/document.ts";
import { planSweepCell } from "../../src/notebook/cells/sweep/plan.ts";
import { presetSpec } from "../../src/spec/presets.ts";

const said = (body: string) =>
  remarksOf("sweep", body).map(({ line, message }) => `${line}: ${message}`);
const plan = (body: string) => planSweepCell(presetSpec("nano"), readFields("sweep", body).value!);

describe("a sweep cell", () => {
  it("makes every combination, once for each seed, the last field changing fastest", () => {
    const { settings, problems } = plan(
      "over:\n  optimisation:\n    actorLr: [3e-4, 1e-3]\n  turn-ppo.gamma: [0.9, 1]\nseeds: [1, 2]",
    );
    expect(problems).toEqual([]);
    expect(settings.map(({ name }) => name)).toEqual([
      "actorLr 0.0003, gamma 0.9",
      "actorLr 0.0003, gamma 1",
      "actorLr 0.001, gamma 0.9",
      "actorLr 0.001, gamma 1",
    ]);
    const runs = settings.flatMap((one) => one.runs);
    expect(runs.map(({ seed }) => seed)).toEqual([1, 2, 1, 2, 1, 2, 1, 2]);
    expect(new Set(runs.map(({ key }) => key)).size).toBe(8);
    expect(runs[5]!.spec).toMatchObject({ seed: 2, optimisation: { actorLr: 0.001 } });
    expect(runs[4]!.spec.algorithms.find(({ name }) => name === "turn-ppo")!.set).toMatchObject({
      gamma: 0.9,
    });
  });

  it("has the experiment's own seed where it names none", () => {
    const { settings } = plan("over: {optimisation.epochs: [1, 2]}");
    expect(settings.flatMap(({ runs }) => runs.map(({ seed }) => seed))).toEqual(
      Array(2).fill(presetSpec("nano").seed),
    );
    expect(plan("").settings.map(({ runs }) => runs.map(({ spec }) => spec))).toEqual([
      [presetSpec("nano")],
    ]);
  });

  it("leaves out what cannot be trained, and says what is allowed", () => {
    const { settings, problems } = plan("over: {optimisation.epochs: [1, -1], seed: [1]}");
    expect(settings.map(({ name }) => name)).toEqual(["epochs 1, seed 1"]);
    expect(problems).toEqual([expect.stringMatching(/^optimisation.epochs .*-1.*\.$/)]);
    expect(plan("over: {optimisation.epoch: [1]}").problems.join()).toMatch(
      /^optimisation.epoch is not a field/,
    );
  });

  it("has a bound, and seeds that differ", () => {
    expect(said("over: {optimisation.epochs: [1, 2, 3, 4, 5]}\nseeds: [1, 2, 3, 4, 5]")).toEqual([
      "1: over must make at most 24 runs with the seeds; it makes 25.",
    ]);
    expect(said("seeds: [1, 1]")).toEqual(["1: seeds must list each seed once; 1 is there twice."]);
    expect(said("over: {optimisation.epochs: []}").join()).toContain("optimisation.epochs");
    expect(said("seeds: [x]")).toHaveLength(1);
    expect(said("seed: 3").join()).toContain("allowed: over, seeds, metrics");
  });

  it("is written as it was read", () => {
    const text =
      "```experiment id=first\npreset: nano\n```\n\n```sweep id=rates of=first\nover: # which\n  optimisation.actorLr: [3e-4, 1e-3]\nseeds: 1, 2\n```\n";
    const { notebook, remarks } = parseNotebook(text);
    expect(remarks).toEqual([]);
    expect(serialiseNotebook(notebook)).toBe(text);
  });
});
