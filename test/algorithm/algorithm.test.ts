import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  computeCredit,
  computeObjective,
  creditMetrics,
  selectTrajectories,
  stepTotals,
} from "../../src/algorithm/registry.ts";
import { composeOffsets } from "../../src/numeric/segments.ts";
import { importanceRatios } from "../../src/method/objective/ratio.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import { algorithmNames, resolveAlgorithm } from "../../src/spec/algorithms.ts";
import {
  expectClose,
  formula,
  goldenCases,
  maskedBatch,
  pack,
  type Matrix,
} from "../golden/load.ts";
import { anyBatch, randomBatch } from "./batches.ts";

const evaluate = (name: string, set: Record<string, unknown>, batch = randomBatch(1)) => {
  const config = resolveAlgorithm(name, set);
  const credit = computeCredit(config, batch);
  return { config, batch, credit, ...computeObjective(config, batch, credit) };
};

interface GaeCase {
  token_level_rewards: Matrix;
  values: Matrix;
  response_mask: Matrix;
  gamma: number;
  lam: number;
}

it.each(goldenCases<GaeCase, { advantages: Matrix; returns: Matrix }>("verl_gae"))(
  "token-PPO's credit is verl's: $name",
  ({ inputs, outputs }) => {
    const mask = inputs.response_mask;
    const batch = maskedBatch(mask, { reward: inputs.token_level_rewards, value: inputs.values });
    const { gamma, lam: lambda } = inputs;
    const credit = computeCredit(resolveAlgorithm("token-ppo", { gamma, lambda }), batch);
    expectClose(credit.tokenAdvantage, pack(outputs.advantages, mask));
    expectClose(credit.tokenReturn!, pack(outputs.returns, mask));
  },
);

interface VanillaCase {
  old_log_prob: Matrix;
  log_prob: Matrix;
  advantages: Matrix;
  response_mask: Matrix;
  loss_agg_mode: string;
  config: { clip_ratio_low: number; clip_ratio_high: number; clip_ratio_c: number };
  rollout_is_weights?: Matrix;
}
interface VanillaResult {
  loss: number;
  metrics: Record<string, number>;
  grad_wrt_log_prob: Matrix;
}

// Importance weights against the sampler belong to the objective's own test; no axis names them.
const vanilla = goldenCases<VanillaCase, VanillaResult>("verl_policy_vanilla").filter(
  ({ inputs }) => !inputs.rollout_is_weights,
);

it.each(vanilla)("token-PPO's loss is verl's: $name", ({ inputs, outputs }) => {
  const { response_mask: mask, config } = inputs;
  const batch = maskedBatch(mask, {
    logprob: inputs.log_prob,
    oldLogprob: inputs.old_log_prob,
    advantage: inputs.advantages,
  });
  const result = evaluate(
    "token-ppo",
    {
      whiten: "none",
      aggregation: inputs.loss_agg_mode,
      horizon: mask[0]!.length,
      epsLow: config.clip_ratio_low,
      epsHigh: config.clip_ratio_high,
      dualClip: config.clip_ratio_c,
    },
    batch,
  );
  expectClose([result.loss], [outputs.loss]);
  expectClose(result.dLogprob, pack(outputs.grad_wrt_log_prob, mask));
  for (const [name, value] of Object.entries(outputs.metrics)) {
    expectClose([result.metrics[name]!], [value]);
  }
});

it("GRPO: golden G4", () => {
  const score = formula<number[]>("G4_R");
  const turns = (r: number) => [
    { reward: 0, tokens: [{}] },
    { reward: r, tokens: [{}, {}] },
  ];
  const batch = decodeBatch({ trajectories: score.map((r) => ({ task: "t", turns: turns(r) })) });
  const credit = computeCredit(resolveAlgorithm("grpo"), batch);
  const expected = formula<number[]>("G4_grpo_ddof1_eps1e-6");
  expectClose(
    credit.turnAdvantage,
    expected.flatMap((A) => [A, A]),
    1e-6,
  );
  expectClose(
    credit.tokenAdvantage,
    expected.flatMap((A) => [A, A, A]),
    1e-6,
  );
  expect([credit.turnReturn, credit.tokenReturn]).toEqual([null, null]);
});

