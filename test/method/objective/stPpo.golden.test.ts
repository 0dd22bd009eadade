/**
 * The policy losses of the ST-PPO paper on a policy that is linear in its parameters, log pi = base +
 * x . theta, so that gradients of parameters are sums over tokens: the cut gradient C and the
 * corrected gradient under both readings of its denominator.
 */
import { describe, expect, it } from "vitest";
import { broadcast, segmentMean } from "../../../src/numeric/segments.ts";
import {
  clipBiasDenominator,
  divideTrajectories,
  norm,
  trajectoryClipFractions,
  trajectoryCut,
} from "../../../src/method/objective/clipBias.ts";
import type { PolicyLoss } from "../../../src/method/objective/policyTypes.ts";
import type { Settings } from "../../../src/method/axes.ts";
import type { RatioName } from "../../../src/method/objective/ratio.ts";
import { expectClose, formula, goldenCases, pack, type Matrix } from "../../golden/load.ts";
import { f64, layout, maskedLoss } from "./layout.ts";

interface Inputs {
  response_mask: Matrix;
  old_log_prob: Matrix;
  features_x: number[][][];
  clip_eps: number;
}
interface Expected {
  ratio: Matrix;
  clipped_tokens: Matrix;
  clipfrac: number;
  loss: number;
  grad_wrt_log_prob: Matrix;
  grad_theta: number[];
}
interface Corrected extends Expected {
  clipping_bias_C_theta: number[];
  norm_C: number;
  grad_theta_divided_by_norm_C: number[];
  grad_theta_divided_by_max_1_normC_over_kappa: Record<string, number[]>;
}
interface Outputs {
  token_advantages_raw_gae: Matrix;
  turn_advantages_mean_over_tokens: Matrix;
  log_prob: Matrix;
  token_ppo: Expected;
  turn_ppo_b: Expected;
  s_ppo: Corrected;
  st_ppo: Corrected;
}

const algorithms: [keyof Outputs & string, RatioName][] = [
  ["token_ppo", "token"],
  ["turn_ppo_b", "turn-geomean"],
  ["s_ppo", "token"],
  ["st_ppo", "turn-geomean"],
];

function run({ inputs, outputs }: { inputs: Inputs; outputs: Outputs }, level: RatioName) {
  const { clip_eps: eps, response_mask: mask } = inputs;
  const adv = outputs.token_advantages_raw_gae; // turns take the mean over their tokens
  const columns = { mask, logprob: outputs.log_prob, oldLogprob: inputs.old_log_prob, adv };
  const aggregation = "seq-mean-token-mean";
  return maskedLoss(columns, { level, aggregation, epsLow: eps, epsHigh: eps });
}

/** sum_t g_t x_t: the gradient of the parameters. */
function throughPolicy(gradient: Float64Array, { features_x, response_mask }: Inputs): number[] {
  const x = features_x.flatMap((row, b) => row.filter((_, t) => response_mask[b]![t] === 1)); // [N][5]
  return x[0]!.map((_, i) => gradient.reduce((sum, g, t) => sum + g * x[t]![i]!, 0));
}

const onTokens = (x: ArrayLike<number>, { unit }: PolicyLoss) => broadcast(f64(x), unit); // [N]

const golden = goldenCases<Inputs, Outputs>("own_st_ppo");

describe.each(golden)("own_st_ppo $name", (one) => {
  const { inputs, outputs } = one;
  const mask = inputs.response_mask;

  it("a turn's advantage is the mean over its tokens", () => {
    const { offsets } = layout(mask);
    const raw = f64(pack(outputs.token_advantages_raw_gae, mask)); // [N]
    const turns = outputs.turn_advantages_mean_over_tokens.flatMap((row, b) =>
      row.slice(0, mask[b]!.filter((m, t, all) => m === 1 && all[t - 1] !== 1).length),
    ); // [K]
    expectClose(segmentMean(raw, offsets.turn), turns);
  });

  it.each(algorithms)("%s: ratio, clip, loss and gradients", (name, level) => {
    const expected = outputs[name] as Expected;
    const result = run(one, level);
    expectClose(onTokens(result.ratio, result), pack(expected.ratio, mask));
    expectClose(onTokens(result.clipped, result), pack(expected.clipped_tokens, mask).map(Number));
    expectClose([result.shares.clipped], [expected.clipfrac]);
    expectClose([result.loss], [expected.loss]);
    expectClose(result.dLogprob, pack(expected.grad_wrt_log_prob, mask));
    expectClose(throughPolicy(result.dLogprob, inputs), expected.grad_theta);
  });

  it.each(algorithms.slice(2))("%s: the clipping bias and both denominators", (name, level) => {
    const expected = outputs[name] as Corrected;
    const result = run(one, level);
    const C = throughPolicy(result.dLogprobCut, inputs).map((g) => -g); // of the objective
    expectClose(C, expected.clipping_bias_C_theta);
    expectClose([norm(f64(C))], [expected.norm_C]);
    const { trajectory } = layout(mask).offsets;
    const corrected = (clipBias: Settings["clipBias"], clipBiasKappa: number) => {
      const by = clipBiasDenominator({ clipBias, clipBiasKappa }, norm(f64(C)), expected.clipfrac);
      const denominators = new Float64Array(trajectory.length - 1).fill(by);
      const scaled = divideTrajectories(result.dLogprob, trajectory, denominators);
      return throughPolicy(scaled, inputs);
    };
    expectClose(corrected("norm", 1), expected.grad_theta_divided_by_norm_C);
    for (const kappa of [1, 0.05]) {
      const wanted = expected.grad_theta_divided_by_max_1_normC_over_kappa[`kappa=${kappa}`]!;
      expectClose(corrected("max-one", kappa), wanted);
    }
  });
});

