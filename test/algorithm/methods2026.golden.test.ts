/** Advantages of newer rows against the worked examples of `methods2026.json`. */
import { describe, expect, it } from "vitest";
import { computeCredit, computeObjective } from "../../src/algorithm/registry.ts";
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

describe("SALT", () => {
  const { inputs, expected } = method2026<
    { groups: number[]; scores: number[]; states: string[][]; actions: string[][] },
    { trajectory_advantage: number[]; advantages: Matrix; shared: Matrix }
  >("salt");
  const { groups, scores, states, actions } = inputs;
  const batchOf = (act = actions) =>
    decodeBatch({
      trajectories: scores.map((score, b) => ({
        task: `t${groups[b]}`,
        finalAnchor: states[b]!.at(-1),
        turns: act[b]!.map((action, h, all) => ({
          reward: h + 1 === all.length ? score : 0,
          anchor: states[b]![h],
          action,
          tokens: [{}],
        })),
      })),
    });

  it("gives a step the mean over the rollouts that have it", () => {
    const own = credit("salt", batchOf());
    expectClose(own.trace["trajectory.ownScore"]!, expected.trajectory_advantage, DIGITS);
    expectClose(own.turnAdvantage, expected.advantages.flat(), DIGITS);
    const count = [...own.trace["group.turnRollouts"]!].map((m) => Number(m > 1));
    expect(count).toEqual(expected.shared.flat());
  });

  it("is its host where no step is shared, whatever the baseline", () => {
    const apart = batchOf(actions.map((row, b) => row.map((action) => `${action} ${b}`)));
    for (const std of ["sample", "none"])
      expect(credit("salt", apart, { std }).turnAdvantage).toEqual(
        credit("grpo", apart, { std }).turnAdvantage,
      );
  });

  it("tells steps apart by the history asked for, and by how an episode ends", () => {
    const walk = (first: string, reward: number, terminated = true) => ({
      task: "t",
      terminated,
      turns: [first, "hall", "door"].map((anchor, h) => ({
        reward: h === 2 ? reward : 0,
        anchor,
        action: "on",
        tokens: [{}],
      })),
    });
    const set = { std: "none" };
    const of = (rollouts: object[], historyLength = 0) => [
      ...credit("salt", decodeBatch({ trajectories: rollouts }), { ...set, historyLength })
        .turnAdvantage,
    ];
    // Two ways into one hall; the last step leads to different ends.
    const two = [walk("left", 1), walk("right", 0)];
    expect(of(two)).toEqual([0.5, 0, 0.5, -0.5, 0, -0.5]);
    expect(of(two, 1)).toEqual([0.5, 0.5, 0.5, -0.5, -0.5, -0.5]);
    // The same pay, but one was cut off: not the same end.
    const cut = [walk("left", 1), walk("left", 1, false), walk("left", 0)];
    const third = 1 / 3;
    expectClose(of(cut), [0, 0, third, 0, 0, third, 0, 0, -2 * third], 1e-12);
  });

  it("counts a rollout once, however often it takes the step", () => {
    const loop = { reward: 0, anchor: "s", action: "wait", tokens: [{}] };
    const end = (reward: number) => ({ ...loop, action: "go", reward });
    const rollouts = [
      { task: "t", turns: [loop, loop, loop, end(1)] },
      { task: "t", turns: [loop, loop, end(0)] },
    ];
    const own = credit("salt", decodeBatch({ trajectories: rollouts }), { std: "none" });
    expect([...own.turnAdvantage]).toEqual([0, 0, 0, 0.5, 0, 0, -0.5]);
  });
});

