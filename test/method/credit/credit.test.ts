import { clipScales } from "../../../src/method/clip/adaptive.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anchorStates } from "../../../src/method/estimator/gigpo.ts";
import {
  twoLevelGae,
  turnsByReward,
  type Turns,
} from "../../../src/method/estimator/biLevelGae.ts";
import { gae } from "../../../src/method/credit/gae.ts";
import {
  fromTokens,
  fromTurns,
  allGiven,
  withGiven,
} from "../../../src/method/credit/givenAdvantage.ts";
import { groupScores } from "../../../src/method/credit/groupScores.ts";
import { withKlReward } from "../../../src/method/credit/klReward.ts";
import { returnsToGo } from "../../../src/method/credit/returnsToGo.ts";
import * as rewards from "../../../src/method/credit/rewards.ts";
import { rescaledReturns } from "../../../src/method/credit/turnGroups.ts";
import {
  readTurnValues,
  spreadTurns,
  tokenTargets,
} from "../../../src/method/credit/turnValues.ts";
import { stdWhitening, VERL_COUNT_EPSILON, whitening } from "../../../src/method/credit/whiten.ts";
import { composeOffsets, segmentSum } from "../../../src/numeric/segments.ts";
import { populationVariance, std, variance } from "../../../src/numeric/statistics.ts";
import { decodeBatch } from "../../../src/record/decodeBatch.ts";
import {
  expectClose,
  formula,
  goldenCases,
  maskedBatch,
  pack,
  type Matrix,
} from "../../golden/load.ts";
import { compareTurnsAndOutcome } from "../../../src/method/credit/turnGroups.ts";
import { compareGains } from "../../../src/method/credit/turnGroups.ts";
import { othersMean } from "../../../src/method/baselines.ts";
import { lengthWeightedBaseline } from "../../../src/method/baselines.ts";

const turnPlusOutcome = (input: Parameters<typeof compareTurnsAndOutcome>[0]) =>
  compareTurnsAndOutcome(input).adv;
const gainScores = (...of: Parameters<typeof compareGains>) => compareGains(...of).z;
const leaveOneOut = (
  score: Float64Array,
  ...of: [task: readonly string[], alone?: "score" | "zero"]
) => {
  const mean = othersMean(score, ...of);
  return score.map((R, b) => R - mean[b]!);
};
const lengthWeightedMean = (score: Float64Array, ...of: [Float64Array, readonly string[]]) => {
  const mean = lengthWeightedBaseline(score, ...of);
  return score.map((R, b) => R - mean[b]!);
};

const f64 = (x: ArrayLike<number>) => Float64Array.from(x);
const whiten = (x: ArrayLike<number>, countEpsilon = 0) =>
  f64(x).map(whitening(f64(x), countEpsilon));

/** GAE of one trajectory. */
function single(reward: number[], value: number[], gamma: number, lambda: number, bootstrap = 0) {
  const start = Int32Array.of(0, reward.length);
  return gae({
    reward: f64(reward),
    value: f64(value),
    start,
    bootstrap: f64([bootstrap]),
    gamma,
    lambda,
  });
}

