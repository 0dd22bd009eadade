/**
 * Turn-PPO against the independent reference of test/golden/rl/own_turn_ppo.json and the examples
 * G19.
 */
import { describe, expect, it } from "vitest";
import { computeCredit, computeObjective } from "../../src/algorithm/registry.ts";
import { mean } from "../../src/numeric/statistics.ts";
import { valueLoss } from "../../src/method/objective/valueLoss.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import type { TrajectoryBatch } from "../../src/method/trajectoryBatch.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { expectClose, formula, goldenCases, type Matrix } from "../golden/load.ts";

interface Inputs {
  turn_ids: Matrix;
  turn_rewards: Matrix;
  turn_values_at_state_end: Matrix;
  num_turns: number[];
  truncated: number[];
  bootstrap_value: number[];
  gamma: number;
  lam: number;
  clip_low: number;
  clip_high: number;
  dual_clip_c: number | null;
  whiten: boolean;
  old_log_prob: Matrix;
  log_prob: Matrix;
  new_turn_values: Matrix;
}

interface Loss {
  loss: number;
  grad_wrt_log_prob: Matrix;
}

interface ByLevel extends Record<string, Loss | Matrix> {
  turn_ratio: Matrix;
  turn_clipped: Matrix;
}

interface ClipShares {
  clipfrac_turns: number;
  clipfrac_token_weighted: number;
}

interface Outputs {
  turn_advantages: Matrix;
  turn_advantages_whitened_ddof1_over_turns: Matrix;
  turn_returns: Matrix;
  advantages_used_in_loss: Matrix;
  token_advantages_broadcast: Matrix;
  product: ByLevel;
  geomean: ByLevel;
  value_loss: {
    cliprange_value: number;
    mean_over_all_turns: number;
    grad_mean_over_all_turns: Matrix;
    mean_over_traj_of_mean_over_turns: number;
    grad_mean_over_traj: Matrix;
  };
}

function batchOf(inputs: Inputs): TrajectoryBatch {
  const trajectories = inputs.num_turns.map((K, b) => ({
    terminated: inputs.truncated[b] === 0,
    bootstrapValue: inputs.truncated[b] === 0 ? 0 : inputs.bootstrap_value[b],
    turns: Array.from({ length: K }, (_, k) => ({
      reward: inputs.turn_rewards[b]![k],
      value: inputs.turn_values_at_state_end[b]![k],
      newValue: inputs.new_turn_values[b]![k],
      tokens: inputs.turn_ids[b]!.flatMap((id, t) =>
        id === k
          ? [{ logprob: inputs.log_prob[b]![t], oldLogprob: inputs.old_log_prob[b]![t] }]
          : [],
      ),
    })),
  }));
  return decodeBatch({ trajectories });
}

const aggregations = [
  "turnsum-over-tokens",
  "turn-mean",
  "traj-turn-mean",
  "token-mean",
  "seq-mean-token-mean",
];

