import { describe, expect, it } from "vitest";
import { normals } from "../../../src/numeric/rng.ts";
import { explainedVariance, mean } from "../../../src/numeric/statistics.ts";
import { countTotals, tokenWeights, weightedSum } from "../../../src/method/objective/aggregate.ts";
import { clippedSurrogate } from "../../../src/method/clip/range.ts";
import {
  entropyBonus,
  entropyFromLogits,
  logprobFromLogits,
} from "../../../src/method/objective/entropy.ts";
import { klPenalty, type KlKind } from "../../../src/method/objective/kl.ts";
import { policyLoss } from "../../../src/method/objective/policyLoss.ts";
import { importanceRatios } from "../../../src/method/objective/ratio.ts";
import {
  tokenValueWeights,
  turnValueWeights,
  valueLoss,
} from "../../../src/method/objective/valueLoss.ts";
import type { Aggregation } from "../../../src/method/objective/aggregate.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { expectClose, formula, goldenCases, pack, type Matrix } from "../../golden/load.ts";
import { f64, layout, maskedLoss } from "./layout.ts";

/** Offsets of one trajectory with turns of the given lengths. */
function turnsOf(...lengths: number[]) {
  const turn = Int32Array.of(
    0,
    ...lengths.map((_, k) => lengths.slice(0, k + 1).reduce((a, b) => a + b)),
  );
  return { turn, trajectory: Int32Array.of(0, turn.at(-1)!) };
}

describe("ratios: golden G5", () => {
  const d = [
    [0.1, -0.05, 0.2],
    [-0.02, 0.04, 0.01, 0.01],
  ];
  const offsets = turnsOf(3, 4);
  const zero = new Float64Array(7);
  const ratios = (level: Parameters<typeof importanceRatios>[0]) =>
    importanceRatios(level, f64(d.flat()), zero, offsets);
  it("of every level", () => {
    expectClose(ratios("token").ratio, formula<Matrix>("G5_token_ratio").flat(), 1e-6);
    expectClose(ratios("turn-product").ratio, formula("G5_turn_product"), 1e-6);
    expectClose(ratios("turn-geomean").ratio, formula("G5_turn_geomean"), 1e-6);
    expectClose(ratios("sequence-geomean").ratio, [formula("G5_seq_geomean_GSPO")], 1e-6);
  });
  it("GSPO's is the N-th root of the product of the turns' products", () => {
    const product = ratios("turn-product").ratio.reduce((a, w) => a * w);
    expect(product).toBeCloseTo(formula("G5_seq_product"), 6);
    expect(Math.pow(product, 1 / 7)).toBeCloseTo(formula("G5_gspo_from_turn_products"), 6);
    expect(ratios("sequence-geomean").ratio[0]).toBeCloseTo(Math.pow(product, 1 / 7), 12);
  });
  it("derivatives per token", () => {
    const weights = formula<Record<string, number | number[]>>("G5_gradweight_unclipped_A1");
    expectClose(ratios("token").dRatio.subarray(0, 3), weights["token"] as number[], 1e-6);
    expectClose(
      [ratios("turn-product").dRatio[0]!],
      [weights["turn_product(each token)"] as number],
      1e-6,
    );
    expectClose(
      [ratios("turn-geomean").dRatio[0]!],
      [weights["turn_geomean(each token, /n)"] as number],
      1e-6,
    );
  });
  it("surrogates at A = 1 and A = -1, with GSPO's range for the sequence", () => {
    for (const A of [1, -1]) {
      const expected = formula<Record<string, number | number[]>>(`G5_surrogate_A${A}.0`);
      const surrogate = (w: Float64Array, epsLow = 0.2, epsHigh = 0.2) => {
        const rule = { epsLow, epsHigh, dualClip: null };
        return clippedSurrogate(
          w,
          w.map(() => A),
          rule,
        ).loss.map((l) => -l);
      };
      expectClose(
        surrogate(ratios("token").ratio.slice(0, 3)),
        expected["token"] as number[],
        1e-6,
      );
      expect(surrogate(ratios("turn-product").ratio)[0]).toBeCloseTo(
        expected["turn_product"] as number,
        6,
      );
      expect(surrogate(ratios("turn-geomean").ratio)[0]).toBeCloseTo(
        expected["turn_geomean"] as number,
        6,
      );
      const sequence = surrogate(ratios("sequence-geomean").ratio, 3e-4, 4e-4);
      expect(sequence[0]).toBeCloseTo(expected["seq"] as number, 6);
    }
  });
  it("dual clip and clip-higher", () => {
    const dual = clippedSurrogate(f64([5]), f64([-1]), { epsLow: 0.2, epsHigh: 0.2, dualClip: 3 });
    expect(-dual.loss[0]!).toBe(formula("G5_dualclip A=-1 rho=5 c=3"));
    expect([dual.clipped[0], dual.clippedLower[0], dual.dRatio[0]]).toEqual([0, 1, 0]);
    const higher = formula<Record<string, number>>("G5_cliphigher rho=1.25 A=1");
    for (const epsHigh of [0.2, 0.28]) {
      const { loss } = clippedSurrogate(f64([1.25]), f64([1]), {
        epsLow: 0.2,
        epsHigh,
        dualClip: null,
      });
      expect(-loss[0]!).toBeCloseTo(higher[`0.2/${epsHigh}`]!, 12);
    }
  });
  it("the product of small differences blows up with length", () => {
    for (const [n, w] of Object.entries(
      formula<Record<string, number>>("G5_product_blowup(|d|=0.01/token)"),
    )) {
      const x = new Float64Array(Number(n)).fill(0.01);
      const { ratio } = importanceRatios(
        "turn-product",
        x,
        x.map(() => 0),
        turnsOf(Number(n)),
      );
      expect(ratio[0]).toBeCloseTo(w, 5);
    }
  });
  it("log-ratios stop at 20, and their gradients with them", () => {
    const { logRatio, dRatio } = importanceRatios(
      "turn-product",
      f64([15, 15, 25, -1]),
      new Float64Array(4),
      turnsOf(2, 2),
    );
    expect([...logRatio]).toEqual([20, 19]);
    expect([...dRatio.subarray(0, 3)]).toEqual([0, 0, 0]);
    expect(dRatio[3]).toBeCloseTo(Math.exp(19), -3);
  });
});

