/** Figures on ratios: what the clip cuts at each level, and what is left of a batch that a policy has drifted from. */
import { formatBrief, formatPercent } from "../../charts/format.ts";
import { exp } from "../../numeric/deterministic.ts";
import { counted } from "../../numeric/counted.ts";
import { clippedSurrogate } from "../../objective/clip.ts";
import { poolLogRatios, type Offsets } from "../../objective/ratio.ts";
import { columnNames, type Exploration } from "./exploration.ts";

const LEVELS = [
  { level: "token", name: "each token" },
  { level: "turn-product", name: "whole turn (product)" },
  { level: "sequence-geomean", name: "sequence (geometric mean)" },
] as const;

/** One turn's tokens with one advantage: which of them still have a gradient, by level of the ratio. */
export const clipFigure: Exploration = {
  title: "What the clip cuts",
  needs: ["logRatios"],
  handles: [
    { id: "drift", label: "log-ratios ×", low: 0, high: 4, step: 0.1, start: 1 },
    { id: "eps", label: "limit ε", low: 0.02, high: 0.5, step: 0.02, start: 0.2 },
    { id: "advantage", label: "advantage", low: -2, high: 2, step: 0.5, start: 1 },
  ],
  show({ drift = 1, eps = 0.2, advantage = 1 }, { logRatios = [] }) {
    const d = Float64Array.from(logRatios, (x) => drift * x); // [N]
    const whole = Int32Array.of(0, d.length);
    const offsets: Offsets = { trajectory: whole, turn: whole };
    const cut = LEVELS.map(({ level, name }) => {
      const { unit, ratio } = poolLogRatios(level, d, offsets);
      const adv = ratio.map(() => advantage); // [U]
      const range = { epsLow: eps, epsHigh: eps, dualClip: null };
      const { dRatio } = clippedSurrogate(ratio, adv, range);
      const ofToken = (x: Float64Array) =>
        Array.from(d, (_, t) => x[unit.length - 1 === d.length ? t : 0]!); // [N]
      return { name, ratio: ofToken(ratio), pull: ofToken(dRatio.map((x) => -x)) };
    });
    const free = cut.map(({ pull }) => pull.filter((x) => x !== 0).length);
    return {
      columns: columnNames("token", d.length),
      rows: cut.flatMap(({ name, ratio, pull }) => [
        { name: `ratio: ${name}`, kind: "amount" as const, values: ratio },
        { name: "gradient", kind: "credit" as const, values: pull },
      ]),
      says:
        advantage === 0
          ? "Without an advantage there is no gradient to cut."
          : `Tokens with a gradient, of ${d.length}: ${free[0]} by token, ${free[1]} by turn, ${free[2]} by sequence.`,
    };
  },
};

/**
 * Log-ratios of independent tokens with standard deviation s, corrected so that the mean ratio is 1: over n tokens the
 * effective share of the sample is exp(-n s^2) (Kong 1992, for log-normal weights).
 */
export const driftFigure: Exploration = {
  title: "Drift off policy",
  needs: [],
  handles: [
    {
      id: "spread",
      label: "log-ratio spread of a token",
      low: 0,
      high: 0.5,
      step: 0.01,
      start: 0.1,
    },
    { id: "tokens", label: "tokens a turn", low: 1, high: 100, step: 1, start: 10 },
  ],
  show({ spread = 0, tokens = 1 }) {
    const turns = [1, 2, 3, 5, 8];
    const share = (n: number) => exp(-n * spread * spread);
    const bySequence = turns.map((h) => share(h * tokens));
    return {
      columns: turns.map((h) => counted(h, "turn")),
      rows: [
        { name: "weighted by token", kind: "amount", values: turns.map(() => share(1)) },
        { name: "weighted by turn", kind: "amount", values: turns.map(() => share(tokens)) },
        { name: "weighted by episode", kind: "amount", values: bySequence },
      ],
      says: `Effective share of the batch: ${formatPercent(share(1))} by token, ${formatPercent(share(tokens))} by turn; for an episode of 8 turns ${formatPercent(bySequence.at(-1)!)}.`,
    };
  },
};

/** Weights w_k of the TD error k turns ahead: any list is an estimator; lambda^k is GAE. */
export const weightsFigure: Exploration = {
  title: "Weigh the surprises yourself",
  needs: ["rewards", "values"],
  handles: [0, 1, 2, 3].map((k) => ({
    id: `w${k}`,
    label: k === 0 ? "this turn" : `${counted(k, "turn")} later`,
    low: 0,
    high: 1,
    step: 0.05,
    start: k === 0 ? 1 : 0,
  })),
  show(at, { rewards = [], values = [] }) {
    const w = [0, 1, 2, 3].map((k) => at[`w${k}`] ?? 0);
    const delta = rewards.map((r, h) => r + (values[h + 1] ?? 0) - values[h]!); // [H]
    const adv = delta.map((_, h) => w.reduce((sum, x, k) => sum + x * (delta[h + k] ?? 0), 0)); // [H]
    const lambda = w[1]!;
    const isGae = w.every((x, k) => Math.abs(x - lambda ** k) < 0.026);
    return {
      columns: columnNames("turn", rewards.length),
      rows: [
        { name: "TD error δ", kind: "credit", values: delta },
        { name: "your advantage", kind: "credit", values: adv },
      ],
      says: isGae
        ? `These weights are those of GAE with λ = ${formatBrief(lambda)}.`
        : "No λ gives these weights: they are an estimator of your own.",
    };
  },
};