describe("GAE: golden G1", () => {
  const V = [0.2, 0.4, 0.3, 0.8];
  const sparse = [0, 0, 0, 1];
  it.each([
    ["G1_sparse", single(sparse, V, 0.99, 0.9)],
    ["G1_sparse_g1l1", single(sparse, V, 1, 1)],
    ["G1_dense_sokoban", single([-0.1, -0.1, -0.1, 10.9], V, 0.99, 0.9)],
    ["G1_truncated_boot0.5", single([0, 0, 0, 0], V, 0.99, 0.9, 0.5)],
    ["G1_truncated_noboot", single([0, 0, 0, 0], V, 0.99, 0.9)],
    ["G1_lam0", single(sparse, V, 0.99, 0)],
  ])("%s", (name, { delta, adv, ret }) => {
    const expected = formula<{ delta: number[]; A: number[]; R: number[] }>(name);
    expectClose(delta, expected.delta, 1e-6);
    expectClose(adv, expected.A, 1e-6);
    expectClose(ret, expected.R, 1e-6);
  });
  it("whitened over turns, and over the tokens of turns of 2, 5, 3 and 10", () => {
    const { adv } = single(sparse, V, 0.99, 0.9);
    expectClose(whiten(adv), formula("G1_whiten_turn_ddof1"), 1e-6);
    const population = adv.map(stdWhitening(adv, populationVariance));
    expectClose(population, formula("G1_whiten_turn_ddof0"), 1e-6);
    const tokens = f64([2, 5, 3, 10].flatMap((n, k) => Array<number>(n).fill(adv[k]!)));
    const expected = formula<number[]>("G1_whiten_token_ddof1(lens2,5,3,10)");
    expectClose(adv.map(whitening(tokens)), expected, 1e-6);
  });
});

it("what has nothing to be normalised over stays as it is", () => {
  expectClose([8.638, -2].map(whitening(f64([]), VERL_COUNT_EPSILON)), [8.638, -2]);
  expectClose([8.638, -2].map(stdWhitening(f64([]), populationVariance)), [8.638, -2]);
});

describe("GAE over tokens with environment tokens between: golden G2", () => {
  const mask = [[1, 1, 0, 0, 1, 1, 1, 0]];
  const V = [[0.1, 0.2, 9, 9, 0.5, 0.6, 0.7, 9]];
  const tokenGae = (r: Matrix, gamma: number, lambda: number) =>
    single(pack(r, mask), pack(V, mask), gamma, lambda).adv;
  it.each([
    [1, 1, "1.0 l1.0"],
    [1, 0.95, "1.0 l0.95"],
    [0.99, 0.9, "0.99 l0.9"],
  ])("gamma %d, lambda %d", (gamma, lambda, name) => {
    const adv = tokenGae([[0, 0, 0, 0, 0, 0, 1, 0]], gamma, lambda);
    expectClose(adv, formula(`G2_carry g${name}`), 1e-6);
  });
  it.each([
    [1, 1, "1.0 l1.0"],
    [1, 0.95, "1.0 l0.95"],
    [0.99, 0.9, "0.99 l0.9"],
  ])("setting values there to 0 (OpenRLHF) is another thing: gamma %d, lambda %d", (...run) => {
    const [gamma, lambda, name] = run;
    const masked = V[0]!.map((v, t) => v * mask[0]![t]!);
    const { adv } = single([0, 0, 0, 0, 0, 0, 1, 0], masked, gamma, lambda);
    const zeroed = pack([[...adv]], mask);
    expectClose(zeroed, formula(`G2_zeroed g${name}`), 1e-6);
    const same = zeroed.every(
      (A, t) => Math.abs(A - formula<number[]>(`G2_carry g${name}`)[t]!) < 1e-6,
    );
    expect(same).toBe(gamma * lambda === 1);
  });
  it("a reward outside the mask is nowhere", () => {
    const adv = tokenGae([[0, 0, 0, 0, 0, 0, 0, 1]], 0.99, 0.9);
    expectClose(adv, formula("G2_reward_on_masked_token_lost(carry)"), 1e-6);
  });
});