describe("Pass@k, analytic", () => {
  const batchOf = (groups: number[], success: number[]) =>
    decodeBatch({
      trajectories: groups.map((group, b) => ({
        task: `t${group}`,
        success: success[b] === 1,
        turns: [{ reward: -0.1 * b, tokens: [{}, {}] }],
      })),
    });

  it("is the authors' code", () => {
    const { inputs, expected } = method2026<
      { groups: number[]; success: number[] },
      { advantages: number[]; group: Record<string, { pass_at_k: number }> }
    >("passk_analytic");
    const own = credit("passk-analytic", batchOf(inputs.groups, inputs.success), { passK: 2 });
    expectClose(own.turnAdvantage, expected.advantages, DIGITS);
    const passes = inputs.groups.map((group) => expected.group[String(group)]!.pass_at_k);
    expectClose(own.trace["group.passAtK"]!, passes, DIGITS);
  });

  it("is the mean over all draws of k of what success among them is worth", () => {
    // Five rollouts, two of them successes: all draws of three by hand.
    const success = [1, 0, 1, 0, 0];
    const draws = [0, 1, 2, 3, 4].flatMap((a) =>
      [0, 1, 2, 3, 4].flatMap((b) =>
        [0, 1, 2, 3, 4].flatMap((c) => (a < b && b < c ? [[a, b, c]] : [])),
      ),
    );
    const won = draws.map((draw) => Number(draw.some((b) => success[b] === 1)));
    const rho = won.reduce((sum, x) => sum + x, 0) / draws.length;
    const sigma = Math.sqrt(rho * (1 - rho)) + 1e-6;
    const exact = success.map((_, b) => {
      const own = won.filter((_one, i) => draws[i]!.includes(b));
      return (own.reduce((sum, x) => sum + x, 0) / own.length - rho) / sigma;
    });
    const batch = batchOf([0, 0, 0, 0, 0], success);
    expectClose(credit("passk-analytic", batch, { passK: 3 }).turnAdvantage, exact, 1e-12);
  });

  it("is GRPO on successes for k = 1, and 0 where every draw holds one", () => {
    const success = [1, 0, 1, 0];
    const batch = batchOf([0, 0, 0, 0], success);
    const paid = { ...batch, turnReward: Float64Array.from(success) };
    const grpo = credit("grpo", paid, { std: "population" }).turnAdvantage;
    expectClose(credit("passk-analytic", batch, { passK: 1 }).turnAdvantage, grpo, 1e-9);
    expect([...credit("passk-analytic", batch, { passK: 3 }).turnAdvantage]).toEqual([0, 0, 0, 0]);
    // A draw of the whole group would always hold one.
    const [all, more] = [3, 9].map((passK) => credit("passk-analytic", batch, { passK }));
    expect(more!.turnAdvantage).toEqual(all!.turnAdvantage);
  });
});

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

describe("GAGPO", () => {
  const { inputs, expected } = method2026<TurnInputs, Record<string, Matrix>>("gagpo");
  const batch = turnBatchOf(inputs);
  const own = credit("gagpo", batch);

  it("is the worked example, step by step", () => {
    expectClose(own.trace["turn.return"]!, expected["returns"]!.flat(), DIGITS);
    expectClose(own.trace["turn.value"]!, expected["values"]!.flat(), DIGITS);
    expectClose(own.trace["turn.highAdvantage"]!, expected["advantages"]!.flat(), DIGITS);
    expectClose(own.turnAdvantage, expected["normalized"]!.flat(), DIGITS);
  });

  it("with lambda 1 compares returns with the state's mean, as GiGPO does", () => {
    const raw = credit("gagpo", batch, { lambda: 1 }).trace["turn.highAdvantage"]!;
    expectClose(raw, expected["lambda1_equals_return_minus_anchor_mean"]!.flat(), DIGITS);
    const [both, episode] = [1, 0].map((omega) => credit("gigpo", batch, { omega }).turnAdvantage);
    expectClose(
      raw,
      both!.map((A, k) => A - episode![k]!),
      1e-12,
    );
  });
});

