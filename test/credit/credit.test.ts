import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gae } from "../../src/credit/gae.ts";
import { fromTokens, fromTurns, allGiven, withGiven } from "../../src/credit/givenAdvantage.ts";
import { groupScores } from "../../src/credit/groupScores.ts";
import * as rewards from "../../src/credit/rewards.ts";
import { VERL_COUNT_EPSILON, whitening } from "../../src/credit/whiten.ts";
import { composeOffsets, segmentSum } from "../../src/numeric/segments.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import {
  expectClose,
  formula,
  goldenCases,
  maskedBatch,
  pack,
  type Matrix,
} from "../golden/load.ts";

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
    const tokens = f64([2, 5, 3, 10].flatMap((n, k) => Array<number>(n).fill(adv[k]!)));
    const expected = formula<number[]>("G1_whiten_token_ddof1(lens2,5,3,10)");
    expectClose(adv.map(whitening(tokens)), expected, 1e-6);
  });
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
  it("a reward outside the mask is nowhere", () => {
    const adv = tokenGae([[0, 0, 0, 0, 0, 0, 0, 1]], 0.99, 0.9);
    expectClose(adv, formula("G2_reward_on_masked_token_lost(carry)"), 1e-6);
  });
});

describe("bi-level GAE: golden G3, two runs of the same function", () => {
  // High level over turn ends, then inside each turn with the turn's return as reward and nothing
  // after it.
  function bilevel(
    r: number[],
    value: number[],
    start: Int32Array,
    highGamma: number,
  ): Float64Array {
    const ends = [...start.slice(1)].map((t) => t - 1);
    const high = single(
      ends.map((t) => r[t]!),
      ends.map((t) => value[t]!),
      highGamma,
      1,
    );
    const reward = new Float64Array(value.length);
    ends.forEach((t, k) => (reward[t] = high.ret[k]!));
    const bootstrap = new Float64Array(ends.length);
    return gae({ reward, value: f64(value), start, bootstrap, gamma: 1, lambda: 1 }).adv;
  }
  const V = Array.from({ length: 10 }, (_, t) => (t + 1) / 10);
  const start = Int32Array.of(0, 5, 10);
  it("dense", () => {
    const adv = bilevel([0, 0, 0, 0, 1, 0, 0, 0, 0, 1], V, start, 0.95);
    expectClose(adv, formula("G3_bilevel_A(unwhitened)"), 1e-6);
    expectClose(
      adv.map((A, t) => A + V[t]!),
      formula("G3_bilevel_R"),
      1e-6,
    );
    expectClose(whiten(adv), formula("G3_bilevel_A_whitened_ddof1"), 1e-6);
  });
  it("sparse, a turn of reward 0 still being a turn", () => {
    const adv = bilevel([0, 0, 0, 0, 0, 0, 0, 0, 0, 1], V, start, 0.95);
    expectClose(adv, formula("G3_sparse_correct_ends"), 1e-6);
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
  const batch = decodeBatch({
    trajectories: [
      {
        terminated: true,
        bootstrapValue: 9,
        turns: [
          { reward: 1, tokens: [{ reward: 0.5 }, {}] },
          { reward: 2, tokens: [{}] },
        ],
      },
      { terminated: false, bootstrapValue: 9, turns: [{ tokens: [{}, { reward: 4 }] }] },
    ],
  });
  it("stand at the turn's last token", () =>
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
