/**
 * Every row and every combination of axes: the gradient is the derivative of the loss, at points where
 * some units are clipped and none is at a kink.
 */
import { describe, expect, it } from "vitest";
import type { Credit } from "../../src/method/estimator/estimator.ts";
import { computeCredit, computeObjective } from "../../src/algorithm/registry.ts";
import { offsetsOf } from "../../src/method/objective/ratio.ts";
import { broadcast } from "../../src/numeric/segments.ts";
import { importanceRatios } from "../../src/method/objective/ratio.ts";
import type { TrajectoryBatch } from "../../src/method/trajectoryBatch.ts";
import {
  algorithmNames,
  resolveAlgorithm,
  type AlgorithmConfig,
} from "../../src/spec/algorithms.ts";
import { clips } from "../../src/method/clip/clips.ts";
import type { ClipRule } from "../../src/method/clip/clipRule.ts";
import { wordAxes } from "../../src/method/axes.ts";
import { expectClose } from "../golden/load.ts";
import { some } from "../every.ts";
import { randomBatch } from "./batches.ts";

type Column = "logprob" | "turnNewValue" | "tokenNewValue";
type Loss = (batch: TrajectoryBatch) => number;

/** Central differences of a loss with respect to one column. */
function slopes(batch: TrajectoryBatch, column: Column, loss: Loss): Float64Array {
  const h = 1e-6;
  return batch[column]!.map((_, i) => {
    const [up, down] = [h, -h].map((step) => {
      const moved = batch[column]!.slice();
      moved[i]! += step;
      return loss({ ...batch, [column]: moved });
    });
    return (up! - down!) / (2 * h);
  });
}

function expectSlopes(gradient: Float64Array, numeric: Float64Array): void {
  expect(gradient.length).toBe(numeric.length);
  gradient.forEach((g, i) => expect(Math.abs(g - numeric[i]!), `[${i}]`).toBeLessThan(1e-6));
}

/**
 * What the gradient is the derivative of. The weights of CISPO and DPPO are constants: their loss at other log-probs is
 * REINFORCE's with the weights of this point.
 */
function lossOf(config: AlgorithmConfig, batch: TrajectoryBatch, credit: Credit): Loss {
  const { ratio: level } = config;
  const rule: ClipRule = clips[config.clip];
  if (!rule.weighsTokens || level === "none")
    return (b) => computeObjective(config, b, credit).loss;
  const ratios = importanceRatios(level, batch.logprob!, batch.oldLogprob!, offsetsOf(batch));
  const weight = broadcast(ratios.ratio, ratios.unit); // [N]
  const tokenAdvantage = credit.tokenAdvantage.map((A, t) => {
    const [logprob, oldLogprob] = [batch.logprob![t]!, batch.oldLogprob![t]!];
    return rule.objective({ w: weight[t]!, A, scale: 1, logprob, oldLogprob }, config) / logprob;
  });
  const reinforce = { ...config, ratio: "none" } as const;
  return (b) => computeObjective(reinforce, b, { ...credit, tokenAdvantage }).loss;
}

/** What removes the effect of each rule. */
const OPEN = {
  ...{ epsLow: 1e6, epsHigh: 1e6, dualClip: null },
  ...{ tauPos: 1e-6, tauNeg: 1e-6 },
  // Nothing is picked.
  ...{ covLow: 1e6, covHigh: 1e6 },
};

/** Checks dL/dlogprob, and what was cut against the same objective with nothing clipped. */
function checkPolicy(config: AlgorithmConfig, batch: TrajectoryBatch): { cut: number } {
  const credit = computeCredit(config, batch);
  const { dLogprob, dLogprobCut, clipShares } = computeObjective(config, batch, credit);
  expectSlopes(dLogprob, slopes(batch, "logprob", lossOf(config, batch, credit)));
  expect(dLogprob.some((g) => g !== 0)).toBe(true);
  const open = { ...config, ...OPEN };
  const whole = computeObjective(open, batch, credit).dLogprob;
  expectClose(
    dLogprob.map((g, t) => g + dLogprobCut[t]!),
    whole,
    1e-12,
  );
  return clipShares;
}

describe("every row", () => {
  it.each(algorithmNames)("%s: log-probs", (name) => {
    const cut = [0, 1, 2, 3].map((seed) => {
      const spread = seed < 2 ? 0.15 : 0.6; // the wider, the more is clipped
      const batch = randomBatch(seed, { trajectories: 6, spread });
      const withKl = seed % 2 === 1 ? { betaKl: 0.3, betaOld: 0.4 } : {};
      return checkPolicy(resolveAlgorithm(name, withKl), batch).cut;
    });
    const { ratio, clip } = resolveAlgorithm(name);
    const neverClips = ratio === "none" || clip === "cov-pull";
    expect(Math.max(...cut) > 0).toBe(!neverClips);
  });

  const critics = algorithmNames.filter((name) => resolveAlgorithm(name).critic !== "none");
  it.each(critics)("%s: values", (name) => {
    for (const valueClip of ["none", 0.5]) {
      for (const valueAt of Object.keys(wordAxes.valueAt.values)) {
        const config = resolveAlgorithm(name, { valueClip, valueAt });
        const batch = randomBatch(4, { trajectories: 8 });
        const credit = computeCredit(config, batch);
        const column = config.critic === "turn" ? "turnNewValue" : "tokenNewValue";
        const loss: Loss = (b) => computeObjective(config, b, credit).valueLoss!;
        const { dValue } = computeObjective(config, batch, credit);
        expectSlopes(dValue!, slopes(batch, column, loss));
        expect(dValue!.some((g) => g !== 0)).toBe(true);
      }
    }
  });
});

/** Two ranges, the second one narrow enough to clip much. */
const ranges = [
  { epsLow: 0.2, epsHigh: 0.2, dualClip: "none", betaKl: 0 },
  { epsLow: 0.05, epsHigh: 0.1, dualClip: 1.2, betaKl: 0.3 },
];

const words = (axis: keyof typeof wordAxes) => Object.keys(wordAxes[axis].values);

/** Every pair of a clip rule and a ratio, of a ratio and an aggregation, and of a clip rule and an aggregation. */
const isTaken = (clip: string, ratio: string, aggregation: string) => {
  const [c, r, a] = [words("clip"), words("ratio"), words("aggregation")];
  const place = c.indexOf(clip) + r.indexOf(ratio) + a.indexOf(aggregation);
  return place % Math.min(r.length, a.length) === 0;
};

describe.each(words("clip"))("clip %s", (clip) => {
  describe.each(words("ratio"))("ratio %s", (ratio) => {
    const taken = some(words("aggregation"), (one) => isTaken(clip, ratio, one));
    it.each(taken)("aggregation %s", (aggregation) => {
      // Advantages that differ from token to token, and from turn to turn with a factor of the range.
      for (const name of ["token-ppo", "a2tgpo"]) {
        for (const [seed, range] of ranges.entries()) {
          const config = resolveAlgorithm(name, { clip, ratio, aggregation, ...range });
          checkPolicy(config, randomBatch(seed));
        }
      }
    });
  });
});