describe("properties", () => {
  it("(p1) what the environment says is in no column: same tokens, same credit", () => {
    // Masked positions hold other numbers; the packed batch cannot differ.
    const mask = [[0, 1, 1, 0, 0, 1, 0]];
    const value = [[9, 0.1, 0.2, 9, 9, 0.3, 9]];
    const other = [[-5, 0.1, 0.2, 77, 3, 0.3, 0]];
    const reward = [[0, 0, 1, 0, 0, 1, 0]];
    const config = resolveAlgorithm("token-ppo");
    const credit = (v: Matrix) => computeCredit(config, maskedBatch(mask, { reward, value: v }));
    expect(credit(other)).toEqual(credit(value));
  });
  it("(p2) one token a turn: Turn-PPO and token-PPO agree when their numbers do", () => {
    const batch = randomBatch(5, { tokens: 1, exact: true });
    const same = { ...batch, tokenValue: batch.turnValue!, tokenNewValue: batch.turnNewValue! };
    const set = {
      gamma: 0.9,
      lambda: 0.8,
      whiten: "turns",
      ratio: "token",
      aggregation: "token-mean",
    };
    const [turn, token] = ["turn-ppo", "token-ppo"].map((name) => evaluate(name, set, same));
    expectClose(turn!.credit.tokenAdvantage, token!.credit.tokenAdvantage, 1e-12);
    expectClose(turn!.dLogprob, token!.dLogprob, 1e-12);
  });
  it("(p3) one turn a trajectory: the turn's geometric mean is GSPO's ratio", () => {
    const property = fc.property(anyBatch({ turns: 1, logRatio: 0.5 }), (batch) => {
      const { logprob, oldLogprob, turnStart, tokenStart } = batch;
      const offsets = { turn: tokenStart, trajectory: composeOffsets(turnStart, tokenStart) };
      const ratios = (level: "turn-geomean" | "sequence-geomean") =>
        importanceRatios(level, logprob!, oldLogprob!, offsets);
      expect(ratios("turn-geomean")).toEqual(ratios("sequence-geomean"));
      const [turn, sequence] = ["turn-geomean", "sequence-geomean"].map((ratio) =>
        evaluate("grpo", { ratio }, batch),
      );
      expect(turn!.loss).toBe(sequence!.loss);
      expect(turn!.dLogprob).toEqual(sequence!.dLogprob);
      expect(turn!.tokenClipped).toEqual(sequence!.tokenClipped);
    });
    fc.assert(property, { seed: 3, numRuns: 200 });
  });
  it("(p4) all d = 0: token ratios with broadcast A and the product over N have one gradient", () => {
    const property = fc.property(anyBatch({ turns: 4, logRatio: 0 }), (batch) => {
      const product = evaluate("turn-ppo", { whiten: "none" }, batch);
      const token = evaluate(
        "turn-ppo",
        { whiten: "none", ratio: "token", aggregation: "seq-mean-token-mean" },
        batch,
      );
      expectClose(product.dLogprob, token.dLogprob, 1e-12);
      expect(product.metrics["actor/pg_clipfrac"]).toBe(0);
      expect(product.metrics["actor/turn_ratio_ess"]).toBe(1);
      // And that gradient is -A / N of the trajectory, over the trajectories.
      const { turnStart, tokenStart } = batch;
      const B = batch.task.length;
      const expected = batch.task.flatMap((_, b) => {
        const [from, to] = [tokenStart[turnStart[b]!]!, tokenStart[turnStart[b + 1]!]!];
        const A = product.credit.tokenAdvantage.subarray(from, to);
        return Array.from(A, (x) => -x / (to - from) / B);
      });
      expectClose(product.dLogprob, expected, 1e-12);
    });
    fc.assert(property, { seed: 4, numRuns: 200 });
  });
  it("the order of trajectories changes nothing but the order", () => {
    for (const name of algorithmNames) {
      const { config, batch, credit } = evaluate(name, {});
      const order = [2, 0, 3, 1];
      const turned = selectTrajectories(batch, credit, order);
      const again = computeCredit(config, turned.batch);
      expectClose(again.tokenAdvantage, turned.credit.tokenAdvantage, 1e-12);
      expectClose(again.turnAdvantage, turned.credit.turnAdvantage, 1e-12);
    }
  });
  it("a log-ratio beyond 20 neither overflows nor pushes", () => {
    const batch = randomBatch(8);
    batch.logprob!.fill(500);
    const { loss, dLogprob } = evaluate("turn-ppo", { dualClip: "none" }, batch);
    expect(Number.isFinite(loss)).toBe(true);
    expect(Math.max(...dLogprob.map(Math.abs))).toBe(0);
  });
});

