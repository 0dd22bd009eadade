/** Advantages of newer rows against the worked examples of `methods2026.json`. */
import { describe, expect, it } from "vitest";
import { computeCredit } from "../../src/algorithm/registry.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { expectClose, method2026, type Matrix } from "../golden/load.ts";

/** The file's numbers have six digits. */
const DIGITS = 1e-5;

interface TurnInputs {
  groups: number[];
  anchors: string[][];
  turn_rewards: Matrix;
}

const turnBatchOf = ({ groups, anchors, turn_rewards }: TurnInputs) =>
  decodeBatch({
    trajectories: turn_rewards.map((rewards, b) => ({
      task: `t${groups[b]}`,
      turns: rewards.map((reward, h) => ({ reward, anchor: anchors[b]![h], tokens: [{}] })),
    })),
  });

const credit = (name: string, batch: ReturnType<typeof decodeBatch>, set = {}) =>
  computeCredit(resolveAlgorithm(name, set), batch);

describe("HGPO", () => {
  const golden = method2026<TurnInputs, Record<string, Matrix>>("hgpo");
  const batch = turnBatchOf(golden.inputs);

  it("is the authors' code, and under past the paper's weights", () => {
    const { advantages, advantages_paper_weights: paper, returns } = golden.expected;
    const own = credit("hgpo", batch);
    expectClose(own.turnAdvantage, advantages!.flat(), DIGITS);
    expectClose(own.trace["turn.return"]!, returns!.flat(), DIGITS);
    const past = credit("hgpo", batch, { historyWeights: "past" });
    expectClose(past.turnAdvantage, paper!.flat(), DIGITS);
  });

  it("with the episode and standard deviations is the code's base_group", () => {
    const { inputs, expected } = method2026<TurnInputs, Record<string, Matrix>>(
      "hgpo_base_group_std",
    );
    const set = { historyWeights: "with-episode", std: "population" };
    expectClose(
      credit("hgpo", turnBatchOf(inputs), set).turnAdvantage,
      expected["advantages"]!.flat(),
      DIGITS,
    );
  });

  it("without history is GiGPO's comparison of states", () => {
    const states = credit("hgpo", batch, { historyLength: 0, historyWeights: "past" });
    const [both, episode] = [1, 0].map((omega) => credit("gigpo", batch, { omega }).turnAdvantage);
    expectClose(
      states.turnAdvantage,
      both!.map((A, k) => A - episode![k]!),
      1e-12,
    );
  });

  it("bears any exponent", () => {
    for (const alpha of [0, 1000]) {
      const { turnAdvantage } = credit("hgpo", batch, { alpha, historyLength: 1000 });
      expect(turnAdvantage.every(Number.isFinite)).toBe(true);
    }
    // The deepest match alone remains: three states for a's last turn.
    expect(credit("hgpo", batch, { alpha: 1000 }).turnAdvantage[2]).toBeCloseTo(0.35, 6);
  });
});