describe("a token that has become all but impossible", () => {
  // verl's GSPO and GMPO take log-ratios of tokens as they are: its vanilla loss alone holds them within +-20.
  const logprob = f64([-50, 0, 0, 0, 0]);
  const policy = (clip: "range" | "log-geomean", A: number) =>
    policyLoss({
      ...{ logprob, oldLogprob: new Float64Array(5), adv: new Float64Array(5).fill(A) },
      offsets: { turn: Int32Array.of(0, 5), trajectory: Int32Array.of(0, 5) },
      weight: new Float64Array(5).fill(1 / 5),
      level: "sequence-geomean",
      clip: { ...resolveAlgorithm("grpo"), clip, epsLow: 0.4, epsHigh: 0.4 },
    });

  it("has its whole share in a geometric mean, whose ratio may so be very small", () => {
    for (const clip of ["range", "log-geomean"] as const) {
      const { loss, dLogprob } = policy(clip, 1);
      expect(loss / -Math.exp(-50 / 5), clip).toBeCloseTo(1, 6);
      dLogprob.forEach((g) => expect(g / (-Math.exp(-10) / 5), clip).toBeCloseTo(1, 6));
    }
  });

  it("is held before the mean where GMPO's clip holds it", () => {
    expect(policy("log-geomean", -1).loss).toBeCloseTo(Math.exp(-0.4 / 5), 7);
  });

  it("makes no ratio that overflows", () => {
    const { ratio } = importanceRatios(
      "sequence-geomean",
      f64([5000, 0, 0, 0, 0]),
      new Float64Array(5),
      { turn: Int32Array.of(0, 5), trajectory: Int32Array.of(0, 5) },
    );
    expect(ratio[0]! / Math.exp(20)).toBeCloseTo(1, 9);
  });
});

it("golden G24: the same range clips a turn of 100 tokens often, never, or by length, as the level says", () => {
  const [turns, n] = [4000, 100];
  const key = { seed: 24, stream: "G24", iteration: 0, trajectory: 0, step: 0 };
  const d = normals(key, turns * n).map((z) => 0.02 * z); // [turns n]
  const turn = Int32Array.from({ length: turns + 1 }, (_, k) => n * k);
  const clippedShare = (level: "token" | "turn-product" | "turn-geomean", eps: number) => {
    const offsets = { turn, trajectory: turn };
    const { ratio } = importanceRatios(level, d, new Float64Array(d.length), offsets);
    const range = { epsLow: eps, epsHigh: eps, dualClip: null };
    return mean(clippedSurrogate(ratio, new Float64Array(ratio.length).fill(1), range).clipped);
  };
  const expected = formula<Record<string, number>>("G24_upper_clip_prob");
  expect(clippedShare("token", 0.2)).toBe(expected["token"]);
  expect(clippedShare("turn-geomean", 0.2)).toBe(expected["turn_geomean"]);
  // Within three standard errors of a share of 4000.
  const near = (share: number, p: number) =>
    expect(Math.abs(share - p)).toBeLessThan(3 * Math.sqrt((p * (1 - p)) / turns));
  near(clippedShare("turn-product", 0.2), expected["turn_product"]!);
  near(clippedShare("turn-geomean", 4e-4), expected["geomean eps4e-4"]!);
});

