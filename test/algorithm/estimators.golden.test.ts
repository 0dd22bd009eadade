/** Advantages and returns of every row against the published code's numbers. */
import { describe, expect, it } from "vitest";
import { computeCredit } from "../../src/algorithm/registry.ts";
import { anchorStates } from "../../src/method/estimator/gigpo.ts";
import { joinNames } from "../../src/method/credit/groups.ts";
import { groupScores } from "../../src/method/credit/groupScores.ts";
import { representatives, similarity } from "../../src/method/credit/similarNames.ts";
import { adaptedBeta, withKlReward } from "../../src/method/credit/klReward.ts";
import { returnsToGo } from "../../src/method/credit/returnsToGo.ts";
import { segmentMean } from "../../src/numeric/segments.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import type { TrajectoryBatch } from "../../src/method/trajectoryBatch.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { packSpans, spansOfIds, turnBatch, type Spans } from "../method/credit/turnBatch.ts";
import { expectClose, goldenCases, maskedBatch, pack, type Matrix } from "../golden/load.ts";
import { othersMean } from "../../src/method/baselines.ts";

const leaveOneOut = (
  score: Float64Array,
  ...of: [task: readonly string[], alone?: "score" | "zero"]
) => {
  const mean = othersMean(score, ...of);
  return score.map((R, b) => R - mean[b]!);
};

/** Files whose code computes in single precision somewhere. */
const FLOAT32 = 1e-6;

const credit = (name: string, batch: TrajectoryBatch, set: Record<string, unknown> = {}) =>
  computeCredit(resolveAlgorithm(name, set), batch);

interface ScoreInputs {
  token_level_rewards: Matrix;
  response_mask: Matrix;
  index: string[];
}
interface Outputs {
  advantages: Matrix;
  returns: Matrix;
}

const scoreBatch = ({ token_level_rewards, response_mask, index }: ScoreInputs, extra = {}) =>
  maskedBatch(response_mask, { reward: token_level_rewards }, (b) => ({
    task: index[b],
    ...Object.fromEntries(
      Object.entries(extra as Record<string, number[]>).map(([k, x]) => [k, x[b]]),
    ),
  }));

describe("verl's advantages without a critic", () => {
  it.each(goldenCases<ScoreInputs, Outputs>("verl_rloo"))("verl_rloo $name", (golden) => {
    const adv = credit("rloo", scoreBatch(golden.inputs)).tokenAdvantage;
    expectClose(adv, pack(golden.outputs.advantages, golden.inputs.response_mask));
  });

  it.each(goldenCases<ScoreInputs, Outputs>("verl_rloo_vectorized"))(
    "verl_rloo_vectorized $name: a group of one gets 0",
    ({ inputs, outputs }) => {
      const score = Float64Array.from(inputs.token_level_rewards, (r) =>
        r.reduce((a, b) => a + b, 0),
      );
      const first = inputs.response_mask.map((row) => row.indexOf(1));
      const expected = outputs.advantages.map((row, b) => row[first[b]!]!);
      expectClose(leaveOneOut(score, inputs.index, "zero"), expected, FLOAT32);
    },
  );

  it.each(goldenCases<ScoreInputs, Outputs>("verl_opo"))("verl_opo $name", (golden) => {
    const adv = credit("opo", scoreBatch(golden.inputs)).tokenAdvantage;
    expectClose(adv, pack(golden.outputs.advantages, golden.inputs.response_mask));
  });

  it.each(goldenCases<ScoreInputs & { reward_baselines: number[] }, Outputs>("verl_remax"))(
    "verl_remax $name",
    ({ inputs, outputs }) => {
      const batch = scoreBatch(inputs, { greedyScore: inputs.reward_baselines });
      const adv = credit("remax", batch).tokenAdvantage;
      expectClose(adv, pack(outputs.advantages, inputs.response_mask));
      // The greedy score is all that lies between advantages and returns.
      const zero = credit("remax", scoreBatch(inputs, { greedyScore: [0, 0, 0, 0, 0, 0] }));
      expectClose(zero.tokenAdvantage, pack(outputs.returns, inputs.response_mask));
    },
  );

  it.each(goldenCases<ScoreInputs & { gamma: number }, Outputs>("verl_reinforce_plus_plus"))(
    "verl_reinforce_plus_plus $name",
    ({ inputs, outputs }) => {
      const { gamma, response_mask: mask } = inputs;
      const batch = scoreBatch(inputs);
      expectClose(
        credit("reinforce-pp", batch, { gamma }).tokenAdvantage,
        pack(outputs.advantages, mask),
      );
      const returns = credit("reinforce-pp", batch, { gamma, whiten: "none" }).tokenAdvantage;
      expectClose(returns, pack(outputs.returns, mask));
    },
  );

  it.each(goldenCases<ScoreInputs, Outputs>("verl_reinforce_plus_plus_baseline"))(
    "verl_reinforce_plus_plus_baseline $name",
    ({ inputs, outputs }) => {
      const adv = credit("reinforce-pp-baseline", scoreBatch(inputs)).tokenAdvantage;
      expectClose(adv, pack(outputs.advantages, inputs.response_mask));
    },
  );

  it.each(
    goldenCases<ScoreInputs & { norm_adv_by_std_in_grpo: boolean }, Outputs>(
      "verl_grpo_vectorized",
    ),
  )("verl_grpo_vectorized $name", ({ inputs, outputs }) => {
    const name = inputs.norm_adv_by_std_in_grpo ? "grpo" : "dr-grpo";
    const adv = credit(name, scoreBatch(inputs)).tokenAdvantage;
    expectClose(adv, pack(outputs.advantages, inputs.response_mask), FLOAT32);
  });
});

