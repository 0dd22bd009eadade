/** A metric that no run has is named, with the nearest that runs have. */
import { expect, test } from "vitest";
import { metricOf } from "../../../src/figures/curves/metrics.ts";
import { missingNotes, unknownMetricNotes } from "../../../src/figures/curves/unknownMetrics.ts";
import { nearestNames } from "../../../src/numeric/nearestNames.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";

const log = {
  metrics: (source: string) =>
    source === "train"
      ? ["actor/entropy", "actor/ppo_kl", "critic/score/mean"]
      : ["val-env/sokoban/success"],
} as unknown as RunLog;

test("a name without its source is offered with it", () => {
  expect(unknownMetricNotes("reward, actor/entropy", [log])).toEqual([
    "No run has a metric named actor/entropy. Nearest: train:actor/entropy.",
  ]);
});

test("a misspelt name is offered the nearest; known ones say nothing", () => {
  expect(unknownMetricNotes("rewards", [log])).toEqual([
    "No run has a metric named rewards. Nearest: reward.",
  ]);
  expect(unknownMetricNotes("reward, heldout, train:actor/ppo_kl", [log])).toEqual([]);
  expect(unknownMetricNotes("xyzzy", [log])).toEqual(["No run has a metric named xyzzy."]);
  expect(unknownMetricNotes(undefined, [log])).toEqual([]);
});

test("a name with its source that the run lacks is offered the nearest", () => {
  expect(missingNotes(metricOf("train|actor/ppo_lk", "sokoban")!, [log])).toEqual([
    "No run has a metric named actor/ppo_lk. Nearest: actor/ppo_kl, actor/entropy.",
  ]);
});

test("nearest names are at most three, the likest first", () => {
  expect(nearestNames("credit", ["critic", "credits", "curves", "creditor", "credit2"])).toEqual([
    "credits",
    "credit2",
    "creditor",
  ]);
});
