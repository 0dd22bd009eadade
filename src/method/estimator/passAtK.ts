/**
 * Pass@k training, analytic: a rollout is credited with how much it changes the chance that one of k
 * tries succeeds, over all ways to draw k of its task's N rollouts, of which c succeeded.
 *
 *   rho = 1 - C(N - c, k) / C(N, k),  sigma = sqrt(rho (1 - rho))
 *   A_b = (1 - rho) / (sigma + 1e-6)                                            if b succeeded
 *   A_b = (1 - rho - C(N - c - 1, k - 1) / C(N - 1, k - 1)) / (sigma + 1e-6)    else
 *
 * A draw of the whole group would teach nothing: k is at most N - 1. k = 1 is GRPO on successes.
 * Source: arXiv 2508.10751; RUCAIBox/Passk_Training code/passk_adv.py.
 */
import { broadcast } from "../../numeric/segments.ts";
import { criticFree, type Estimate } from "../credit/estimate.ts";
import { fromTurns } from "../credit/givenAdvantage.ts";
import { groups } from "../credit/groups.ts";
import { outputOf } from "../formula/parts.ts";
import { f, open } from "../formula/tex.ts";
import { requireOfTrajectories } from "../requireColumn.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { returns, type EstimatorConfig, type EstimatorFacts } from "./estimator.ts";

export const passAtK: EstimatorFacts = {
  ...returns,
  about: "how much a rollout's success or failure changes the chance that one of k tries succeeds",
  lesson: "passAtK",
  level: "trajectory",
  discount: null,
  divisor: "always",
  ignoresRewards: true,
  settings: ["passK"],
  formula: (choices) => [
    open`${"group.passAtK"} &= 1 - \binom{${"group.size"}-${"group.solved"}}{${"settings.passK"}}\Big/\binom{${"group.size"}}{${"settings.passK"}}\ \text{: draws with a success}`,
    open`${"trajectory.passChange"} &= 1 - ${"group.passAtK"} - \begin{cases}0 & b \text{ succeeded}\\ \binom{${"group.size"}-${"group.solved"}-1}{${"settings.passK"}-1}\big/\binom{${"group.size"}-1}{${"settings.passK"}-1} & \text{else}\end{cases}`,
    f`${outputOf(choices, "trajectory")} &= \frac{${"trajectory.passChange"}}{\sqrt{${"group.passAtK"}·(1-${"group.passAtK"})} + 10^{-6}}`,
  ],
  estimate,
};

/** A_b on every turn and token of trajectory b */
function estimate({ name, passK }: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const success = requireOfTrajectories(batch, "success", name); // [B]
  const adv = new Float64Array(success.length); // [B]
  const passes = new Float64Array(success.length); // [B]
  const change = new Float64Array(success.length); // [B]
  for (const members of groups(batch.task)) {
    const N = members.length;
    const k = Math.max(1, Math.min(Math.floor(passK), N - 1));
    const failed = members.reduce((sum, b) => sum + 1 - success[b]!, 0);
    const rho = 1 - drawnAll(failed, N, k);
    const divisor = Math.sqrt(rho * (1 - rho)) + 1e-6;
    const lost = 1 - rho - drawnAll(failed - 1, N - 1, k - 1);
    for (const b of members) {
      passes[b] = rho;
      change[b] = success[b] === 1 ? 1 - rho : lost;
      adv[b] = change[b] / divisor;
    }
  }
  const trace = { "group.passAtK": passes, "trajectory.passChange": change };
  return criticFree(fromTurns(broadcast(adv, batch.turnStart), batch), trace);
}

/** C(some, k) / C(all, k): the chance that k drawn of `all` are all of `some`; 0 if there are fewer. */
function drawnAll(some: number, all: number, k: number): number {
  let chance = 1;
  for (let i = 0; i < k; i++) chance *= Math.max(0, some - i) / (all - i);
  return chance;
}