it.each(
  goldenCases<ScoreInputs & { norm_adv_by_std_in_grpo: boolean }, Outputs>("verl_grpo_passk"),
)("verl_grpo_passk $name", ({ inputs, outputs }) => {
  const set = { std: inputs.norm_adv_by_std_in_grpo ? "sample" : "none" };
  const adv = credit("grpo-passk", scoreBatch(inputs), set).tokenAdvantage;
  expectClose(adv, pack(outputs.advantages, inputs.response_mask));
});

// GPG is not a row: its code scales Dr.GRPO's advantages by the batch's size over its scores that are not 0.
it.each(goldenCases<ScoreInputs, Outputs>("verl_gpg"))("verl_gpg $name", ({ inputs, outputs }) => {
  const scores = inputs.token_level_rewards.map((row) => row.reduce((a, b) => a + b, 0));
  const alpha = scores.length / scores.filter((score) => score !== 0).length;
  const adv = credit("dr-grpo", scoreBatch(inputs)).tokenAdvantage.map((A) => alpha * A);
  expectClose(adv, pack(outputs.advantages, inputs.response_mask), FLOAT32);
});

interface SimilarInputs {
  anchor_obs: string[];
  index: string[];
  similarity_thresh: number;
  difflib_ratios_to_first: number[];
}

it.each(
  goldenCases<SimilarInputs, { step_group_id_in_order_of_first_appearance: number[] }>(
    "gigpo",
  ).filter(({ name }) => name === "similarity_grouping"),
)("gigpo $name: states that are alike count as one", ({ inputs, outputs }) => {
  const { anchor_obs: anchor, index, similarity_thresh: threshold } = inputs;
  expectClose(
    anchor.map((name) => similarity(name, anchor[0]!)),
    inputs.difflib_ratios_to_first,
  );
  const like = representatives(anchor, index, threshold);
  const order = [...new Set(like)];
  expect(like.map((name) => order.indexOf(name))).toEqual(
    outputs.step_group_id_in_order_of_first_appearance,
  );
  // Other tasks' states are other states, and at 1 only equal ones are the same.
  expect(new Set(representatives(anchor, ["a", "a", "a", "b"], threshold)).size).toBe(3);
  expect(representatives(anchor, index, 1)).toEqual(anchor);
  const trajectories = anchor.map((name, b) => ({
    task: "t",
    turns: [{ reward: b, anchor: name, tokens: [{}] }],
  }));
  const joined = credit("gigpo", decodeBatch({ trajectories }), { anchorSimilarity: threshold });
  // States 0, 1 and 3 are one, with mean return 4/3; state 2 is alone.
  const episode = [0, 1, 2, 3].map((r) => r - 1.5);
  const state = [0 - 4 / 3, 1 - 4 / 3, 0, 3 - 4 / 3];
  expectClose(
    joined.turnAdvantage,
    episode.map((A, b) => A + state[b]!),
  );
});

interface KlInputs {
  token_level_scores: Matrix;
  old_log_prob: Matrix;
  ref_log_prob: Matrix;
  kl_ratio: number;
}

