/** What the pages say against what is computed: weights of tokens, and which settings of the objective matter. */
import { describe, expect, it } from "vitest";
import { computeCredit, computeObjective } from "../../src/algorithm/registry.ts";
import { offsetsOf } from "../../src/method/objective/ratio.ts";
import {
  type Aggregation,
  countTotals,
  tokenWeights,
} from "../../src/method/objective/aggregate.ts";
import { usedSettings } from "../../src/spec/algorithmDocs/settingUse.ts";
import { algorithmNames, resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { wordAxes } from "../../src/method/axes.ts";
import { randomBatch } from "../algorithm/batches.ts";

interface Counts {
  B: number;
  K: number;
  N: number;
  horizon: number;
  /** Tokens of the turn, tokens and turns of the trajectory. */
  n_k: number;
  N_b: number;
  K_b: number;
}

/** What a token's loss is divided by, written out for each aggregation. */
const DIVISORS: Record<Aggregation, (counts: Counts) => number> = {
  "token-mean": ({ N }) => N,
  "token-sum": () => 1,
  "seq-mean-token-mean": ({ B, N_b }) => B * N_b,
  "seq-mean-token-sum": ({ B }) => B,
  "seq-mean-token-sum-norm": ({ B, horizon }) => B * horizon,
  "turn-mean": ({ K, n_k }) => K * n_k,
  "traj-turn-mean": ({ B, K_b, n_k }) => B * K_b * n_k,
  "turnsum-over-tokens": ({ B, N_b, n_k }) => B * N_b * n_k,
};

describe.each(Object.entries(DIVISORS))("the weights of %s", (mode, divisorOf) => {
  it("are, for each token, one over its divisor", () => {
    for (const horizon of [null, 7]) {
      const batch = randomBatch(3, { trajectories: 5, turns: 4, tokens: 5 });
      const offsets = offsetsOf(batch);
      const totals = countTotals(offsets, horizon);
      const { trajectories: B, turns: K, tokens: N } = totals;
      const weight = tokenWeights(mode as Aggregation, offsets, batch.turnStart, totals); // [N]
      for (let b = 0; b < batch.task.length; b++) {
        const N_b = offsets.trajectory[b + 1]! - offsets.trajectory[b]!;
        const K_b = batch.turnStart[b + 1]! - batch.turnStart[b]!;
        for (let h = batch.turnStart[b]!; h < batch.turnStart[b + 1]!; h++) {
          const [from, to] = [offsets.turn[h]!, offsets.turn[h + 1]!];
          const counts = { B, K, N, horizon: totals.horizon, n_k: to - from, N_b, K_b };
          const wanted = 1 / divisorOf(counts);
          expect([...weight.subarray(from, to)]).toEqual(Array(to - from).fill(wanted));
        }
      }
    }
  });
});

/** Settings of the objective, each with values that show whether it acts. */
const OBJECTIVE: Record<string, (number | string)[]> = {
  ratio: Object.keys(wordAxes.ratio.values),
  clip: Object.keys(wordAxes.clip.values),
  aggregation: Object.keys(wordAxes.aggregation.values),
  epsLow: [0.01, 10],
  epsHigh: [0.01, 10],
  dualClip: [1.01, 1e6],
  tauPos: [0.1],
  tauNeg: [0.1],
  covShare: [0.5],
  covLow: [-100],
  covHigh: [0.1],
  covPull: [0.1],
  horizon: [3],
  valueClip: [0.01],
  betaKl: [0.5],
  betaOld: [0.5],
};

/** A share that picks more than one unit of so small a batch, and limits that leave candidates. */
const PICKING: Record<string, object> = { "clip-cov": { covShare: 0.2, covLow: 0.01 } };

/** Loss and gradients at random points that are far from the old policy. */
function outcome(name: string, set: Record<string, unknown>): string {
  // Pass@k pushes nothing down, where lower limits act, unless it is whitened.
  const whitened = resolveAlgorithm(name).baseline === "second-best" ? { whiten: "turns" } : {};
  const config = resolveAlgorithm(name, { filter: "none", ...PICKING[name], ...whitened, ...set });
  return [1, 2, 3]
    .map((seed) => {
      const batch = randomBatch(seed, { spread: 1 });
      const { loss, dLogprob, valueLoss, dValue } = computeObjective(
        config,
        batch,
        computeCredit(config, batch),
      );
      return JSON.stringify([loss, [...dLogprob], valueLoss, dValue && [...dValue]]);
    })
    .join();
}

describe.each(algorithmNames)("the settings of %s's objective", (name) => {
  it.each(Object.keys(OBJECTIVE))("%s acts if it is said to be in use", (setting) => {
    const used: string[] = usedSettings(resolveAlgorithm(name));
    const plain = outcome(name, {});
    const moved = OBJECTIVE[setting]!.some(
      (value) => outcome(name, { [setting]: value }) !== plain,
    );
    expect(moved).toBe(used.includes(setting));
  });
});
