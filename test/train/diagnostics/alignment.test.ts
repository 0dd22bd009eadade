import { expect, test } from "vitest";
import { alignmentOf } from "../../../src/train/diagnostics/alignment.ts";
import { metricEntry } from "../../../src/spec/metricTable.ts";
import type { Credit } from "../../../src/algorithm/registry.ts";
import type { TrajectoryBatch } from "../../../src/method/trajectoryBatch.ts";
import { ofType, runSpec, tinySpec } from "../support.ts";

/** Two episodes of two turns and of one; turns of 1, 2 and 1 tokens. */
const batch = {
  turnStart: Int32Array.of(0, 2, 3),
  tokenStart: Int32Array.of(0, 1, 3, 4),
  oldLogprob: Float64Array.of(-1, -1, -2, -0.5),
} as TrajectoryBatch;
const credit = { turnAdvantage: Float64Array.of(1, 2, 4), kept: null } as unknown as Credit;

test("alignment compares each turn's advantage with the sum of its tokens' log-ratios", () => {
  // Log-ratios 0.1, 0.05 + 0.15 and 0.4: proportional to the advantages.
  const after = Float64Array.of(-0.9, -0.95, -1.85, -0.1);
  const metrics = alignmentOf(batch, credit, after);
  expect(metrics["actor/alignment"]).toBeCloseTo(1, 12);
  expect(metrics["actor/turn_logratio_std"]).toBeCloseTo(Math.sqrt(0.07 / 3), 12);
});

test("turns of what a filter leaves out do not count", () => {
  const after = Float64Array.of(-1.1, -0.8, -2, 9);
  const kept = { ...credit, kept: Uint8Array.of(1, 0) };
  const metrics = alignmentOf(batch, kept, after);
  expect(metrics["actor/alignment"]).toBeCloseTo(1, 12);
  expect(metrics["actor/turn_logratio_std"]).toBeCloseTo(0.3 / Math.SQRT2, 12);
});

test("a run says it where it is asked, from the actor's first update on, and is else the same", async () => {
  const changes = {
    algorithms: [{ name: "turn-ppo", set: {} }],
    critic: { warmup: 1, epochs: 1 },
    evaluation: { levels: 0 },
  };
  const plain = await runSpec(tinySpec(changes));
  const asked = await runSpec(tinySpec({ ...changes, evaluation: { levels: 0, alignment: true } }));
  const of = ({ events }: typeof plain) =>
    ofType(events, "iteration").map(({ metrics }) => metrics);
  const own = ["actor/alignment", "actor/turn_logratio_std"];
  const [warmup, second] = of(asked);
  expect(own.filter((name) => name in warmup!)).toEqual([]);
  expect(second!["actor/turn_logratio_std"]).toBeGreaterThan(0);
  expect(Math.abs(second!["actor/alignment"]!)).toBeLessThanOrEqual(1);
  expect(own.every((name) => metricEntry(name))).toBe(true);
  const { "actor/alignment": _a, "actor/turn_logratio_std": _s, ...rest } = second!;
  expect(rest).toEqual(of(plain)[1]);
  expect("actor/alignment" in of(plain)[1]!).toBe(false);
});

test("equal advantages, and no turns at all, have no number rather than one that is not finite", () => {
  const after = Float64Array.of(-0.9, -0.95, -1.85, -0.1);
  const equal = { ...credit, turnAdvantage: Float64Array.of(0, 0, 0) };
  expect(Object.keys(alignmentOf(batch, equal, after))).toEqual(["actor/turn_logratio_std"]);
  const none = { ...credit, kept: Uint8Array.of(0, 0) };
  expect(alignmentOf(batch, none, after)).toEqual({});
});