describe("bi-level GAE: golden G3", () => {
  const V = f64(Array.from({ length: 10 }, (_, t) => (t + 1) / 10));
  const explicit = { turnStart: Int32Array.of(0, 2), tokenStart: Int32Array.of(0, 5, 10) };
  const run = (reward: number[], turns: Turns = explicit) =>
    twoLevelGae({
      ...turns,
      reward: f64(reward),
      value: V,
      bootstrap: f64([0]),
      gamma: 1,
      lambda: 1,
      gammaTurn: 0.95,
    });
  const dense = [0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const sparse = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
  it("dense", () => {
    const { adv, ret } = run(dense);
    expectClose(adv, formula("G3_bilevel_A(unwhitened)"), 1e-6);
    expectClose(ret, formula("G3_bilevel_R"), 1e-6);
    expectClose(whiten(adv), formula("G3_bilevel_A_whitened_ddof1"), 1e-6);
  });
  it("sparse, a turn of reward 0 still being a turn", () => {
    expectClose(run(sparse).adv, formula("G3_sparse_correct_ends"), 1e-6);
  });
  it("sparse, turns ending at rewards as in RAGEN's code: the first one vanishes", () => {
    const turns = turnsByReward(f64(sparse), Int32Array.of(0, 10));
    expect([...turns.tokenStart]).toEqual([0, 10]);
    const adv = run(sparse, turns).adv;
    expectClose(adv, formula("G3_sparse_nonzero_reward_detection_misses_turn1"), 1e-6);
  });
  it("turns by reward: the last token ends one whatever it is paid, in every trajectory", () => {
    const turns = turnsByReward(f64([0, 1, 0, 0, 0, 2]), Int32Array.of(0, 3, 5, 6));
    expect([...turns.tokenStart]).toEqual([0, 2, 3, 5, 6]);
    expect([...turns.turnStart]).toEqual([0, 2, 3, 4]);
  });
  it("a truncated trajectory bootstraps its last turn only", () => {
    const cut = (b: number) =>
      twoLevelGae({
        ...explicit,
        reward: f64(sparse),
        value: V,
        bootstrap: f64([b]),
        gamma: 0,
        lambda: 0,
        gammaTurn: 1,
      });
    const change = cut(1).adv.map((A, t) => A - cut(0).adv[t]!);
    expectClose(change, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 1e-12);
  });
});

interface GaeInputs {
  token_level_rewards: Matrix;
  values: Matrix;
  response_mask: Matrix;
  gamma: number;
  lam: number;
}
interface GaeOutputs {
  advantages: Matrix;
  returns: Matrix;
}

it.each(goldenCases<GaeInputs, GaeOutputs>("verl_gae"))("verl_gae $name", ({ inputs, outputs }) => {
  const mask = inputs.response_mask;
  const batch = maskedBatch(mask, { reward: inputs.token_level_rewards, value: inputs.values });
  const { adv, ret } = gae({
    reward: rewards.tokenRewards(batch),
    value: batch.tokenValue!,
    start: composeOffsets(batch.turnStart, batch.tokenStart),
    bootstrap: rewards.bootstraps(batch),
    gamma: inputs.gamma,
    lambda: inputs.lam,
  });
  expectClose(ret, pack(outputs.returns, mask));
  expectClose(whiten(adv, VERL_COUNT_EPSILON), pack(outputs.advantages, mask));
});

interface GrpoInputs {
  token_level_rewards: Matrix;
  response_mask: Matrix;
  index: string[];
  norm_adv_by_std_in_grpo: boolean;
}

it.each(goldenCases<GrpoInputs, { advantages: Matrix }>("verl_grpo"))(
  "verl_grpo $name",
  ({ inputs, outputs }) => {
    const score = f64(inputs.token_level_rewards.map((row) => row.reduce((a, b) => a + b, 0)));
    const adv = groupScores(
      score,
      inputs.index,
      inputs.norm_adv_by_std_in_grpo ? "sample" : "none",
    );
    const expected = outputs.advantages.map((row, b) => row[inputs.response_mask[b]!.indexOf(1)]!);
    expectClose(adv, expected);
  },
);

describe("group scores: golden G4", () => {
  const score = f64(formula<number[]>("G4_R"));
  const task = Array<string>(5).fill("t");
  it("conventions", () => {
    expectClose(groupScores(score, task, "sample"), formula("G4_grpo_ddof1_eps1e-6"), 1e-6);
    // The stored numbers have no 1e-6 beside the population std.
    expectClose(groupScores(score, task, "population"), formula("G4_grpo_ddof0"), 3e-6);
    expectClose(groupScores(score, task, "none"), formula("G4_drgrpo"), 1e-6);
    // TRL adds 1e-4 where verl adds 1e-6; no row does.
    const trl = groupScores(score, task, "sample").map((A) => (A * (s + 1e-6)) / (s + 1e-4));
    expectClose(trl, formula("G4_trl_eps1e-4"), 1e-6);
  });
  const s = std(score);
  it("RLOO is G / (G - 1) times Dr.GRPO", () => {
    const adv = leaveOneOut(score, task);
    expectClose(adv, formula("G4_rloo"), 1e-6);
    const factor = formula<number>("G4_rloo_over_drgrpo");
    expectClose(
      adv,
      groupScores(score, task, "none").map((A) => A * factor),
      1e-12,
    );
  });
  it("OPO weighs by length", () => {
    const adv = lengthWeightedMean(score, f64([4, 8, 8, 4, 16]), task);
    expectClose(adv, formula("G4_opo(len 4,8,8,4,16)"), 1e-6);
  });
  it("a group of one can be compared with itself", () => {
    expect([...groupScores(f64([3, 1, 2]), ["a", "b", "b"], "none", "zero")]).toEqual([
      0, -0.5, 0.5,
    ]);
    expect([...leaveOneOut(f64([3]), ["a"])]).toEqual([3]);
    expect([...leaveOneOut(f64([3]), ["a"], "zero")]).toEqual([0]);
  });
  it("equal scores give exactly 0, whatever their rounding", () => {
    const equal = new Float64Array(3).fill(0.1 + 0.2);
    for (const std of ["none", "sample", "population"] as const) {
      expect([...groupScores(equal, ["a", "a", "a"], std)]).toEqual(formula("G4_zero_std"));
    }
  });
  it("a group of one keeps mean 0 and std 1", () => {
    expect(groupScores(f64([3]), ["a"], "sample")[0]).toBe(3 / (1 + 1e-6));
    expect(groupScores(f64([3]), ["a"], "none")[0]).toBe(3);
  });
  it("groups need not be contiguous", () => {
    expect([...groupScores(f64([1, 5, 3, 9]), ["a", "b", "a", "b"], "none")]).toEqual([
      -1, -2, 1, 2,
    ]);
  });
});

describe("returns to go: golden G7, G21, G22", () => {
  it("of turns, and normalised over all turns of the batch", () => {
    const returns = returnsToGo(f64([0, 0, 1, 0, 0]), Int32Array.of(0, 3, 5), 0.9);
    expectClose(returns, formula("G7_returns g0.9"), 1e-6);
    expectClose(
      returns.map(stdWhitening(returns, populationVariance)),
      formula("G7_rebn_ddof0"),
      1e-6,
    );
    expectClose(returns.map(stdWhitening(returns, variance)), formula("G7_rebn_ddof1"), 1e-6);
    const pair = f64([1, 2]).map(stdWhitening(f64([1, 2]), variance));
    expectClose(pair, [-0.5 / (Math.SQRT1_2 + 1e-9), 0.5 / (Math.SQRT1_2 + 1e-9)], 1e-12);
    const equal = f64([0.1, 0.1]);
    expect([...equal.map(stdWhitening(equal, variance))]).toEqual([0, 0]);
  });
  it("of tokens are carried over what the environment says", () => {
    const batch = maskedBatch([[1, 1, 0, 0, 1, 1]], { reward: [[0, 0, 0, 0, 0, 1]] });
    const start = composeOffsets(batch.turnStart, batch.tokenStart);
    const expected = formula<{ carry: number[]; zeroing_bug: number[] }>("G22_rfpp");
    const returns = returnsToGo(rewards.tokenRewards(batch), start, 0.9);
    expectClose(returns, expected.carry, 1e-6);
    // Without the carry, early turns are paid nothing.
    const apart = returnsToGo(rewards.tokenRewards(batch), batch.tokenStart, 0.9);
    expectClose(apart, expected.zeroing_bug, 1e-6);
  });
  it("a discount per token leaves nothing of what one per turn leaves", () => {
    const {
      "gamma.99^400tok": tokens,
      "gamma.99^5turn": turns,
      "(gl).891^5turn": trace,
    } = formula<Record<string, number>>("G21_attenuation");
    const late = (n: number) => [...Array<number>(n).fill(0), 1];
    const first = (n: number) => returnsToGo(f64(late(n)), Int32Array.of(0, n + 1), 0.99)[0]!;
    expect(first(400)).toBeCloseTo(tokens!, 6);
    expect(first(5)).toBeCloseTo(turns!, 6);
    const { adv } = single(
      late(5),
      late(5).map(() => 0),
      0.99,
      0.9,
    );
    expect(adv[0]!).toBeCloseTo(trace!, 5);
  });
});

describe("comparisons of turns", () => {
  it("GiGPO: golden G13", () => {
    const input = {
      reward: f64([0, 0, 1, 0, 0]),
      turnStart: Int32Array.of(0, 3, 5),
      task: ["t", "t"],
      anchor: ["s0", "s1", "s2", "s0", "s1"],
      gamma: 0.95,
      omega: 1,
      std: "none",
      groupCount: "trajectory",
    } as const;
    const flat = (name: string) => {
      const { T1, T2 } = formula<{ T1: number[]; T2: number[] }>(name);
      return [...T1, ...T2];
    };
    expectClose(returnsToGo(input.reward, input.turnStart, 0.95), flat("G13_stepR"), 1e-6);
    expectClose(anchorStates(input).adv, flat("G13_mean_norm"), 1e-6);
    // The stored numbers have no 1e-6 beside the std.
    expectClose(anchorStates({ ...input, std: "sample" }).adv, flat("G13_mean_std_norm"), 1e-5);
    const otherTask = anchorStates({ ...input, task: ["t", "u"] });
    expect([...otherTask.state], "states of different tasks are different").toEqual([
      0, 0, 0, 0, 0,
    ]);
  });
  it("MT-GRPO: golden G14", () => {
    const I = [0.4, 0.1, 0.4, 0.1];
    const O = [1, 0, 0, 0];
    const adv = turnPlusOutcome({
      reward: f64(I.flatMap((r, b) => [r, O[b]!])),
      turnStart: Int32Array.of(0, 2, 4, 6, 8),
      task: ["t", "t", "t", "t"],
      alpha: 1,
      laterTurns: "discounted",
      std: "sample",
    });
    const expected = formula<{ turn1: number[]; turn2: number[] }>("G14_mtgrpo alpha1");
    // The stored numbers have no 1e-6 beside the std.
    expectClose(
      adv.filter((_, k) => k % 2 === 0),
      expected.turn1,
      1e-5,
    );
    expectClose(
      adv.filter((_, k) => k % 2 === 1),
      expected.turn2,
      1e-5,
    );
  });
  it("MT-GRPO: a turn that no other of its number is compared with has the outcome alone", () => {
    const adv = turnPlusOutcome({
      reward: f64([7, 1, 3]),
      turnStart: Int32Array.of(0, 2, 3),
      task: ["t", "t"],
      alpha: 2,
      laterTurns: "discounted",
      std: "none",
    });
    expect([...adv]).toEqual([-2, -1, 1]);
  });
  /** Three turns a rollout: golden mt_grpo_k3, whose z-scores have 1e-4 beside the std. */
  const threeTurns = (alpha: number, laterTurns: "outcome" | "discounted") => {
    const own = [
      [0.4, 0.2],
      [0.1, 0.3],
      [0.4, 0.1],
      [0.2, 0.2],
      [0.5, 0.1],
    ];
    const outcome = [1, 0, 0, 0, 1];
    const adv = turnPlusOutcome({
      reward: f64(own.flatMap((turns, b) => [...turns, outcome[b]!])),
      turnStart: Int32Array.of(0, 3, 6, 9, 12, 15),
      task: ["a", "a", "a", "b", "b"],
      alpha,
      laterTurns,
      std: "sample",
    });
    return own.map((_, b) => [...adv.subarray(3 * b, 3 * b + 3)]);
  };
  it("MT-GRPO: three turns, in both readings", () => {
    const perTurn = [
      [1.731518, 1.154501, 1.154501],
      [-1.731285, 0.421751, -0.57725],
      [-0.000233, -1.576251, -0.57725],
      [-1.41378, -0.000899, -0.707007],
      [1.41378, 0.000899, 0.707007],
    ];
    const suffixSum = [
      [1.731518, 1.154501, 1.154501],
      [-0.732284, 0.421751, -0.57725],
      [-0.999234, -1.576251, -0.57725],
      [-0.707672, -0.000899, -0.707007],
      [0.707672, 0.000899, 0.707007],
    ];
    expectClose(threeTurns(1, "outcome").flat(), perTurn.flat(), 2e-3);
    expectClose(threeTurns(1, "discounted").flat(), suffixSum.flat(), 2e-3);
  });
  it("MT-GRPO: each turn between weighs by alpha once more", () => {
    const [z1, z2, zO] = [0.57735, 0, 1.154701];
    const [first, second, last] = threeTurns(0.5, "discounted")[0]!;
    expectClose([first!, second!, last!], [z1 + 0.5 * z2 + 0.25 * zO, z2 + 0.5 * zO, zO], 1e-4);
    const plain = threeTurns(0.5, "outcome")[0]!;
    expectClose(plain, [z1 + 0.5 * zO, z2 + 0.5 * zO, zO], 1e-4);
  });
  it("A2TGPO: golden G12", () => {
    const z = f64([1, -0.5, 0.2, 0]);
    const start = Int32Array.of(0, 4);
    const D = rescaledReturns(z, start, 1);
    expectClose(D.subarray(0, 3), formula("G12_D/sqrt(n)"), 1e-6);
    expectClose(
      D.map((x) => 0.3 * x + 0.8),
      formula("G12_adv"),
      1e-6,
    );
    const scale = clipScales(z, 0.3);
    expectClose(scale, formula("G12_clip_scale"), 1e-6);
    const limits = [...scale.subarray(0, 3)].flatMap((c) => [1 - 0.2 * c, 1 + 0.2 * c]);
    expectClose(limits, formula<number[][]>("G12_eff_clip(0.2)").flat().slice(0, 6), 1e-6);
  });
  it("A2TGPO: gains are compared within the turns of one number, the last excepted", () => {
    const gain = f64([1, 5, NaN, 3, 5, NaN, 9, NaN]);
    const z = gainScores(gain, ["t", "t", "u"], Int32Array.of(0, 3, 6, 8));
    const one = 1 / Math.sqrt(1 + 1e-8);
    expectClose(z, [-one, 0, 0, one, 0, 0, 0, 0], 1e-12);
  });
  it("golden G16: a mean per turn number takes away what depends on the length", () => {
    // Reward 1 at every turn, one and two turns: each turn is like its group's, though returns differ.
    const expected = formula<Record<string, number[]>>("G16_perturn_centered_sum");
    const [lengths, turn] = [[1, 2], f64([1, 1, 1])];
    const centred = groupScores(turn, ["1", "1", "2"], "none", "zero");
    expect([...centred]).toEqual([...expected["T1"]!, ...expected["T2"]!]);
    const whole = groupScores(f64(lengths), ["t", "t"], "none");
    expectClose(whole, expected["true_return_centered"]!, 1e-12);
  });
  it("golden G17: counted per turn, a group's mean leans to its longer rollouts", () => {
    const [perTurn, once] = formula<number[]>("G17_mean_dup_vs_dedup");
    const episode = (groupCount: "turn" | "trajectory") =>
      anchorStates({
        reward: f64([1, 0, 0, 0]),
        turnStart: Int32Array.of(0, 1, 4),
        task: ["t", "t"],
        anchor: ["a", "a", "b", "c"],
        gamma: 1,
        omega: 0,
        std: "none",
        groupCount,
      }).adv;
    expectClose(episode("turn"), [1 - perTurn!, -perTurn!, -perTurn!, -perTurn!], 1e-12);
    expectClose(episode("trajectory"), [1 - once!, -once!, -once!, -once!], 1e-12);
  });
});

describe("KL in the reward", () => {
  const token = { reward: 0.5, oldLogprob: -1, refLogprob: -1.25 };
  const batch = decodeBatch({
    trajectories: [{ turns: [{ reward: 1, tokens: [token, { ...token, reward: 0 }] }] }],
  });
  it("is paid by every token, on top of what it is paid", () => {
    expect([...withKlReward(batch, 2).tokenReward!]).toEqual([0, -0.5]);
    expect([...rewards.trajectoryScores(withKlReward(batch, 2))]).toEqual([0.5]);
  });
  it("of weight 0 leaves the batch as it is", () => expect(withKlReward(batch, 0)).toBe(batch));
  it("needs the reference", () => {
    const { refLogprob: _, ...without } = batch;
    expect(() => withKlReward(without, 0.1)).toThrow(
      "trajectories[0].turns[0].tokens[0].refLogprob is missing; betaKlReward 0.1 needs it",
    );
  });
});

describe("a turn's value read off tokens", () => {
  const start = Int32Array.of(0, 2, 5);
  const value = f64([1, 2, 3, 4, 8]);
  it("at its end or as its mean", () => {
    expect([...readTurnValues("turn-end", value, start)]).toEqual([2, 8]);
    expect([...readTurnValues("turn-mean", value, start)]).toEqual([1.5, 5]);
  });
  it("spreads a gradient to where it was read", () => {
    expect([...spreadTurns("turn-end", f64([6, 3]), start)]).toEqual([0, 6, 0, 0, 3]);
    expect([...spreadTurns("turn-mean", f64([6, 3]), start)]).toEqual([3, 3, 1, 1, 1]);
  });
  it("has targets where it was read", () => {
    expect([...tokenTargets("turn-end", f64([6, 3]), start)]).toEqual([NaN, 6, NaN, NaN, 3]);
    expect([...tokenTargets("turn-mean", f64([6, 3]), start)]).toEqual([6, 6, 3, 3, 3]);
  });
});

describe("whitening", () => {
  it("turns a single unit into 0, and equal ones", () => {
    for (const epsilon of [0, VERL_COUNT_EPSILON]) {
      expect([...whiten([3.5], epsilon)]).toEqual([0]);
      expect([...whiten([0.1, 0.1, 0.1], epsilon)]).toEqual([0, 0, 0]);
    }
  });
  it("(p9) sums to 0", () => {
    const number = fc.integer({ min: -6400, max: 6400 }).map((x) => x / 64);
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 50 }), (x) => {
        const sum = whiten(x).reduce((a, b) => a + b, 0);
        expect(Math.abs(sum)).toBeLessThan(1e-8);
      }),
    );
  });
});