it("golden G12: a turn's factor widens or narrows its range", () => {
  const factor = f64(formula<number[]>("G12_clip_scale"));
  const range = { epsLow: 0.2, epsHigh: 0.2, dualClip: null };
  const bound = (w: number, A: number) => {
    const ratio = new Float64Array(4).fill(w);
    const { loss } = clippedSurrogate(ratio, new Float64Array(4).fill(A), range, factor);
    return loss.map((l) => -l / A);
  };
  const expected = [...formula<Matrix>("G12_eff_clip(0.2)"), [0.8, 1.2]];
  expectClose(
    bound(0.1, -1),
    expected.map(([low]) => low!),
    1e-6,
  );
  expectClose(
    bound(9, 1),
    expected.map(([, high]) => high!),
    1e-6,
  );
});

it("shares of a clip: by side of the range, and of the gradient", () => {
  const w = [1.5, 1.1, 0.6, 0.5];
  const mask = [[1, 1, 1, 1]];
  const logprob = [w.map(Math.log)];
  const columns = { mask, logprob, oldLogprob: [[0, 0, 0, 0]], adv: [[1, 1, -1, -1]] };
  const { shares } = maskedLoss(columns, { level: "token", aggregation: "token-mean" });
  const { cut, ...counts } = shares;
  expect(counts).toEqual({ clipped: 0.75, clippedLower: 0, low: 0.5, high: 0.25 });
  expect(cut).toBeCloseTo((1.5 + 0.6 + 0.5) / (1.5 + 1.1 + 0.6 + 0.5), 12);
});

describe("aggregation", () => {
  const G6: [Aggregation, string][] = [
    ["token-mean", "G6_token_mean"],
    ["seq-mean-token-mean", "G6_seq_mean_token_mean"],
    ["seq-mean-token-sum", "G6_seq_mean_token_sum"],
    ["seq-mean-token-sum-norm", "G6_seq_mean_token_sum_norm(L=8)"],
    ["turn-mean", "G6_turn_mean_global"],
    ["traj-turn-mean", "G6_traj_mean_of_turn_mean"],
    ["turnsum-over-tokens", "G6_turnPPO_table1_sum_turns_over_tokens"],
  ];
  it.each(G6)("golden G6: %s", (mode, name) => {
    const offsets = { turn: Int32Array.of(0, 1, 2, 4, 5, 6), trajectory: Int32Array.of(0, 2, 6) };
    const totals = countTotals(offsets, 8);
    const weight = tokenWeights(mode, offsets, Int32Array.of(0, 2, 5), totals);
    expect(weightedSum(weight, f64([1, 4, 2, 2, 4, 6]))).toBeCloseTo(formula(name), 6);
  });

  interface AggInputs {
    loss_mat: Matrix;
    loss_mask: Matrix;
    loss_agg_mode: Aggregation;
    loss_scale_factor?: number;
    dp_size?: number;
    batch_num_tokens?: number;
    global_batch_size?: number;
  }
  interface AggOutputs {
    loss: number;
    grad_wrt_loss_mat?: Matrix;
  }
  it.each(goldenCases<AggInputs, AggOutputs>("verl_agg_loss"))(
    "verl_agg_loss $name",
    ({ inputs, outputs }) => {
      const { loss_mat, loss_mask, loss_agg_mode, dp_size = 1 } = inputs;
      const { offsets, turnStart } = layout(loss_mask);
      const totals = countTotals(offsets, inputs.loss_scale_factor ?? loss_mask[0]!.length);
      totals.tokens = inputs.batch_num_tokens ?? totals.tokens;
      totals.trajectories = inputs.global_batch_size ?? totals.trajectories;
      const weight = tokenWeights(loss_agg_mode, offsets, turnStart, totals);
      // verl multiplies by the number of data-parallel ranks, whose gradients are averaged later.
      expectClose([dp_size * weightedSum(weight, f64(pack(loss_mat, loss_mask)))], [outputs.loss]);
      if (outputs.grad_wrt_loss_mat)
        expectClose(weight, pack(outputs.grad_wrt_loss_mat, loss_mask));
    },
  );

  it("the horizon defaults to the longest trajectory", () => {
    const offsets = { turn: Int32Array.of(0, 1, 4), trajectory: Int32Array.of(0, 1, 4) };
    expect(countTotals(offsets)).toEqual({ trajectories: 2, turns: 2, tokens: 4, horizon: 3 });
  });
});

