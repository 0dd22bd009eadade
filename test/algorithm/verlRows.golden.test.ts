/** Rows whose policy loss is one of verl's: loss, gradient and every metric, as the row is defined. */
import { describe, it } from "vitest";
import { computeCredit, computeObjective } from "../../src/algorithm/registry.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { expectClose, goldenCases, maskedBatch, pack, type Matrix } from "../golden/load.ts";

interface Inputs {
  old_log_prob?: Matrix;
  /** REINFORCE's divergence is told against the sampler. */
  rollout_log_prob?: Matrix;
  log_prob: Matrix;
  advantages: Matrix;
  response_mask: Matrix;
  loss_agg_mode: string;
  config?: { clip_ratio_low: number; clip_ratio_high: number };
  rollout_is_weights?: Matrix | null;
}
interface Outputs {
  loss: number;
  metrics: Record<string, number>;
  grad_wrt_log_prob: Matrix;
}

/** A row keeps its own aggregation where verl ignores the case's. */
const rows: [file: string, name: string, ownAggregation: boolean][] = [
  ["verl_policy_gspo", "gspo", true],
  ["verl_policy_geo_mean", "gmpo", true],
  ["verl_policy_cispo", "cispo", false],
  ["verl_policy_reinforce", "reinforce", false],
];

describe.each(rows)("%s is %s", (file, name, ownAggregation) => {
  // Importance weights against the sampler belong to the objective's own test; no axis names them.
  const cases = goldenCases<Inputs, Outputs>(file).filter((c) => !c.inputs.rollout_is_weights);
  it.each(cases)("$name", ({ inputs, outputs }) => {
    const { response_mask: mask, config: range } = inputs;
    const batch = maskedBatch(mask, {
      logprob: inputs.log_prob,
      oldLogprob: (inputs.old_log_prob ?? inputs.rollout_log_prob)!,
      advantage: inputs.advantages,
    });
    const config = resolveAlgorithm(name, {
      ...(range && { epsLow: range.clip_ratio_low, epsHigh: range.clip_ratio_high }),
      ...(ownAggregation ? {} : { aggregation: inputs.loss_agg_mode }),
    });
    const result = computeObjective(config, batch, computeCredit(config, batch));
    expectClose([result.loss], [outputs.loss]);
    expectClose(result.dLogprob, pack(outputs.grad_wrt_log_prob, mask));
    for (const [metric, value] of Object.entries(outputs.metrics)) {
      expectClose([result.metrics[metric]!], [value]);
    }
  });
});