/** Lists of turns, each a list of [reward, value] per token. */
const arbitraryTrajectory = fc.array(
  fc.array(fc.tuple(fc.integer({ min: -64, max: 64 }), fc.integer({ min: -64, max: 64 })), {
    minLength: 1,
    maxLength: 4,
  }),
  { minLength: 1, maxLength: 5 },
);

describe("properties of GAE", () => {
  it("(p2) turns of one token each: the same as tokens", () => {
    fc.assert(
      fc.property(
        arbitraryTrajectory,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (turns, gamma) => {
          const steps = turns.map((turn) => turn[0]!.map((x) => x / 64));
          const json = steps.map(([reward, value]) => ({ reward, value, tokens: [{ value }] }));
          const batch = decodeBatch({ trajectories: [{ turns: json }] });
          const common = { bootstrap: rewards.bootstraps(batch), gamma, lambda: 0.9 };
          const byTurn = gae({
            ...common,
            reward: rewards.turnRewards(batch),
            value: batch.turnValue!,
            start: batch.turnStart,
          });
          const start = composeOffsets(batch.turnStart, batch.tokenStart);
          const byToken = gae({
            ...common,
            reward: rewards.tokenRewards(batch),
            value: batch.tokenValue!,
            start,
          });
          expect(byTurn).toEqual(byToken);
        },
      ),
    );
  });
  it("(p5) gamma = lambda = 1 and V = 0: the advantage is the remaining return", () => {
    fc.assert(
      fc.property(arbitraryTrajectory, (turns) => {
        const r = turns.map((turn) => turn[0]![0]);
        const { adv } = single(
          r,
          r.map(() => 0),
          1,
          1,
        );
        expect([...adv]).toEqual(r.map((_, k) => r.slice(k).reduce((a, b) => a + b, 0)));
      }),
    );
  });
  it("no trajectory touches another", () => {
    const alone = single([1, 2], [0.5, 0.25], 0.9, 0.8, 0.3);
    const both = gae({
      reward: f64([7, 1, 2]),
      value: f64([9, 0.5, 0.25]),
      start: Int32Array.of(0, 1, 3),
      bootstrap: f64([5, 0.3]),
      gamma: 0.9,
      lambda: 0.8,
    });
    expect([...both.adv.subarray(1)]).toEqual([...alone.adv]);
  });
});