it.each(
  goldenCases<KlInputs, { rewards: Matrix }>("verl_kl_controller").filter(
    ({ name }) => name === "compute_rewards",
  ),
)("verl_kl_controller $name: KL in the reward", ({ inputs, outputs }) => {
  const mask = inputs.old_log_prob.map((row) => row.map(() => 1));
  const batch = maskedBatch(mask, {
    reward: inputs.token_level_scores,
    oldLogprob: inputs.old_log_prob,
    refLogprob: inputs.ref_log_prob,
  });
  expectClose(withKlReward(batch, inputs.kl_ratio).tokenReward!, pack(outputs.rewards, mask));
});

interface ControllerInputs {
  init_kl_coef: number;
  target_kl: number;
  horizon: number;
  updates_current_kl_n_steps: [number, number][];
}

it.each(
  goldenCases<ControllerInputs, { value_after_each: number[] }>("verl_kl_controller").filter(
    ({ name }) => name === "adaptive",
  ),
)("verl_kl_controller $name: the weight follows the KL", ({ inputs, outputs }) => {
  const steering = { target: inputs.target_kl, horizon: inputs.horizon };
  let beta = inputs.init_kl_coef;
  const after = inputs.updates_current_kl_n_steps.map(
    ([kl, steps]) => (beta = adaptedBeta(beta, kl, steering, steps)),
  );
  expectClose(after, outputs.value_after_each);
});

interface DedupInputs extends ScoreInputs {
  episode_ids: string[];
  norm_adv_by_std_in_grpo: boolean;
}

it.each(goldenCases<DedupInputs, Outputs & { group_std: number[] }>("ragen_grpo_episode_dedup"))(
  "ragen_grpo_episode_dedup $name: an episode of several rows counts once",
  ({ inputs, outputs }) => {
    // A row is a turn here, and every row repeats its episode's score.
    const ids = inputs.index.map((g, i) => `${g} ${inputs.episode_ids[i]}`);
    const trajectories = [...new Set(ids)].map((id) => {
      const rows = ids.flatMap((other, i) => (other === id ? [i] : []));
      const score = inputs.token_level_rewards[rows[0]!]!.reduce((a, b) => a + b, 0);
      const turns = rows.map((_, k) => ({ reward: k === 0 ? score : 0, tokens: [{}] }));
      return { task: inputs.index[rows[0]!], turns };
    });
    const name = inputs.norm_adv_by_std_in_grpo ? "grpo" : "dr-grpo";
    const batch = decodeBatch({ trajectories });
    const adv = credit(name, batch).turnAdvantage;
    const expected = outputs.advantages.map((row, i) => row[inputs.response_mask[i]!.indexOf(1)]!);
    expectClose(adv, expected, FLOAT32);
    // The divisor, seen as what lies between the two rows; 1e-6 is added to it, and a group of one has 1.
    const [plain, divided] = ["dr-grpo", "grpo"].map((row) => credit(row, batch).turnAdvantage);
    const divisors = plain!.map((A, k) => A / divided![k]! - 1e-6);
    expectClose(divisors, outputs.group_std, FLOAT32);
  },
);

interface NormalizationInputs {
  episode_score: number[];
  env_outputs: { group_id: number; tag: string; penalty: number }[];
  grouping: "state" | "batch" | "inductive";
  method: "identity" | "mean" | "mean_std" | "asym_clip";
}

it.each(
  goldenCases<NormalizationInputs, { normalized_score: number[] }>("ragen_reward_normalization"),
)("ragen_reward_normalization $name: group scores under other names", ({ inputs, outputs }) => {
  const { grouping, method, env_outputs: envs } = inputs;
  const names = {
    state: envs.map((e) => `${e.group_id}`),
    batch: envs.map(() => ""),
    inductive: envs.map((e) => e.tag),
  };
  const score = Float64Array.from(envs, (e, i) => inputs.episode_score[i]! + e.penalty);
  const compared = groupScores(score, names[grouping], method === "mean" ? "none" : "sample");
  // No row clips scores; RAGEN's asym_clip does so afterwards.
  const clipped =
    method === "asym_clip" ? compared.map((x) => Math.min(3, Math.max(-1, x))) : compared;
  expectClose(method === "identity" ? score : clipped, outputs.normalized_score, FLOAT32);
});

