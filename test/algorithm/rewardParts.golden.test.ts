/** GDPO's and OTB's advantages against the published code's numbers. */
import { describe, expect, it } from "vitest";
import { computeCredit } from "../../src/algorithm/registry.ts";
import { MissingColumnError } from "../../src/method/requireColumn.ts";
import type { TrajectoryBatch } from "../../src/method/trajectoryBatch.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import {
  expectClose,
  goldenCases,
  maskedBatch,
  method2026,
  pack,
  type Matrix,
} from "../golden/load.ts";

const credit = (name: string, batch: TrajectoryBatch, set: Record<string, unknown> = {}) =>
  computeCredit(resolveAlgorithm(name, set), batch);

/** Component scores are single precision there. */
const FLOAT32 = 1e-6;
/** The file's numbers have six digits. */
const DIGITS = 1e-5;

interface GdpoInputs {
  token_level_rewards: Matrix;
  reward_components: { format_reward: number[]; accuracy_reward: number[] };
  weights: number[];
  response_mask: Matrix;
  index: string[];
}
interface Advantages {
  advantages: Matrix;
}

/** One turn a rollout, paid for its form and for the rest. */
const paidFor = (tasks: (string | number)[], format: number[], rest: number[], lengths: number[]) =>
  decodeBatch({
    trajectories: tasks.map((task, b) => ({
      task: String(task),
      turns: [
        {
          reward: format[b]! + rest[b]!,
          format: format[b]!,
          tokens: Array.from({ length: lengths[b]! }, () => ({})),
        },
      ],
    })),
  });

const ofMask = (mask: Matrix) => mask.map((row) => row.filter((m) => m === 1).length);

describe("GDPO", () => {
  it.each(goldenCases<GdpoInputs, Advantages>("verl_gdpo_multi"))(
    "verl_gdpo_multi $name",
    ({ inputs, outputs }) => {
      const { reward_components: parts, weights, response_mask: mask } = inputs;
      const { format_reward: format, accuracy_reward: rest } = parts;
      const batch = paidFor(inputs.index, format, rest, ofMask(mask));
      const set = { formatWeight: weights[0]! / weights[1]! };
      expectClose(
        credit("gdpo", batch, set).tokenAdvantage,
        pack(outputs.advantages, mask),
        FLOAT32,
      );
    },
  );

  it.each(goldenCases<GdpoInputs, Advantages>("verl_gdpo"))(
    "verl_gdpo $name: one kind of reward",
    ({ inputs, outputs }) => {
      const { response_mask: mask, token_level_rewards: reward, index } = inputs;
      const batch = maskedBatch(mask, { reward }, (b) => ({ task: index[b] }));
      batch.turnFormat = new Float64Array(batch.turnReward.length);
      expectClose(credit("gdpo", batch).tokenAdvantage, pack(outputs.advantages, mask));
    },
  );

  it("compares each kind by itself, process pay as well", () => {
    const { inputs, expected } = method2026<
      { groups: number[]; rewards: { format: number[]; task: number[] }; lengths: number[] },
      {
        per_dimension: { format: number[]; task: number[] };
        advantages_verl_token_whitened: number[];
      }
    >("gdpo");
    const { format, task } = inputs.rewards;
    const batch = paidFor(inputs.groups, format, task, inputs.lengths);
    const own = credit("gdpo", batch, { formatWeight: 0.5 });
    expectClose(own.trace["trajectory.taskScore"]!, expected.per_dimension.task, DIGITS);
    expectClose(own.trace["trajectory.formatScore"]!, expected.per_dimension.format, DIGITS);
    expectClose(own.turnAdvantage, expected.advantages_verl_token_whitened, DIGITS);
    // The same pay as process pay in place of form.
    const zero = new Float64Array(format.length);
    const asProcess = { ...batch, turnFormat: zero, turnProcess: batch.turnFormat! };
    const other = credit("gdpo", asProcess, { processWeight: 0.5 });
    expectClose(other.turnAdvantage, own.turnAdvantage, 1e-12);
  });

  it("says what it needs", () => {
    const { turnFormat: _, ...without } = paidFor(["a", "a"], [0, 1], [1, 0], [1, 1]);
    expect(() => credit("gdpo", without)).toThrow(
      "trajectories[0].turns[0].format is missing; gdpo needs it",
    );
  });
});