describe("the decays of VC-PPO and VAPO", () => {
  interface TokenInputs {
    token_rewards: Matrix;
    token_values: Matrix;
  }
  type Expected = Record<"advantages" | "value_targets" | "value_targets_if_coupled", Matrix>;
  const tokensOf = ({ token_rewards, token_values }: TokenInputs) =>
    decodeBatch({
      trajectories: token_rewards.map((rewards, b) => ({
        turns: [{ tokens: rewards.map((reward, t) => ({ reward, value: token_values[b]![t] })) }],
      })),
    });
  const plain = { whiten: "none" };

  it("VC-PPO: advantages by one lambda, targets by another", () => {
    const { inputs, expected } = method2026<TokenInputs, Expected>("vc_ppo");
    const set = { ...plain, lambda: 0.95 };
    const coupled = credit("token-ppo", tokensOf(inputs), set);
    const own = credit("token-ppo", tokensOf(inputs), { ...set, lambdaCritic: 1 });
    for (const { tokenAdvantage } of [coupled, own])
      expectClose(tokenAdvantage, expected.advantages.flat(), DIGITS);
    expectClose(coupled.tokenReturn!, expected.value_targets_if_coupled.flat(), DIGITS);
    expectClose(own.tokenReturn!, expected.value_targets.flat(), DIGITS);
  });

  it("VAPO: lambda by the rollout's length, undecayed targets", () => {
    const { inputs, expected } = method2026<TokenInputs, Expected & { lambda_policy: number[] }>(
      "vapo",
    );
    const own = credit("vapo", tokensOf(inputs), { ...plain, lengthAlpha: 0.5 });
    expectClose(own.trace["trajectory.lambda"]!, expected.lambda_policy, DIGITS);
    expectClose(own.tokenAdvantage, expected.advantages.flat(), DIGITS);
    expectClose(own.tokenReturn!, expected.value_targets.flat(), DIGITS);
    // The paper's 0.05 leaves rollouts of fewer than 20 tokens lambda 0.
    const short = credit("vapo", tokensOf(inputs), plain).trace["trajectory.lambda"]!;
    expect([...short]).toEqual([0, 0, 0, 0, 0]);
  });

  it("VAPO: the loss on successful rollouts, and its gradient", () => {
    const { inputs, expected } = method2026<
      TokenInputs & { token_logp: Matrix; correct: number[] },
      { positive_lm_loss: number; positive_lm_term: number }
    >("vapo");
    const batchWith = (correct: number[]) =>
      decodeBatch({
        trajectories: inputs.token_logp.map((logprobs, b) => ({
          success: correct[b] === 1,
          turns: [
            {
              advantage: 0,
              tokens: logprobs.map((logprob) => ({ logprob, oldLogprob: logprob })),
            },
          ],
        })),
      });
    const config = resolveAlgorithm("grpo", { lmWeight: 0.1 });
    const at = (batch: ReturnType<typeof decodeBatch>) =>
      computeObjective(config, batch, computeCredit(config, batch));
    const own = at(batchWith(inputs.correct));
    expect(own.metrics["actor/success_lm_loss"]).toBeCloseTo(expected.positive_lm_loss, 6);
    expect(own.loss).toBeCloseTo(expected.positive_lm_term, 6);
    const tokens = [0, 4].reduce((sum, b) => sum + inputs.token_logp[b]!.length, 0);
    const wanted = inputs.token_logp.flatMap((row, b) =>
      row.map(() => (inputs.correct[b] === 1 ? -0.1 / tokens : 0)),
    );
    expectClose(own.dLogprob, wanted, 1e-12);
    // Without a success there is nothing to imitate.
    const none = at(batchWith([0, 0, 0, 0, 0]));
    expect(none.loss).toBe(0);
    expect([...none.dLogprob].every((g) => g === 0)).toBe(true);
    expect(resolveAlgorithm("vapo").lmWeight).toBe(0.1);
    const { success: _, ...without } = batchWith(inputs.correct);
    expect(() => at(without)).toThrow("trajectories[0].success is missing; grpo needs it");
  });

  it("Turn-PPO's critic: A + V, the discounted return, or one step ahead", () => {
    const { inputs, expected } = method2026<
      { turn_rewards: Matrix; values: Matrix },
      Record<"lambda_return_A_plus_V" | "monte_carlo" | "one_step_td", Matrix>
    >("turn_critic_targets");
    const batch = decodeBatch({
      trajectories: inputs.turn_rewards.map((rewards, b) => ({
        turns: rewards.map((reward, h) => ({
          reward,
          value: inputs.values[b]![h],
          tokens: [{}],
        })),
      })),
    });
    const targets = (lambdaCritic: number | null) =>
      credit("turn-ppo", batch, { gamma: 0.95, lambda: 0.9, lambdaCritic }).turnReturn!;
    expectClose(targets(null), expected.lambda_return_A_plus_V.flat(), DIGITS);
    expectClose(targets(0.9), targets(null), 1e-12);
    expectClose(targets(1), expected.monte_carlo.flat(), DIGITS);
    expectClose(targets(0), expected.one_step_td.flat(), DIGITS);
  });
});

it("MT-GRPO over three turns: the outcome alone after a turn, or all later turns too", () => {
  const { inputs, expected } = method2026<
    { groups: number[]; turn_rewards: Matrix; outcome: number[] },
    { per_turn_index: Matrix; suffix_sum: Matrix }
  >("mt_grpo_k3");
  const batch = decodeBatch({
    trajectories: inputs.turn_rewards.map((rewards, b) => ({
      task: `t${inputs.groups[b]}`,
      turns: [...rewards.slice(0, -1), inputs.outcome[b]].map((reward) => ({
        reward,
        tokens: [{}],
      })),
    })),
  });
  const of = (laterTurns: string) => credit("mt-grpo", batch, { laterTurns }).turnAdvantage;
  // The file divides by std + 1e-4, verl and we by std + 1e-6.
  expectClose(of("outcome"), expected.per_turn_index.flat(), 2e-3);
  expectClose(of("discounted"), expected.suffix_sum.flat(), 2e-3);
});

it("DAPO's filter keeps groups by success, the one of revision 1 by score", () => {
  const { inputs, expected } = method2026<
    { groups: number[]; success: number[]; score: number[] },
    Record<"keep_by_success" | "keep_by_score", Record<string, boolean>>
  >("dapo_filter");
  const batch = decodeBatch({
    trajectories: inputs.groups.map((group, b) => ({
      task: `t${group}`,
      success: inputs.success[b] === 1,
      turns: [{ reward: inputs.score[b], tokens: [{}] }],
    })),
  });
  for (const [filter, kept] of [
    ["accuracy", expected.keep_by_success],
    ["mixed", expected.keep_by_score],
  ] as const)
    expect([...credit("dapo", batch, { filter }).turnAdvantage].map((A) => A !== 0)).toEqual(
      inputs.groups.map(
        (group, b) => kept[String(group)]! && inputs.score[b] !== meanOf(inputs, group),
      ),
    );
});

const meanOf = ({ groups, score }: { groups: number[]; score: number[] }, group: number) => {
  const own = score.filter((_, b) => groups[b] === group);
  return own.reduce((sum, x) => sum + x, 0) / own.length;
};
