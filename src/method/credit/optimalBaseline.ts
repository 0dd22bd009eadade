/**
 * The optimal token baseline (OTB): each return is compared with the group's returns at the same
 * position. A rollout's return weighs by the gradient energy it has spent up to there, which makes
 * the gradient's variance least.
 *
 *   e_t = 1 - 2 pi(y_t) + sum over the vocabulary of pi^2,  E_t = e_1 + .. + e_t
 *   B_t = sum E_t G_t / (sum E_t + 1e-8) over the group's rollouts that have a t-th token
 *
 * t counts trainable tokens of the whole rollout. B_t is 0 where only one rollout is that long.
 * Source: arXiv 2602.07078; verl/trainer/ppo/core_algos.py, compute_multi_turn_optimal_token_baseline_advantage.
 */
import { exp } from "../../numeric/deterministic.ts";
import { f, open, type TexLines } from "../formula/tex.ts";
import { offsetsOf } from "../objective/ratio.ts";
import { requireColumn } from "../requireColumn.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { groups } from "./groups.ts";
import type { Trace } from "./trace.ts";

export const optimalBaselineLines: TexLines = [
  f`${"token.energy"} &= 1 - 2·\exp(${"token.oldLogprob"}) + ${"token.sumPiSquared"}`,
  open`${"token.spentEnergy"} &= \sum_{u\le t} e_u`,
  open`${"token.baseline"} &= \frac{\sum_{j\in g} E_{j,t}\,G_{j,t}}{\sum_{j\in g} E_{j,t}},\ N_j \ge t`,
];

/** B_t of each token, and what it is made of. returns [N] */
export function optimalBaseline(
  name: string,
  batch: TrajectoryBatch,
  returns: Float64Array,
): { baseline: Float64Array; trace: Trace } {
  const { trajectory } = offsetsOf(batch); // [B+1]
  const energy = energies(name, batch); // [N]
  const spent = runningSums(energy, trajectory); // [N]
  const baseline = new Float64Array(returns.length); // [N]
  for (const members of groups(batch.task)) {
    for (let t = 0; ; t++) {
      const at = members
        .map((b) => trajectory[b]! + t)
        .filter((n, i) => n < trajectory[members[i]! + 1]!);
      if (at.length < 2) break;
      const total = at.reduce((sum, n) => sum + spent[n]!, 0);
      const weighted = at.reduce((sum, n) => sum + spent[n]! * returns[n]!, 0);
      for (const n of at) baseline[n] = weighted / (total + 1e-8);
    }
  }
  const trace = { "token.energy": energy, "token.spentEnergy": spent, "token.baseline": baseline };
  return { baseline, trace };
}

/** e_t: the squared length of d log pi(y_t) / d logits. [N] */
function energies(name: string, batch: TrajectoryBatch): Float64Array {
  const old = requireColumn(batch, "oldLogprob", name); // [N]
  const squared = requireColumn(batch, "sumPiSquared", name); // [N]
  return old.map((logprob, t) => 1 - 2 * exp(logprob) + squared[t]!);
}

/** Sums from each segment's start. x [N], start [B+1] -> [N] */
function runningSums(x: Float64Array, start: Int32Array): Float64Array {
  const sums = x.slice(); // [N]
  for (let b = 0; b + 1 < start.length; b++)
    for (let n = start[b]! + 1; n < start[b + 1]!; n++) sums[n]! += sums[n - 1]!;
  return sums;
}