describe("whitening", () => {
  it("over tokens counts long turns more", () => {
    const turns = [2, 5, 3, 10].map((n, k) => ({
      reward: k === 3 ? 1 : 0,
      value: [0.2, 0.4, 0.3, 0.8][k],
      tokens: Array.from({ length: n }, () => ({})),
    }));
    const batch = decodeBatch({ trajectories: [{ turns }] });
    const credit = (whiten: string) =>
      computeCredit(resolveAlgorithm("turn-ppo", { whiten }), batch).turnAdvantage;
    expectClose(credit("turns"), formula("G1_whiten_turn_ddof1"), 1e-6);
    expectClose(credit("tokens"), formula("G1_whiten_token_ddof1(lens2,5,3,10)"), 1e-6);
  });
  it("over turns of per-token advantages takes one sample a turn, their mean", () => {
    const { credit, batch } = evaluate("token-ppo", { whiten: "turns" });
    const sum = credit.turnAdvantage.reduce((a, b) => a + b, 0);
    expect(Math.abs(sum)).toBeLessThan(1e-9);
    expect(credit.tokenAdvantage.length).toBe(batch.tokenStart.at(-1));
  });
  it("is over the whole batch: a minibatch keeps its numbers", () => {
    const { batch, credit } = evaluate("turn-ppo", {});
    const { credit: part, turns, tokens } = selectTrajectories(batch, credit, [3, 1]);
    expect([...part.turnAdvantage]).toEqual([...turns].map((k) => credit.turnAdvantage[k]));
    expect([...part.tokenAdvantage]).toEqual([...tokens].map((t) => credit.tokenAdvantage[t]));
    expect([...part.turnReturn!]).toEqual([...turns].map((k) => credit.turnReturn![k]));
  });
});

describe("selection", () => {
  it("of everything is everything", () => {
    for (const name of algorithmNames) {
      const { batch, credit } = evaluate(name, {});
      const all = selectTrajectories(batch, credit, [0, 1, 2, 3]);
      expect(all.batch).toEqual(batch);
      expect(all.credit).toEqual(credit);
    }
  });
  it("micro-batches with the step's totals add up to the step", () => {
    // A covariance picks among the units that it is given.
    const picks = (name: string) => resolveAlgorithm(name).clip.startsWith("cov-");
    for (const name of algorithmNames.filter((one) => !picks(one))) {
      for (const aggregation of [
        "token-mean",
        "seq-mean-token-mean",
        "turn-mean",
        "turnsum-over-tokens",
        "seq-mean-token-sum-norm",
      ]) {
        const { config, batch, credit, loss, valueLoss, dLogprob } = evaluate(name, {
          aggregation,
          betaKl: 0.1,
        });
        const totals = stepTotals(config, batch, credit);
        const parts = [[0, 2], [1], [3]].map((indices) => {
          const part = selectTrajectories(batch, credit, indices);
          return { ...part, ...computeObjective(config, part.batch, part.credit, { totals }) };
        });
        const sum = (pick: (p: (typeof parts)[number]) => number | null) =>
          parts.reduce((total, p) => total + (pick(p) ?? 0), 0);
        expect(sum((p) => p.loss)).toBeCloseTo(loss, 12);
        expect(sum((p) => p.valueLoss)).toBeCloseTo(valueLoss ?? 0, 12);
        for (const part of parts)
          part.tokens.forEach((t, i) => expect(part.dLogprob[i]).toBe(dLogprob[t]));
      }
    }
  });
});

