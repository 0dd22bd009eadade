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
  /** The loss's numbers, under verl's names. */
  config?: Record<string, number>;
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
  ["verl_policy_sapo", "sapo", true],
  ["verl_policy_kl_cov", "kl-cov", false],
  ["verl_policy_dppo_tv", "dppo-tv", false],
  ["verl_policy_dppo_kl", "dppo-kl", false],
  ["verl_policy_dro", "dro", false],
];

/** What verl calls our numbers. */
const NAMES: Record<string, string> = {
  clip_ratio_low: "epsLow",
  clip_ratio_high: "epsHigh",
  clip_ratio_c: "dualClip",
  tau_pos: "tauPos",
  tau_neg: "tauNeg",
  dro_beta: "betaOld",
  kl_cov_ratio: "covShare",
  ppo_kl_coef: "covPull",
};

describe.each(rows)("%s is %s", (file, name, ownAggregation) => {
  // Importance weights against the sampler belong to the objective's own test; no axis names them.
  const cases = goldenCases<Inputs, Outputs>(file).filter((c) => !c.inputs.rollout_is_weights);
  it.each(cases)("$name", ({ inputs, outputs }) => {
    const { response_mask: mask, config: numbers = {} } = inputs;
    const batch = maskedBatch(mask, {
      logprob: inputs.log_prob,
      oldLogprob: (inputs.old_log_prob ?? inputs.rollout_log_prob)!,
      advantage: inputs.advantages,
    });
    const config = resolveAlgorithm(name, {
      ...Object.fromEntries(
        Object.entries(numbers).flatMap(([key, x]) => (key in NAMES ? [[NAMES[key], x]] : [])),
      ),
      ...(ownAggregation ? {} : { aggregation: inputs.loss_agg_mode }),
    });
    const result = computeObjective(config, batch, computeCredit(config, batch));
    expectClose([result.loss], [outputs.loss]);
    expectClose(result.dLogprob, pack(outputs.grad_wrt_log_prob, mask));
    for (const [metric, value] of Object.entries(outputs.metrics)) {
      // verl's kl_cov tells the mean of the absolute log-ratio under that name.
      if (name === "kl-cov" && metric === "actor/ppo_kl") continue;
      expectClose([result.metrics[metric]!], [value]);
    }
  });
});
