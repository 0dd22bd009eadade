/** The class's lesson: what its words say is what its experiment trains. */
import { expect, it } from "vitest";
import { readFields } from "../../../src/notebook/cellFields.ts";
import { readExperiment } from "../../../src/notebook/cells/experiment/experiment.ts";
import { pinned } from "../../../src/reading/classroom/classResults.ts";
import { learnerNames } from "../../../src/spec/preference.ts";
import { bodyOf, expectAnswer } from "../../fixtures/lesson.ts";

it("trains two methods for ten iterations, tests on 64 boards, and is pinned to WebAssembly", () => {
  const { spec, remarks } = readExperiment(bodyOf("class", "first"));
  expect(remarks).toEqual([]);
  expect(learnerNames(spec)).toEqual(["grpo", "turn-ppo"]);
  expect(spec.optimisation.iterations).toBe(10);
  expect(spec.evaluation).toMatchObject({ levels: 64, every: 2 });
  expect(pinned(spec)).toEqual(spec);
  const { options } = readFields("class", bodyOf("class", "class")).value!;
  expect(options).toEqual(["GRPO", "Turn-PPO", "about the same"]);
});

it("says how many desks halve an interval", () => {
  expectAnswer("class", "quarter", 10 * (6 / 3) ** 2);
});