describe("entropy bonus", () => {
  const batch = randomBatch(9);
  const entropy = batch.logprob!.map((x) => -x);
  it.each([
    ["turn-ppo", "token-mean"],
    ["token-ppo", "token-mean"],
    ["grpo", "seq-mean-token-mean"],
  ])("of %s is a %s", (name, mode) => {
    const config = resolveAlgorithm(name);
    const credit = computeCredit(config, batch);
    const plain = computeObjective(config, batch, credit);
    const result = computeObjective(config, batch, credit, { entropy, entropyCoef: 0.5 });
    expect(plain.dEntropy).toBeNull();
    const lost = result.dEntropy!.reduce((sum, g, t) => sum + g * entropy[t]!, 0);
    expect(result.loss - plain.loss).toBeCloseTo(lost, 12);
    expect(result.dEntropy!.reduce((a, b) => a + b, 0)).toBeCloseTo(-0.5, 12);
    const equal = result.dEntropy!.every((g) => Math.abs(g - result.dEntropy![0]!) < 1e-15);
    expect(equal).toBe(mode === "token-mean");
    expect(result.dLogprob).toEqual(plain.dLogprob);
  });
  it("needs the entropies", () => {
    const config = resolveAlgorithm("grpo");
    const run = () =>
      computeObjective(config, batch, computeCredit(config, batch), { entropyCoef: 1 });
    expect(run).toThrow(RangeError);
  });
});

describe("KL in the loss", () => {
  it("adds betaKl times the aggregated k3", () => {
    const [none, some] = [0, 0.04].map((betaKl) => evaluate("grpo", { betaKl }));
    expect(some!.loss - none!.loss).toBeCloseTo(0.04 * some!.metrics["actor/kl_loss"]!, 12);
    expect(none!.metrics["actor/kl_loss"]).toBe(some!.metrics["actor/kl_loss"]);
    expect(none!.metrics["actor/pg_loss"]).toBe(some!.metrics["actor/pg_loss"]);
  });
});

describe("missing numbers are named", () => {
  const turns = (turn: object) => ({
    trajectories: [{ turns: [{ value: 1, newValue: 1, tokens: [{}] }, turn] }],
  });
  const run = (name: string, json: unknown, set = {}) => evaluate(name, set, decodeBatch(json));
  it.each([
    [
      "turn-ppo",
      { tokens: [{}] },
      {},
      "trajectories[0].turns[1].value is missing; turn-ppo needs it",
    ],
    [
      "token-ppo",
      { tokens: [{}] },
      {},
      "trajectories[0].turns[0].tokens[0].value is missing; token-ppo needs it",
    ],
    [
      "grpo",
      { tokens: [{}] },
      {},
      "trajectories[0].turns[0].tokens[0].logprob is missing; grpo needs it",
    ],
    [
      "turn-ppo",
      { value: 1, tokens: [{ logprob: 1 }] },
      {},
      "trajectories[0].turns[0].tokens[0].logprob is missing",
    ],
  ])("%s %j", (name, turn, set, message) => {
    expect(() => run(name, turns(turn), set)).toThrow(message);
  });
  const complete = { logprob: -1, oldLogprob: -1 };
  it("old log-probs only with a ratio, reference log-probs only with KL, new values wholly or not at all", () => {
    const json = (token: object, turn = {}) => ({
      trajectories: [{ turns: [{ value: 1, tokens: [token, token], ...turn }] }],
    });
    expect(() => run("turn-ppo", json({ logprob: -1 }))).toThrow("tokens[0].oldLogprob is missing");
    expect(run("turn-ppo", json({ logprob: -1 }), { ratio: "none" }).valueLoss).toBeNull();
    expect(() => run("turn-ppo", json(complete), { betaKl: 0.1 })).toThrow(
      "trajectories[0].turns[0].tokens[0].refLogprob is missing; betaKl 0.1 needs it",
    );
    const half = {
      trajectories: [
        {
          turns: [
            { value: 1, newValue: 1, tokens: [complete] },
            { value: 1, tokens: [complete] },
          ],
        },
      ],
    };
    expect(() => run("turn-ppo", half)).toThrow("trajectories[0].turns[1].newValue is missing");
  });
  it("values are not needed where every advantage is given, except to learn them", () => {
    const json = (newValue: object) => ({
      trajectories: [{ turns: [{ advantage: 2, ...newValue, tokens: [complete] }] }],
    });
    const result = run("turn-ppo", json({}), { whiten: "none" });
    expect([result.loss, result.credit.turnReturn]).toEqual([-2, null]);
    expect(() => run("turn-ppo", json({ newValue: 1 }))).toThrow("turns[0].value is missing");
  });
});

