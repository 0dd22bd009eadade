/** verl's policy losses: loss, gradient and clip fractions of every case. */
import { describe, expect, it } from "vitest";
import type { Aggregation } from "../../../src/method/objective/aggregate.ts";
import { expectClose, goldenCases, pack, type Matrix } from "../../golden/load.ts";
import { covDropLoss } from "../../../src/method/clip/covariance.ts";
import { maskedLoss, policyInput, type Rule } from "./layout.ts";

interface Inputs {
  old_log_prob?: Matrix;
  log_prob: Matrix;
  advantages: Matrix;
  response_mask: Matrix;
  loss_agg_mode: Aggregation;
  config: { clip_ratio_low: number; clip_ratio_high: number; clip_ratio_c?: number };
  rollout_is_weights?: Matrix | null;
}
interface Outputs {
  loss: number;
  metrics: Record<string, number>;
  grad_wrt_log_prob: Matrix;
}

function run({ response_mask: mask, ...inputs }: Inputs, rule: Rule, scale?: Matrix | null) {
  const columns = { mask, logprob: inputs.log_prob, adv: inputs.advantages, scale };
  return inputs.old_log_prob
    ? maskedLoss({ ...columns, oldLogprob: inputs.old_log_prob }, rule)
    : maskedLoss(columns, rule);
}

const range = ({ config }: Inputs) => ({
  epsLow: config.clip_ratio_low,
  epsHigh: config.clip_ratio_high,
});

/** verl weighs a sequence of GMPO with the geometric mean of its tokens' weights. */
function sequenceWeights(weights: Matrix | null | undefined, mask: Matrix): Matrix | null {
  if (!weights) return null;
  return weights.map((row, b) => {
    const logs = pack([row], [mask[b]!]).map((w) => Math.log(w + 1e-10));
    const total = logs.reduce((a, x) => a + x, 0);
    return row.map(() => Math.exp(total / (logs.length + 1e-8)));
  });
}

function expectOutputs(
  result: ReturnType<typeof maskedLoss>,
  { outputs, inputs }: { outputs: Outputs; inputs: Inputs },
  tolerance = 1e-9,
): void {
  expectClose([result.loss], [outputs.loss], tolerance);
  expectClose(result.dLogprob, pack(outputs.grad_wrt_log_prob, inputs.response_mask), tolerance);
  const { shares } = result;
  const told = {
    "actor/pg_clipfrac": shares.clipped,
    "actor/pg_clipfrac_lower": shares.clippedLower,
  };
  for (const [name, share] of Object.entries(told)) {
    if (name in outputs.metrics) expectClose([share], [outputs.metrics[name]!]);
  }
}

describe("verl_policy_vanilla", () => {
  it.each(goldenCases<Inputs, Outputs>("verl_policy_vanilla"))("$name", (golden) => {
    const { inputs } = golden;
    const aggregation = inputs.loss_agg_mode;
    const dualClip = inputs.config.clip_ratio_c!;
    const rule: Rule = { level: "token", aggregation, ...range(inputs), dualClip };
    expectOutputs(run(inputs, rule, inputs.rollout_is_weights), golden);
  });
});

describe("verl_policy_gspo", () => {
  it.each(goldenCases<Inputs, Outputs>("verl_policy_gspo"))("$name", (golden) => {
    const aggregation = "seq-mean-token-mean"; // whatever the case's mode
    const rule: Rule = { level: "sequence-geomean", aggregation, ...range(golden.inputs) };
    expectOutputs(run(golden.inputs, rule), golden);
  });
});

describe("verl_policy_geo_mean", () => {
  it.each(goldenCases<Inputs, Outputs>("verl_policy_geo_mean"))("$name", (golden) => {
    const { inputs } = golden;
    const level = "sequence-geomean";
    const aggregation = "seq-mean-token-mean"; // a plain mean over sequences
    const rule: Rule = { level, aggregation, clip: "log-geomean", ...range(inputs) };
    const scale = sequenceWeights(inputs.rollout_is_weights, inputs.response_mask);
    expectOutputs(run(inputs, rule, scale), golden, 1e-13); // verl's 1e-8 in both means shows
  });
});

describe("verl_policy_cispo", () => {
  it.each(goldenCases<Inputs, Outputs>("verl_policy_cispo"))("$name", (golden) => {
    const { inputs } = golden;
    const aggregation = inputs.loss_agg_mode;
    const rule: Rule = { level: "token", aggregation, clip: "weight", ...range(inputs) };
    expectOutputs(run(inputs, rule), golden);
  });
});

describe("verl_policy_clip_cov", () => {
  interface CovInputs extends Inputs {
    config: Inputs["config"] & {
      clip_cov_ratio: number;
      clip_cov_lb: number;
      clip_cov_ub: number;
    };
  }
  // The reference drops the first candidates in row order where the real code draws.
  const inOrder = (n: number) => Int32Array.from({ length: n }, (_, i) => i);
  const cases = goldenCases<CovInputs, Outputs & { dropped_mask: Matrix }>("verl_policy_clip_cov");
  it.each(cases)("$name", (golden) => {
    const { inputs, outputs } = golden;
    const { clip_cov_ratio, clip_cov_lb, clip_cov_ub } = inputs.config;
    const rule = {
      ...({ level: "token", aggregation: inputs.loss_agg_mode, clip: "cov-drop" } as const),
      ...{ ...range(inputs), covShare: clip_cov_ratio, covLow: clip_cov_lb, covHigh: clip_cov_ub },
    };
    const mask = inputs.response_mask;
    const columns = {
      ...{ mask, logprob: inputs.log_prob, oldLogprob: inputs.old_log_prob! },
      adv: inputs.advantages,
    };
    const result = covDropLoss(policyInput(columns, rule), inOrder);
    expectOutputs(result, golden);
    // The file's mask was read off zero gradients, so that PPO's clip is in it too.
    const dropped = pack(outputs.dropped_mask, mask);
    result.picked!.forEach((one, t) => expect(one === 1 && dropped[t] === 0).toBe(false));
    // Drawn: as many, all of them candidates of the same rule.
    const drawn = maskedLoss(columns, rule);
    const count = (x: Uint8Array) => x.reduce((sum, one) => sum + one, 0);
    expect(count(drawn.picked!)).toBe(count(result.picked!));
    expect(maskedLoss(columns, rule).picked).toEqual(drawn.picked);
  });
});

describe.each(["verl_policy_reinforce", "verl_policy_gpg"])("%s", (file) => {
  it.each(goldenCases<Inputs, Outputs>(file))("$name", (golden) => {
    const { inputs } = golden;
    const rule: Rule = { level: "none", aggregation: inputs.loss_agg_mode };
    const result = run(inputs, rule, inputs.rollout_is_weights);
    expectOutputs(result, golden);
    expect(result.shares).toEqual({ clipped: 0, clippedLower: 0, low: 0, high: 0, cut: 0 });
  });
});