describe("KL estimators", () => {
  it("golden G8", () => {
    for (const [name, lp, ref] of [
      ["G8_kl logp-1.0 ref-1.2", -1, -1.2],
      ["G8_kl logp-ref=-0.5", -0.5, 0],
    ] as const) {
      for (const [kind, value] of Object.entries(formula<Record<string, number>>(name))) {
        expect(klPenalty(kind as KlKind, f64([lp]), f64([ref])).kl[0]).toBeCloseTo(value, 6);
      }
    }
  });
  interface KlInputs {
    logprob: Matrix | string;
    ref_logprob: Matrix | string;
    kl_penalty: string;
  }
  interface KlOutputs {
    kl: Matrix;
    grad_of_sum_wrt_logprob: Matrix;
  }
  const cases = goldenCases<KlInputs, KlOutputs>("verl_kl_penalty");
  const verlNames: Record<string, string> = { kl: "k1", mse: "k2", low_var_kl: "k3" };
  it.each(cases)("verl_kl_penalty $name", ({ name, inputs, outputs }) => {
    const first = cases.find((c) => c.name === `${name.split("_")[0]}_kl`)!.inputs;
    const kind = (verlNames[inputs.kl_penalty] ?? inputs.kl_penalty) as KlKind;
    const [lp, ref] = [first.logprob as Matrix, first.ref_logprob as Matrix];
    const { kl, dLogprob } = klPenalty(kind, f64(lp.flat()), f64(ref.flat()));
    expectClose(kl, outputs.kl.flat());
    expectClose(dLogprob, outputs.grad_of_sum_wrt_logprob.flat());
  });
  it("(p8) k3 is never negative", () => {
    const x = f64(Array.from({ length: 2001 }, (_, i) => (i - 1000) / 40));
    for (const v of klPenalty(
      "k3",
      x,
      x.map(() => 0),
    ).kl)
      expect(v).toBeGreaterThanOrEqual(0);
  });
});

describe("value loss", () => {
  it("golden G10", () => {
    const expected = formula<Record<string, number>>("G10_vloss");
    const one = { value: f64([0.9]), oldValue: f64([0.5]), ret: f64([1]), weight: f64([1]) };
    expect(valueLoss({ ...one, clip: null }).loss).toBeCloseTo(expected["unclipped"]! / 2, 6);
    const clipped = valueLoss({ ...one, clip: 0.2 });
    expect(clipped.loss).toBeCloseTo(expected["half_max"]!, 6);
    expect(clipped.clipped[0]).toBe(1);
    expect(Math.abs(clipped.dValue[0]!)).toBe(0);
  });
  it("golden G20: over turns", () => {
    const turnStart = Int32Array.of(0, 2);
    const totals = { trajectories: 1, turns: 2, tokens: 2, horizon: 2 };
    const common = {
      value: f64([0.5, 0.5]),
      oldValue: f64([0.2, 0.4]),
      ret: f64([0.35, 1]),
      clip: 0.2,
    };
    const { loss } = valueLoss({ ...common, weight: turnValueWeights(turnStart, totals) });
    expect(loss).toBeCloseTo(formula<{ half_mean: number }>("G20_turn_vloss").half_mean, 6);
  });
  it("tokens without a target do not count", () => {
    const offsets = { turn: Int32Array.of(0, 2, 5), trajectory: Int32Array.of(0, 5) };
    const totals = countTotals(offsets);
    const ret = f64([NaN, 1, NaN, NaN, -2]);
    const weight = tokenValueWeights(offsets, totals, ret);
    expect([...weight]).toEqual([0, 0.5, 0, 0, 0.5]);
    const value = f64([9, 3, 9, 9, 1]);
    const all = valueLoss({ value, oldValue: value, ret, weight, clip: 0.2 });
    expect(all.loss).toBe((0.5 * (2 * 2 + 3 * 3)) / 2);
    expect([...all.dValue]).toEqual([0, 1, 0, 0, 1.5]);
    // A micro-batch of a step with four targets.
    const part = tokenValueWeights(offsets, { ...totals, targets: 4 }, ret);
    expect([...part]).toEqual([0, 0.25, 0, 0, 0.25]);
    expect([...tokenValueWeights(offsets, totals, value)]).toEqual(Array(5).fill(0.2));
  });
  interface ValueInputs {
    vpreds: Matrix;
    returns: Matrix;
    values: Matrix;
    response_mask: Matrix;
    cliprange_value: number;
    loss_agg_mode: Aggregation;
  }
  interface ValueOutputs {
    vf_loss: number;
    vf_clipfrac: number;
    grad_wrt_vpreds: Matrix;
  }
  it.each(goldenCases<ValueInputs, ValueOutputs>("verl_value_loss"))(
    "verl_value_loss $name",
    ({ inputs, outputs }) => {
      const mask = inputs.response_mask;
      const { offsets, turnStart } = layout(mask);
      const result = valueLoss({
        value: f64(pack(inputs.vpreds, mask)),
        oldValue: f64(pack(inputs.values, mask)),
        ret: f64(pack(inputs.returns, mask)),
        weight: tokenWeights(inputs.loss_agg_mode, offsets, turnStart, countTotals(offsets)),
        clip: inputs.cliprange_value,
      });
      expectClose([result.loss], [outputs.vf_loss]);
      expectClose(result.dValue, pack(outputs.grad_wrt_vpreds, mask));
      expectClose(
        [result.clipped.reduce((a, b) => a + b, 0) / result.clipped.length],
        [outputs.vf_clipfrac],
      );
    },
  );
});