describe.each(goldenCases<Inputs, Outputs>("own_turn_ppo"))(
  "own_turn_ppo $name",
  ({ inputs, outputs }) => {
    const batch = batchOf(inputs);
    const settings = {
      gamma: inputs.gamma,
      lambda: inputs.lam,
      epsLow: inputs.clip_low,
      epsHigh: inputs.clip_high,
      dualClip: inputs.dual_clip_c,
      whiten: inputs.whiten ? "turns" : "none",
      valueClip: outputs.value_loss.cliprange_value,
    };
    const config = resolveAlgorithm("turn-ppo", settings);
    const credit = computeCredit(config, batch);
    const ofTurns = (x: Matrix) => x.flatMap((row, b) => row.slice(0, inputs.num_turns[b]));
    const ofTokens = (x: Matrix) =>
      x.flatMap((row, b) => row.filter((_, t) => inputs.turn_ids[b]![t]! >= 0));

    it("advantages and returns", () => {
      expectClose(credit.turnReturn!, ofTurns(outputs.turn_returns));
      expectClose(credit.turnAdvantage, ofTurns(outputs.advantages_used_in_loss));
      const plain = computeCredit({ ...config, whiten: "none" }, batch);
      expectClose(plain.turnAdvantage, ofTurns(outputs.turn_advantages));
      expect(plain.tokenReturn).toBeNull();
      const whitened = computeCredit({ ...config, whiten: "turns" }, batch);
      const expected = ofTurns(outputs.turn_advantages_whitened_ddof1_over_turns);
      expectClose(whitened.turnAdvantage, expected);
    });

    it("advantages on tokens", () => {
      expectClose(credit.tokenAdvantage, ofTokens(outputs.token_advantages_broadcast));
    });

    for (const level of ["product", "geomean"] as const) {
      it.each(aggregations)(`${level} ratio, %s`, (aggregation) => {
        const expected = outputs[level][aggregation.replaceAll("-", "_")] as Loss;
        const set = { ...settings, aggregation, ratio: `turn-${level}` };
        const result = computeObjective(resolveAlgorithm("turn-ppo", set), batch, credit);
        expectClose([result.loss], [expected.loss]);
        expectClose(result.dLogprob, ofTokens(expected.grad_wrt_log_prob));
        expectClose(result.turnRatio, ofTurns(outputs[level].turn_ratio));
        expectClose(result.turnClipped, ofTurns(outputs[level].turn_clipped).map(Number));
        const shares = outputs[level] as unknown as ClipShares;
        expectClose([result.metrics["actor/turn_clipfrac"]!], [shares.clipfrac_turns]);
        expectClose([mean(result.tokenClipped)], [shares.clipfrac_token_weighted]);
        // verl's two names split it by the rule that clips.
        const { "actor/pg_clipfrac": range, "actor/pg_clipfrac_lower": dual } = result.metrics;
        expectClose([range! + dual!], [shares.clipfrac_token_weighted]);
      });
    }

    it("value loss", () => {
      const { valueLoss: loss, dValue } = computeObjective(config, batch, credit);
      expectClose([loss!], [outputs.value_loss.mean_over_traj_of_mean_over_turns]);
      expectClose(dValue!, ofTurns(outputs.value_loss.grad_mean_over_traj));
    });

    it("value loss as a mean over all turns, whosever they are", () => {
      const K = batch.turnReward.length;
      const result = valueLoss({
        value: batch.turnNewValue!,
        oldValue: batch.turnValue!,
        ret: credit.turnReturn!,
        weight: new Float64Array(K).fill(1 / K),
        clip: outputs.value_loss.cliprange_value,
      });
      expectClose([result.loss], [outputs.value_loss.mean_over_all_turns]);
      expectClose(result.dValue, ofTurns(outputs.value_loss.grad_mean_over_all_turns));
    });
  },
);

describe("golden G19: one trajectory of two turns", () => {
  const d = [
    [0.1, -0.05, 0.2],
    [-0.02, 0.04, 0.01, 0.01],
  ];
  const A = [0.5, -0.3];
  const batch = decodeBatch({
    trajectories: [
      {
        turns: d.map((turn, k) => ({
          advantage: A[k],
          tokens: turn.map((x) => ({ logprob: x, oldLogprob: 0 })),
        })),
      },
    ],
  });
  const run = (set: Record<string, unknown>, name = "turn-ppo") => {
    const config = resolveAlgorithm(name, { whiten: "none", dualClip: "none", ...set });
    return computeObjective(config, batch, computeCredit(config, batch));
  };
  const expected = formula<Record<string, number>>("G19");
  it.each([
    ["product,/N_tokens(table1)", {}],
    ["product,/K_turns", { aggregation: "turn-mean" }],
    ["geomean,/K", { aggregation: "turn-mean", ratio: "turn-geomean" }],
    ["geomean,token-broadcast/N", { aggregation: "token-mean", ratio: "turn-geomean" }],
    ["token-PPO,/N", { aggregation: "token-mean", ratio: "token" }],
  ])("%s", (name, set) => expect(run(set).loss).toBeCloseTo(expected[name]!, 6));
  it("clip fractions", () => {
    expect(run({}).metrics["actor/turn_clipfrac"]).toBe(expected["clipfrac_turn_product"]);
    const token = run({}, "token-ppo").metrics["actor/pg_clipfrac"];
    expect(token).toBeCloseTo(expected["clipfrac_token"]!, 6);
  });
});