describe("GEM's return batch normalisation", () => {
  const all = goldenCases<
    {
      rewards: Matrix;
      norm_return: boolean;
      episode_rewards: Matrix;
      gamma: number;
      use_rebn: boolean;
    },
    { advantages: number[]; per_turn_return_or_advantage: Matrix }
  >("gem_rebn");
  const turnsOf = (rewards: number[]) => rewards.map((reward) => ({ reward, tokens: [{}] }));

  it.each(all.filter(({ name }) => name.startsWith("compute")))(
    "gem_rebn $name: population std",
    ({ inputs, outputs }) => {
      // What they normalise are returns already, one a row.
      const trajectories = inputs.rewards.map((r) => ({
        turns: turnsOf([r.reduce((a, b) => a + b)]),
      }));
      const set = inputs.norm_return ? {} : { whiten: "none" };
      const { turnAdvantage } = credit("rebn", decodeBatch({ trajectories }), set);
      expectClose(turnAdvantage, outputs.advantages, FLOAT32);
    },
  );

  it.each(all.filter(({ name }) => name.startsWith("tinker")))(
    "gem_rebn $name: unbiased std",
    ({ inputs, outputs }) => {
      const trajectories = inputs.episode_rewards.map((r) => ({ turns: turnsOf(r) }));
      const set = { gamma: inputs.gamma, whiten: inputs.use_rebn ? "turns-sample" : "none" };
      const { turnAdvantage } = credit("rebn", decodeBatch({ trajectories }), set);
      expectClose(turnAdvantage, outputs.per_turn_return_or_advantage.flat(), FLOAT32);
    },
  );
});

interface OatInputs {
  rewards: number[];
  values: number[];
  dones: number[];
  gamma: number;
  lam: number;
  has_critic: boolean;
}

it.each(goldenCases<OatInputs, { advantages: number[]; returns: number[] }>("oat_turn_gae"))(
  "oat_turn_gae $name",
  ({ inputs, outputs }) => {
    const { rewards, values, dones, gamma, lam: lambda } = inputs;
    const turns = rewards.map((reward, k) => ({ reward, value: values[k], tokens: [{}] }));
    const terminated = dones.at(-1) === 1;
    const trajectory = { turns, terminated, bootstrapValue: terminated ? 0 : values.at(-1) };
    const batch = decodeBatch({ trajectories: [trajectory] });
    // Without a critic oat's code computes returns.
    const result = inputs.has_critic
      ? credit("turn-ppo-gem", batch, { gamma, lambda, whiten: "none" })
      : credit("reinforce", batch, { gamma });
    expectClose(result.turnAdvantage, outputs.advantages, FLOAT32);
    expectClose(result.turnReturn ?? result.turnAdvantage, outputs.returns, FLOAT32);
  },
);

interface VagenInputs {
  token_level_rewards: Matrix;
  values: Matrix;
  turn_spans: Spans[];
  gamma: number;
  lam: number;
  high_level_gamma: number;
}

const vagenBatch = ({ turn_spans, token_level_rewards, values }: VagenInputs) =>
  turnBatch(turn_spans, { reward: token_level_rewards, value: values });

/** VAGEN has turn-level quantities at each turn's last token. */
const atEnds = (x: Matrix, turns: Spans[]) =>
  turns.flatMap((spans, b) => spans.map(([, to]) => x[b]![to - 1]!));

