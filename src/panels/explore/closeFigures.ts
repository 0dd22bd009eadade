/** Figures on staying close: three estimates of KL, the best policy at a price for KL, and what k samples solve. */
import { klPenalty, type KlKind } from "../../method/objective/kl.ts";
import { entropyFromLogits } from "../../method/objective/entropy.ts";
import { exp, log, logSumExp, softmax } from "../../numeric/deterministic.ts";
import { formatBrief, formatPercent } from "../../numeric/format.ts";
import { categorical, uniforms } from "../../numeric/rng.ts";
import { mean } from "../../numeric/statistics.ts";
import { columnNames, handle, type Exploration } from "./exploration.ts";

const KINDS: readonly KlKind[] = ["k1", "k2", "k3"];

/** A reference, and the policy after one logit has moved: each estimate of KL on samples of the policy, and the truth. */
export const klFigure: Exploration = {
  title: "Three estimates of KL",
  needs: ["logits", "tokens"],
  handles: [
    handle("moved", "logit of the token moved by", [-2, 3, 0.25], 1),
    handle("chosen", "token", [1, 4, 1], 3),
    handle("samples", "samples", [4, 256, 4], 16),
    handle("draw", "draw", [1, 20, 1], 1),
  ],
  show({ moved = 0, chosen: place = 1, samples = 1, draw = 1 }, { logits = [], tokens = [] }) {
    const chosen = Math.min(place, tokens.length);
    const now = logits.map((z, i) => (i === chosen - 1 ? z + moved : z)); // [V]
    const logp = logProbs(now); // [V]
    const terms = KINDS.map((kind) => klPenalty(kind, logp, logProbs(logits))); // [3] of [V]
    const p = logp.map(exp); // [V]
    const under = (x: ArrayLike<number>) => p.reduce((sum, q, v) => sum + q * x[v]!, 0);
    const truth = under(terms[0]!.kl);
    const spreads = terms.map(({ kl }) => Math.sqrt(under(kl.map((x) => (x - under(kl)) ** 2))));
    const key = { seed: 3, stream: "explore-kl", iteration: draw, trajectory: 0, step: 0 };
    const drawn = Array.from(uniforms(key, samples), (u) => categorical(p, u)); // [n]
    const pushes = terms.map(({ dLogprob }) => slopeAt(chosen - 1, p, dLogprob));
    const exact = slopeAt(chosen - 1, p, terms[1]!.dLogprob);
    return {
      columns: [...KINDS, "true KL"],
      rows: [
        {
          name: "mean of the samples",
          kind: "amount",
          values: [...terms.map(({ kl }) => mean(drawn.map((v) => kl[v]!))), null],
        },
        {
          name: "mean over many samples",
          kind: "amount",
          values: [...terms.map(({ kl }) => under(kl)), truth],
        },
        {
          name: "spread of one sample",
          kind: "amount",
          values: [...spreads, null],
        },
        { name: "slope on the moved logit", kind: "credit", values: [...pushes, exact] },
      ],
      says: `${tokens[chosen - 1]} went from ${formatPercent(softmax(logits)[chosen - 1]!)} to ${formatPercent(p[chosen - 1]!)}; the true KL is ${formatBrief(truth)}. One sample of k1 spreads by ${formatBrief(spreads[0]!)}, of k3 by ${formatBrief(spreads[2]!)}.`,
    };
  },
};

/** [V] */
function logProbs(logits: readonly number[]): Float64Array {
  const lse = logSumExp(logits);
  return Float64Array.from(logits, (z) => z - lse);
}

/** Mean over the policy's tokens of a loss's slope on one logit: sum of p(v) dLogprob(v) (1[v = i] - p(i)). */
function slopeAt(i: number, p: Float64Array, dLogprob: Float64Array): number {
  return p.reduce((sum, q, v) => sum + q * dLogprob[v]! * ((v === i ? 1 : 0) - p[i]!), 0);
}

/** The policy that earns most when KL to a reference costs beta: reference times exp(reward / beta), normalised. */
export const tiltFigure: Exploration = {
  title: "A price for leaving",
  needs: ["chances", "rewards", "tokens"],
  handles: [handle("beta", "price β", [0.1, 5, 0.1], 1)],
  show({ beta = 1 }, { chances = [], rewards = [], tokens = [] }) {
    const logits = chances.map((p, i) => log(p) + rewards[i]! / beta); // [A]
    const best = softmax(logits); // [A]
    const under = (x: ArrayLike<number>) => best.reduce((sum, p, i) => sum + p * x[i]!, 0);
    const kl = under(best.map((p, i) => log(p / chances[i]!)));
    return {
      columns: tokens,
      rows: [
        { name: "reward", kind: "amount", values: rewards },
        { name: "reference", kind: "share", values: chances },
        { name: "best policy", kind: "share", values: Array.from(best) },
      ],
      says: `At β = ${formatBrief(beta)} the best policy earns ${formatBrief(under(rewards))}. Its KL is ${formatBrief(kl)}, its entropy ${formatBrief(entropyFromLogits(logits).entropy)} nats.`,
    };
  },
};

/** The chance that one of k samples solves each level, before and after the policy is sharpened. */
export const passFigure: Exploration = {
  title: "One sample, or one of k?",
  needs: ["chances"],
  handles: [
    handle("k", "samples k", [1, 32, 1], 1),
    handle("sharpness", "sharpness", [1, 6, 0.5], 3),
  ],
  show({ k = 1, sharpness = 1 }, { chances = [] }) {
    const sharp = chances.map((p) => {
      const [yes, no] = [exp(sharpness * log(p)), exp(sharpness * log(1 - p))];
      return yes / (yes + no);
    }); // [B]
    const oneOf = (all: readonly number[]) => all.map((p) => 1 - (1 - p) ** k); // [B]
    const [before, after] = [chances, sharp].map(oneOf);
    const [was, is] = [mean(before!), mean(after!)];
    return {
      columns: [...columnNames("level", chances.length), "mean"],
      rows: [
        { name: "start", kind: "share", values: [...before!, was] },
        { name: "sharpened", kind: "share", values: [...after!, is] },
      ],
      says: `${k === 1 ? "One sample" : `One of ${k} samples`} solves ${formatPercent(was)} of the levels at the start, ${formatPercent(is)} when sharpened.`,
    };
  },
};