interface OtbInputs {
  token_level_rewards: Matrix;
  response_mask: Matrix;
  index: string[];
  handle_zero_tail: boolean;
  old_log_probs: Matrix;
  sum_pi_squared: Matrix;
  rollout_is_weights?: Matrix;
}

const otbBatch = (inputs: Omit<OtbInputs, "handle_zero_tail">) =>
  maskedBatch(
    inputs.response_mask,
    {
      reward: inputs.token_level_rewards,
      oldLogprob: inputs.old_log_probs,
      sumPiSquared: inputs.sum_pi_squared,
    },
    (b) => ({ task: inputs.index[b] }),
  );

const WITHOUT_ENVIRONMENT = goldenCases<OtbInputs, Advantages>("verl_tir_optimal_token_baseline");
/** The other form counts the environment's tokens too: the same where there are none. */
const WITHOUT_GAPS = goldenCases<OtbInputs, Advantages>("verl_optimal_token_baseline").map(
  ({ inputs, ...rest }) => ({ ...rest, inputs }),
);

describe("OTB", () => {
  it.each(WITHOUT_ENVIRONMENT.filter(({ inputs }) => inputs.handle_zero_tail))(
    "verl_tir_optimal_token_baseline $name",
    ({ inputs, outputs }) => {
      const own = credit("otb", otbBatch(inputs)).tokenAdvantage;
      expectClose(own, pack(outputs.advantages, inputs.response_mask));
    },
  );

  it("is verl's other form up to the first gap", () => {
    for (const { inputs, outputs } of WITHOUT_GAPS.filter(
      ({ inputs }) => inputs.handle_zero_tail,
    )) {
      const own = credit("otb", otbBatch(inputs)).tokenAdvantage;
      const theirs = pack(outputs.advantages, inputs.response_mask);
      // The first token stands at position 0 in both.
      const firsts = ofMask(inputs.response_mask).map((_, b, all) =>
        all.slice(0, b).reduce((sum, n) => sum + n, 0),
      );
      expectClose(
        firsts.map((n) => own[n]!),
        firsts.map((n) => theirs[n]!),
      );
    }
  });

  it("weighs by energy spent, and leaves the longest rollout's tail alone", () => {
    const { inputs, expected } = method2026<
      {
        groups: number[];
        token_rewards: Matrix;
        mask: Matrix;
        old_logp: Matrix;
        sum_pi_squared: Matrix;
      },
      { cumulative_weight: Matrix; advantages: Matrix }
    >("tir_optimal_token_baseline");
    const own = credit(
      "otb",
      otbBatch({
        token_level_rewards: inputs.token_rewards,
        response_mask: inputs.mask,
        index: inputs.groups.map(String),
        old_log_probs: inputs.old_logp,
        sum_pi_squared: inputs.sum_pi_squared,
      }),
    );
    const spent = pack(expected.cumulative_weight, inputs.mask);
    expectClose(own.trace["token.spentEnergy"]!, spent, DIGITS);
    expectClose(own.tokenAdvantage, pack(expected.advantages, inputs.mask), DIGITS);
  });

  it("says what it needs", () => {
    const { sumPiSquared: _, ...without } = otbBatch(WITHOUT_ENVIRONMENT[0]!.inputs);
    expect(() => credit("otb", without)).toThrow(MissingColumnError);
    expect(() => credit("otb", without)).toThrow(
      /tokens\[0\]\.sumPiSquared is missing; otb needs it/,
    );
  });
});