describe("rewards", () => {
  const decoded = decodeBatch({
    trajectories: [
      {
        terminated: true,
        turns: [
          { reward: 1, tokens: [{ reward: 0.5 }, {}] },
          { reward: 2, tokens: [{}] },
        ],
      },
      { terminated: false, bootstrapValue: 9, turns: [{ tokens: [{}, { reward: 4 }] }] },
    ],
  });
  const batch = { ...decoded, bootstrapValue: Float64Array.of(9, 9) };
  it("are at the turn's last token", () =>
    expect([...rewards.tokenRewards(batch)]).toEqual([0.5, 1, 2, 0, 4]));
  it("sum per turn and trajectory", () => {
    expect([...rewards.turnRewards(batch)]).toEqual([1.5, 2, 4]);
    expect([...rewards.trajectoryScores(batch)]).toEqual([3.5, 4]);
    expect(segmentSum(rewards.tokenRewards(batch), batch.tokenStart)).toEqual(
      rewards.turnRewards(batch),
    );
  });
  it("bootstrap only where truncated", () =>
    expect([...rewards.bootstraps(batch)]).toEqual([0, 9]));
});

describe("given advantages", () => {
  const batchOf = (turns: object[]) => decodeBatch({ trajectories: [{ turns }] });
  it("replace computed ones, unit by unit", () => {
    const batch = batchOf([
      { advantage: 5, tokens: [{}, {}] },
      { tokens: [{}, { advantage: 3 }] },
      { tokens: [{}] },
    ]);
    const mixed = withGiven(fromTurns(f64([1, 1, 1]), batch), batch);
    expect([...mixed.turn]).toEqual([5, 2, 1]);
    expect([...mixed.token]).toEqual([5, 5, 1, 3, 1]);
    expect(allGiven(batch)).toBe(false);
  });
  it("a token's own goes before its turn's", () => {
    const batch = batchOf([{ advantage: 5, tokens: [{ advantage: 1 }, {}] }]);
    const mixed = withGiven(fromTokens(f64([0, 0]), batch), batch);
    expect([...mixed.turn]).toEqual([3]);
    expect([...mixed.token]).toEqual([1, 5]);
    expect(allGiven(batch)).toBe(true);
  });
  it("all tokens of a turn make it given", () => {
    expect(allGiven(batchOf([{ tokens: [{ advantage: 1 }, { advantage: 2 }] }]))).toBe(true);
    expect(allGiven(batchOf([{ tokens: [{ advantage: 1 }, {}] }]))).toBe(false);
  });
});