describe("VAGEN's estimators", () => {
  it.each(goldenCases<VagenInputs, Outputs>("vagen_masked_gae"))(
    "vagen_masked_gae $name",
    ({ inputs, outputs }) => {
      const { gamma, lam: lambda, turn_spans: turns } = inputs;
      const result = credit("token-ppo", vagenBatch(inputs), { gamma, lambda });
      expectClose(result.tokenAdvantage, packSpans(outputs.advantages, turns), 1e-7);
      expectClose(result.tokenReturn!, packSpans(outputs.returns, turns));
    },
  );

  it.each(goldenCases<VagenInputs, Outputs>("vagen_bi_level_gae"))(
    "vagen_bi_level_gae $name",
    ({ inputs, outputs }) => {
      const { gamma, lam: lambda, high_level_gamma: gammaTurn, turn_spans: turns } = inputs;
      const result = credit("bi-level-gae", vagenBatch(inputs), { gamma, lambda, gammaTurn });
      expectClose(result.tokenAdvantage, packSpans(outputs.advantages, turns), 1e-7);
      expectClose(result.tokenReturn!, packSpans(outputs.returns, turns));
    },
  );

  it.each(goldenCases<VagenInputs, Outputs>("vagen_turn_wise_gae"))(
    "vagen_turn_wise_gae $name",
    ({ inputs, outputs }) => {
      const { lam: lambda, high_level_gamma: gamma, turn_spans: turns } = inputs;
      const result = credit("turn-ppo-vagen", vagenBatch(inputs), { gamma, lambda });
      expectClose(result.tokenAdvantage, packSpans(outputs.advantages, turns), 1e-7);
      const told = result.tokenReturn!.filter((R) => !Number.isNaN(R));
      expectClose(told, atEnds(outputs.returns, turns));
      expect(result.turnReturn).toBeNull();
    },
  );

  interface RowInputs {
    token_level_scores: Matrix;
    values: Matrix;
    response_mask: Matrix;
    group_idx: string[];
    traj_idx: number[];
    turn_idx: number[];
    gamma: number;
    lam: number;
    ignore_value: number;
    anchor: "first" | "last";
  }

  it.each(goldenCases<RowInputs, Outputs>("vagen_no_concat_turn_gae"))(
    "vagen_no_concat_turn_gae $name: one row a turn",
    ({ inputs, outputs }) => {
      const ids = inputs.group_idx.map((g, i) => `${g} ${inputs.traj_idx[i]}`);
      // A row that is there twice counts once.
      const trajectories = [...new Set(ids)].map((id) => {
        const rows: number[] = [];
        ids.forEach((other, i) => (other === id ? (rows[inputs.turn_idx[i]!] ??= i) : 0));
        return rows;
      });
      const rows = trajectories.flat();
      const places = (i: number) =>
        inputs.response_mask[i]!.flatMap((m, t) => (m === 1 ? [t] : []));
      const valid = (x: Matrix, i: number) => places(i).map((t) => x[i]![t]!);
      const first = inputs.anchor === "first";
      const json = trajectories.map((own) => ({
        turns: own.map((i) => ({
          reward: inputs.token_level_scores[i]!.reduce((a, b) => a + b, 0),
          // The value before the first token is the one at the state-end.
          value: valid(inputs.values, i)[0],
          tokens: valid(inputs.values, i).map((value) => ({ value })),
        })),
      }));
      const result = credit("turn-ppo-gem", decodeBatch({ trajectories: json }), {
        gamma: inputs.gamma,
        lambda: inputs.lam,
        whiten: "tokens",
        valueAt: first ? "state-end" : "turn-end",
      });
      const adv = rows.flatMap((i) => valid(outputs.advantages, i));
      expectClose(result.tokenAdvantage, adv, 1e-7);
      const told = result.turnReturn ?? result.tokenReturn!.filter((R) => !Number.isNaN(R));
      expectClose(
        told,
        rows.map((i) => outputs.returns[i]!.find((R) => R !== inputs.ignore_value)!),
      );
    },
  );
});

it.each(goldenCases<VagenInputs, Outputs>("ragen_bi_level_gae"))(
  "ragen_bi_level_gae $name: turns end where a reward is not 0",
  ({ inputs, outputs }) => {
    const { gamma, lam: lambda, high_level_gamma: gammaTurn, turn_spans: turns } = inputs;
    const set = { gamma, lambda, gammaTurn, turnEnds: "nonzero-reward" };
    const result = credit("bi-level-gae", vagenBatch(inputs), set);
    expectClose(result.tokenAdvantage, packSpans(outputs.advantages, turns), FLOAT32);
    expectClose(result.tokenReturn!, packSpans(outputs.returns, turns), FLOAT32);
  },
);

interface AgileInputs {
  turn_ids: Matrix;
  turn_rewards: Matrix;
  values: Matrix;
  gamma: number;
  gae_lambda: number;
  turn_value_reduction: "final_value" | "mean";
  whiten_advantages: boolean;
}

it.each(
  goldenCases<AgileInputs, { token_returns: Matrix; token_advantages: Matrix }>("agilerl_turn_ppo"),
)("agilerl_turn_ppo $name: values read off a token critic", ({ inputs, outputs }) => {
  const turns = spansOfIds(inputs.turn_ids);
  const batch = turnBatch(
    turns,
    { value: inputs.values },
    {
      turn: (b, k) => ({ reward: inputs.turn_rewards[b]![k] }),
    },
  );
  const mean = inputs.turn_value_reduction === "mean";
  const result = credit("turn-ppo", batch, {
    gamma: inputs.gamma,
    lambda: inputs.gae_lambda,
    valueAt: mean ? "turn-mean" : "turn-end",
    whiten: inputs.whiten_advantages ? "turns" : "none",
  });
  // Where whitened, AgileRL adds 1e-8 to the standard deviation and not to the variance.
  const adv = packSpans(outputs.token_advantages, turns);
  expectClose(result.tokenAdvantage, adv, inputs.whiten_advantages ? 3e-8 : 1e-9);
  const returns = mean
    ? packSpans(outputs.token_returns, turns)
    : atEnds(outputs.token_returns, turns);
  expectClose(
    result.tokenReturn!.filter((R) => !Number.isNaN(R)),
    returns,
  );
});

