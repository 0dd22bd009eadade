import { describe, expect, it } from "vitest";
import { readRecording } from "../../src/reading/log/recording.ts";
import {
  truthKey,
  truthsOfIteration,
  type EpisodeTruth,
  methodWithTruth,
} from "../../src/reading/truths.ts";
import { creditRecording } from "../fixtures/creditRun.ts";

const { log } = (await readRecording(creditRecording()))!;
const at = { algorithm: "grpo", iteration: 1 };

function found(gamma: number, steps: "turn" | "token" = "turn"): EpisodeTruth {
  return { turns: [], found: { gamma, steps, trained: 0, branches: 8 } };
}

describe("a method whose truths fit its critic", () => {
  it("is found where both have one discount", () => {
    const truths = { [truthKey("turn-ppo", 1, 3)]: found(0.99) };
    expect(methodWithTruth(log, at, truths, "turn-ppo")).toBe("turn-ppo");
    expect(methodWithTruth(log, at, truths, "token-ppo")).toBe("turn-ppo");
  });

  it("is none under another discount, of another iteration, or the one that is looked at", () => {
    const of = (key: string, truth: EpisodeTruth) =>
      methodWithTruth(log, at, { [key]: truth }, "turn-ppo");
    expect(of(truthKey("turn-ppo", 1, 3), found(1))).toBeNull();
    expect(of(truthKey("turn-ppo", 1, 3), found(0.99, "token"))).toBeNull();
    expect(of(truthKey("turn-ppo", 11, 3), found(0.99))).toBeNull();
    // GRPO has no critic whose values a truth could be held against.
    expect(of(truthKey("grpo", 1, 3), found(1))).toBeNull();
  });
});

it("tells an iteration's truths from those of iterations that begin alike", () => {
  const truths = { [truthKey("grpo", 1, 0)]: found(1), [truthKey("grpo", 10, 0)]: found(0.5) };
  expect(truthsOfIteration(truths, "grpo", 1)).toEqual([found(1)]);
});