describe("readings of the denominator", () => {
  const at = (clipBias: Settings["clipBias"], C: number, share = 0.1) =>
    clipBiasDenominator({ clipBias, clipBiasKappa: 0.5 }, C, share);
  const pairs = {
    none: { 0: 1, 0.2: 1, 9: 1 },
    "max-one": { 0: 1, 0.2: 1, 1: 2 },
    norm: { 0: 1, 0.2: 0.2, 3: 3 },
    "norm-plus-one": { 0: 1, 0.2: 1.4, 1: 3 },
  };
  it.each(Object.entries(pairs))("%s", (reading, expected) => {
    for (const [C, denominator] of Object.entries(expected))
      expect(at(reading as Settings["clipBias"], Number(C))).toBe(denominator);
  });
  it("clipped-batches: only above 20 % of clipped tokens", () => {
    expect(at("clipped-batches", 1, 0.2)).toBe(1);
    expect(at("clipped-batches", 1, 0.21)).toBe(2);
  });
});

describe("per trajectory", () => {
  const one = golden[0]!;
  const result = run(one, "turn-geomean");
  const { offsets } = layout(one.inputs.response_mask);
  it("a trajectory's own cut is that of a batch of it alone", () => {
    const B = offsets.trajectory.length - 1;
    for (let b = 0; b < B; b++) {
      const only = <T>(x: T[]) => x.slice(b, b + 1);
      const { inputs, outputs } = one;
      const alone = maskedLoss(
        {
          mask: only(inputs.response_mask),
          logprob: only(outputs.log_prob),
          oldLogprob: only(inputs.old_log_prob),
          adv: only(outputs.token_advantages_raw_gae),
        },
        { level: "turn-geomean", aggregation: "seq-mean-token-mean" },
      );
      const own = trajectoryCut(result.dLogprobCut, offsets.trajectory, b);
      const [from, to] = [offsets.trajectory[b], offsets.trajectory[b + 1]];
      expectClose(own.subarray(from, to), alone.dLogprobCut, 1e-14);
      expectClose([norm(own)], [norm(alone.dLogprobCut)], 1e-14);
    }
  });
  it("clip fractions and divisions", () => {
    const flags = Uint8Array.of(1, 0, 0, 1, 1);
    const start = Int32Array.of(0, 2, 5);
    expectClose(trajectoryClipFractions(flags, start), [1 / 2, 2 / 3], 1e-15);
    const divided = divideTrajectories(f64([2, 4, 6, 8, 10]), start, f64([2, 4]));
    expect([...divided]).toEqual([1, 2, 1.5, 2, 2.5]);
  });
});

it("golden G15: the clipped set and its weights", () => {
  const w = [1.5, 1.1, 0.6, 0.7];
  const row = [1, 0, 1, 0, 1, 0, 1]; // a turn each
  const spread = (x: number[]) => row.map((m, t) => (m ? x[t / 2]! : 0));
  const result = maskedLoss(
    {
      mask: [row],
      logprob: [spread(w.map(Math.log))],
      oldLogprob: [row.map(() => 0)],
      adv: [spread([1, 1, -1, 1])],
    },
    { level: "token", aggregation: "token-sum" },
  );
  expect([...result.clipped].map(Boolean)).toEqual(formula("G15_clipped_set"));
  expect(result.shares.clipped).toBe(formula("G15_pg_clipfrac"));
  const { low, high } = result.shares;
  expect({ low, high }).toEqual(formula("G15_trl_low/high"));
  expectClose(
    result.dLogprobCut.map((g) => -g),
    formula<number[]>("G15_C_scalar_weights(w*A on clipped)"),
    1e-12,
  );
});
