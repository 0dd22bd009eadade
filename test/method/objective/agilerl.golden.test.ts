/** AgileRL's turn-level PPO: its four policy losses, their gradients and clip fractions. */
import { describe, expect, it } from "vitest";
import type { Aggregation } from "../../../src/method/objective/aggregate.ts";
import type { RatioName } from "../../../src/method/objective/ratio.ts";
import { expectClose, goldenCases, pack, type Matrix } from "../../golden/load.ts";
import { maskedLoss } from "./layout.ts";

interface Inputs {
  turn_ids: Matrix;
  old_log_prob: Matrix;
  log_prob: Matrix;
  clip_coef: number;
}
interface Loss {
  loss: number;
  clipfrac: number;
  grad_wrt_log_prob: Matrix;
}
type Outputs = { token_advantages: Matrix } & Record<string, Loss>;

/** AgileRL averages over units: tokens, turns or trajectories. */
const losses: [string, RatioName, Aggregation][] = [
  ["pg_token", "token", "token-mean"],
  ["pg_turn_sum", "turn-product", "turn-mean"],
  ["pg_turn_mean", "turn-geomean", "turn-mean"],
  ["pg_trajectory", "sequence-geomean", "seq-mean-token-mean"],
];

describe.each(goldenCases<Inputs, Outputs>("agilerl_turn_ppo"))(
  "agilerl_turn_ppo $name",
  ({ inputs, outputs }) => {
    const { turn_ids, clip_coef: eps } = inputs;
    const mask = turn_ids.map((row) => row.map((id) => (id >= 0 ? 1 : 0)));
    it.each(losses)("%s", (name, level, aggregation) => {
      const expected = outputs[name]!;
      const result = maskedLoss(
        {
          mask,
          logprob: inputs.log_prob,
          oldLogprob: inputs.old_log_prob,
          adv: outputs.token_advantages,
        },
        { level, aggregation, epsLow: eps, epsHigh: eps },
      );
      expectClose([result.loss], [expected.loss]);
      expectClose(result.dLogprob, pack(expected.grad_wrt_log_prob, mask));
      // Its fraction is of units outside of the range on either side, whatever their advantage.
      const outside = result.ratio.filter((w) => Math.abs(w - 1) > eps).length;
      expect(outside / result.ratio.length).toBeCloseTo(expected.clipfrac, 6); // float32
    });
  },
);