describe("metrics", () => {
  it("are finite numbers, for a batch of one token too", () => {
    const single = randomBatch(2, { trajectories: 1, turns: 1, tokens: 1 });
    for (const batch of [randomBatch(2), single]) {
      for (const name of algorithmNames) {
        const { config, credit, metrics } = evaluate(name, {}, batch);
        const all = { ...metrics, ...creditMetrics(config, batch, credit) };
        for (const [key, value] of Object.entries(all)) expect(value, key).toBeTypeOf("number");
        expect(Object.entries(all).filter(([, value]) => !Number.isFinite(value))).toEqual([]);
      }
    }
  });
  it("say what the ratios were", () => {
    const tokens = (d: number[]) => d.map((x) => ({ logprob: x, oldLogprob: 0 }));
    const turns = [
      { value: 0, reward: 1, tokens: tokens([Math.log(2), Math.log(2)]) },
      { value: 0, reward: 1, tokens: tokens([0]) },
    ];
    const batch = decodeBatch({ trajectories: [{ turns }] });
    const { metrics, turnRatio, tokenRatio, turnClipped, tokenClipped } = evaluate(
      "turn-ppo",
      { whiten: "none" },
      batch,
    );
    expectClose(turnRatio, [4, 1], 1e-12);
    expectClose(tokenRatio, [2, 2, 1], 1e-12);
    expect([[...turnClipped], [...tokenClipped]]).toEqual([
      [1, 0],
      [1, 1, 0],
    ]);
    const expected = {
      "actor/pg_clipfrac": 2 / 3,
      "actor/pg_clipfrac_lower": 0,
      "actor/turn_clipfrac": 0.5,
      "actor/turn_ratio/mean": 2.5,
      "actor/turn_ratio/max": 4,
      "actor/turn_ratio/min": 1,
      "actor/turn_ratio/std": Math.sqrt(4.5),
      "actor/turn_logratio_abs_max": Math.log(4),
      "actor/turn_ratio_ess": 25 / 34,
      "actor/ppo_kl": (-2 / 3) * Math.log(2),
    };
    for (const [name, value] of Object.entries(expected))
      expect(metrics[name], name).toBeCloseTo(value, 12);
  });
  it("say how well the critic explains, overall and by turn", () => {
    const { config, batch, credit, metrics } = evaluate(
      "turn-ppo",
      {},
      randomBatch(4, { turns: 2, exact: true }),
    );
    const m = creditMetrics(config, batch, credit);
    expect(m["critic/turn_vf_explained_var"]).toBe(m["critic/vf_explained_var"]);
    expect(m["critic/turn_vf_explained_var/1"]).not.toBe(m["critic/turn_vf_explained_var/2"]);
    expect(m).not.toHaveProperty("critic/turn_vf_explained_var/3");
    expect(m["critic/turn_td_error/abs_mean"]).toBeGreaterThan(0);
    expect(metrics["critic/vpred_mean"]).toBeCloseTo(
      batch.turnNewValue!.reduce((a, b) => a + b) / 8,
      12,
    );
  });
  it("have no critic's numbers without one", () => {
    const { config, batch, credit, metrics } = evaluate("grpo", {});
    const names = Object.keys({ ...metrics, ...creditMetrics(config, batch, credit) });
    expect(names.filter((name) => /vf_|values|returns|vpred/.test(name))).toEqual([]);
  });
});