interface StInputs {
  turn_ids: Matrix;
  token_level_rewards: Matrix;
  values: Matrix;
  gamma: number;
  lam: number;
}

it.each(
  goldenCases<
    StInputs,
    { token_advantages_raw_gae: Matrix; turn_advantages_mean_over_tokens: Matrix }
  >("own_st_ppo"),
)("own_st_ppo $name: advantages", ({ inputs, outputs }) => {
  const turns = spansOfIds(inputs.turn_ids);
  const batch = turnBatch(turns, { reward: inputs.token_level_rewards, value: inputs.values });
  const set = { gamma: inputs.gamma, lambda: inputs.lam };
  const tokens = packSpans(outputs.token_advantages_raw_gae, turns);
  expectClose(credit("s-ppo", batch, set).tokenAdvantage, tokens);
  const ofTurns = turns.flatMap((spans, b) =>
    outputs.turn_advantages_mean_over_tokens[b]!.slice(0, spans.length),
  );
  for (const name of ["turn-ppo-st", "st-ppo"]) {
    const result = credit(name, batch, set);
    expectClose(result.turnAdvantage, ofTurns);
    expectClose(segmentMean(result.tokenAdvantage, batch.tokenStart), ofTurns);
    expect(new Set(result.tokenAdvantage).size).toBeLessThanOrEqual(ofTurns.length);
  }
});

interface GigpoInputs extends ScoreInputs {
  step_rewards_raw: number[];
  gamma: number;
  anchor_obs: string[];
  traj_index: string[];
  mode: "mean_norm" | "mean_std_norm";
  step_advantage_w: number;
}
interface GigpoOutputs {
  step_discounted_returns: number[];
  step_group_id_in_order_of_first_appearance: number[];
  episode_advantages: Matrix;
  episode_advantages_per_trajectory_stats: Matrix;
  step_advantages: Matrix;
  advantages: Matrix;
}

it.each(
  goldenCases<GigpoInputs, GigpoOutputs>("gigpo").filter(
    ({ name }) => name !== "similarity_grouping",
  ),
)("gigpo $name", ({ inputs, outputs }) => {
  const { traj_index: ids, index, anchor_obs: anchor, step_rewards_raw: reward } = inputs;
  const trajectories = [...new Set(ids)].map((id) => {
    const rows = ids.flatMap((other, i) => (other === id ? [i] : []));
    const turns = rows.map((i) => ({ reward: reward[i], anchor: anchor[i], tokens: [{}] }));
    return { task: index[rows[0]!], turns };
  });
  const batch = decodeBatch({ trajectories });
  const returns = returnsToGo(batch.turnReward, batch.turnStart, inputs.gamma);
  expectClose(returns, outputs.step_discounted_returns, FLOAT32);
  const states = anchor.map((name, i) => joinNames(index[i]!, name));
  const order = [...new Set(states)];
  expect(states.map((name) => order.indexOf(name))).toEqual(
    outputs.step_group_id_in_order_of_first_appearance,
  );
  const std = inputs.mode === "mean_norm" ? "none" : "sample";
  const first = (x: Matrix) => x.map((row, i) => row[inputs.response_mask[i]!.indexOf(1)]!);
  const set = { gamma: inputs.gamma, omega: inputs.step_advantage_w, std };
  const byTurn = credit("gigpo", batch, { ...set, groupCount: "turn" });
  expectClose(byTurn.turnAdvantage, first(outputs.advantages), 1e-5);
  const once = anchorStates({
    reward: batch.turnReward,
    turnStart: batch.turnStart,
    task: batch.task,
    anchor,
    gamma: inputs.gamma,
    omega: inputs.step_advantage_w,
    std,
    groupCount: "trajectory",
  });
  expectClose(once.episode, first(outputs.episode_advantages_per_trajectory_stats), FLOAT32);
  expectClose(once.state, first(outputs.step_advantages), 1e-5);
  expectClose(credit("gigpo", batch, set).turnAdvantage, once.adv, 0);
});

it("a weight of KL goes to 0 at least, however short the horizon", () => {
  const steering = { target: 1, horizon: 10 };
  expect(adaptedBeta(0.1, 0, steering, 128)).toBe(0);
  expect(adaptedBeta(0.1, 0, steering, 10)).toBeCloseTo(0.08, 12);
});