it("explained variance: golden G9", () => {
  const R = [1, 0, 0.5, 0.8];
  expect(explainedVariance(R, [0.7, 0.2, 0.4, 0.9])).toBeCloseTo(
    formula("G9_explained_var ddof1 eps1e-5"),
    6,
  );
  expect(explainedVariance(R, [2, 2, 2, 2])).toBeCloseTo(formula("G9_const_value"), 6);
});

describe("entropy", () => {
  it("golden G26", () => {
    const expected = formula<Record<string, number>>("G26_entropy");
    const logits = [0.5, 0.25, 0.25].map(Math.log);
    expect(entropyFromLogits(logits).entropy).toBeCloseTo(expected["H"]!, 6);
    expect(-logprobFromLogits(logits, 0)).toBeCloseTo(expected["sample -logp(first)"]!, 6);
  });
  it("bears tokens of probability 0", () => {
    const { entropy, dLogits } = entropyFromLogits([0, -Infinity, 0]);
    expect(entropy).toBeCloseTo(Math.LN2, 12);
    expectClose(dLogits, [0, 0, 0]);
  });
  interface LogitInputs {
    logits: number[][][];
    labels: Matrix;
    response_mask: Matrix;
  }
  interface LogitOutputs {
    logprobs: Matrix;
    entropy: Matrix;
    entropy_loss_token_mean: number;
    grad_entropy_loss_wrt_logits: number[][][];
  }
  it.each(goldenCases<LogitInputs, LogitOutputs>("verl_logprob_entropy"))(
    "verl_logprob_entropy $name",
    ({ inputs, outputs }) => {
      const { logits, labels, response_mask } = inputs;
      const rows = logits.flat();
      expectClose(
        rows.map((z, i) => logprobFromLogits(z, labels.flat()[i]!)),
        outputs.logprobs.flat(),
      );
      expectClose(
        rows.map((z) => entropyFromLogits(z).entropy),
        outputs.entropy.flat(),
      );
      const inside = logits.flatMap((row, b) => row.filter((_, t) => response_mask[b]![t] === 1)); // [N][V]
      const each = inside.map(entropyFromLogits);
      const weight = new Float64Array(inside.length).fill(1 / inside.length);
      const bonus = entropyBonus(f64(each.map((e) => e.entropy)), weight, -1);
      expectClose([bonus.loss], [outputs.entropy_loss_token_mean]);
      const expected = outputs.grad_entropy_loss_wrt_logits.flatMap((row, b) =>
        row.filter((_, t) => response_mask[b]![t] === 1),
      );
      each.forEach((e, i) =>
        expectClose(
          e.dLogits.map((g) => g * bonus.dEntropy[i]!),
          expected[i]!,
        ),
      );
    },
  );
});
