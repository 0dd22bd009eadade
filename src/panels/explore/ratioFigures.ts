/** Figures on ratios: what is clipped at each level, and the effective size of a batch that a policy has drifted from. */
import { formatBrief, formatPercent } from "../../numeric/format.ts";
import { exp } from "../../numeric/deterministic.ts";
import { counted } from "../../numeric/counted.ts";
import { offsets } from "../../numeric/segments.ts";
import { clippedSurrogate } from "../../method/clip/range.ts";
import { poolLogRatios, type Offsets } from "../../method/objective/ratio.ts";
import {
  columnNames,
  columnNumbers,
  handle,
  type Exploration,
  type ExploreRow,
} from "./exploration.ts";

const LEVELS = [
  { level: "token", name: "token" },
  { level: "turn-product", name: "product" },
  { level: "turn-geomean", name: "mean" },
] as const;

const driftHandle = handle("drift", "log-ratios ×", [0, 4, 0.1], 1);
const advantageHandle = handle("advantage", "advantage", [-2, 2, 0.5], 1);
const NO_ADVANTAGE = "Without an advantage there is no gradient to cut.";

/** Gradient of the clipped objective with respect to each ratio, all with one advantage. [U] */
function pullOf(ratio: Float64Array, advantage: number, eps: number): Float64Array {
  const range = { epsLow: eps, epsHigh: eps, dualClip: null };
  const adv = ratio.map(() => advantage); // [U]
  return clippedSurrogate(ratio, adv, range).dRatio.map((x) => (x === 0 ? 0 : -x));
}

const freeOf = (pull: ArrayLike<number>) => Array.from(pull).filter((x) => x !== 0).length;

/** One turn's tokens with one advantage: which of them still have a gradient, by level of the ratio. */
export const clipFigure: Exploration = {
  title: "What the clip cuts",
  needs: ["logRatios"],
  handles: [driftHandle, handle("eps", "limit ε", [0.02, 0.5, 0.02], 0.2), advantageHandle],
  show({ drift = 1, eps = 0.2, advantage = 1 }, { logRatios = [] }) {
    const d = Float64Array.from(logRatios, (x) => drift * x); // [N]
    const whole = Int32Array.of(0, d.length);
    const offsets: Offsets = { trajectory: whole, turn: whole };
    const cut = LEVELS.map(({ level, name }) => {
      const { unit, ratio } = poolLogRatios(level, d, offsets);
      const ofToken = (x: Float64Array) =>
        Array.from(d, (_, t) => x[unit.length - 1 === d.length ? t : 0]!); // [N]
      return { name, ratio: ofToken(ratio), pull: ofToken(pullOf(ratio, advantage, eps)) };
    });
    const free = cut.map(({ pull }) => freeOf(pull));
    return {
      unit: "token",
      columns: columnNumbers(d.length),
      rows: cut.flatMap(rowsOfLevel),
      says:
        advantage === 0
          ? NO_ADVANTAGE
          : `Tokens with a gradient, of ${d.length}: ${free[0]} with token ratios, ${free[1]} with the product, ${free[2]} with the mean.`,
    };
  },
};

interface CutLevel {
  name: string;
  ratio: readonly number[];
  pull: readonly number[];
}

/** A level's ratio, and the gradient that the clip leaves. */
function rowsOfLevel({ name, ratio, pull }: CutLevel): ExploreRow[] {
  return [
    { name: `ratio, ${name}`, kind: "amount", values: ratio },
    { name: "gradient", kind: "credit", values: pull },
  ];
}

const OF_EPISODE = [
  { level: "turn-product", name: "product" },
  { level: "turn-geomean", name: "turn mean" },
  { level: "sequence-geomean", name: "episode mean" },
] as const;

/** One episode with one advantage, as groups give it: by turn, three ratios and what the clip leaves. Turns can be joined. */
export const levelsFigure: Exploration = {
  title: "Turns, or the whole episode?",
  needs: ["logRatios", "lengths"],
  handles: [
    handle("joined", "turns joined", [1, 5, 1], 1),
    driftHandle,
    handle("eps", "limit ε", [0.005, 0.5, 0.005], 0.2),
    { ...advantageHandle, start: -1 },
  ],
  show({ joined = 1, drift = 1, eps = 0.2, advantage = -1 }, { logRatios = [], lengths = [] }) {
    const d = Float64Array.from(logRatios, (x) => drift * x); // [N]
    const turns = joinTurns(lengths, joined); // [K]
    const spans: Offsets = { trajectory: Int32Array.of(0, d.length), turn: offsets(turns) };
    const cut = OF_EPISODE.map(({ level, name }) => {
      const { ratio } = poolLogRatios(level, d, spans);
      const ofTurn = (x: Float64Array) => turns.map((_, k) => x[x.length === 1 ? 0 : k]!); // [K]
      return { name, ratio: ofTurn(ratio), pull: ofTurn(pullOf(ratio, advantage, eps)) };
    });
    const free = cut.map(({ pull }) => freeOf(pull));
    return {
      unit: "turn",
      columns: columnNumbers(turns.length),
      rows: cut.flatMap(rowsOfLevel),
      says:
        advantage === 0
          ? NO_ADVANTAGE
          : `Turns with a gradient, of ${turns.length}: ${free[0]} with the product, ${free[1]} with the turn mean, ${free[2]} with the episode mean.${turns.length === 1 ? " With one turn, both means are the same: this is GSPO's ratio." : ""}`,
    };
  },
};

/** Tokens of each turn when the first `joined` are one. [H] -> [K] */
function joinTurns(lengths: readonly number[], joined: number): number[] {
  const first = lengths.slice(0, joined).reduce((sum, n) => sum + n, 0);
  return [first, ...lengths.slice(joined)];
}

/**
 * Log-ratios of independent tokens with standard deviation s, corrected so that the mean ratio is 1: over n tokens the
 * effective share of the sample is exp(-n s^2) (Kong 1992, for log-normal weights).
 */
export const driftFigure: Exploration = {
  title: "Drift off policy",
  handles: [
    handle("spread", "spread of a token’s log-ratio", [0, 0.5, 0.01], 0.1),
    handle("tokens", "tokens a turn", [1, 100, 1], 10),
  ],
  show({ spread = 0, tokens = 1 }) {
    const turns = [1, 2, 3, 5, 8];
    const share = (n: number) => exp(-n * spread * spread);
    const bySequence = turns.map((h) => share(h * tokens));
    return {
      unit: "turns",
      columns: turns.map(String),
      rows: [
        { name: "by token", kind: "amount", values: turns.map(() => share(1)) },
        { name: "by turn", kind: "amount", values: turns.map(() => share(tokens)) },
        { name: "by episode", kind: "amount", values: bySequence },
      ],
      says: `Effective share of the batch: ${formatPercent(share(1))} by token, ${formatPercent(share(tokens))} by turn; for an episode of 8 turns ${formatPercent(bySequence.at(-1)!)}.`,
    };
  },
};

/** Weights that differ by less count as equal: half a step of a handle, and a little. */
const SLACK = 0.026;

/** Weights w_k of the TD error k turns ahead: any list is an estimator; lambda^k is GAE. */
export const weightsFigure: Exploration = {
  title: "Weigh the surprises yourself",
  needs: ["rewards", "values"],
  handles: [0, 1, 2, 3].map((k) =>
    handle(
      `w${k}`,
      k === 0 ? "this turn" : `${counted(k, "turn")} later`,
      [0, 1, 0.05],
      k === 0 ? 1 : 0,
    ),
  ),
  show(at, { rewards = [], values = [] }) {
    const w = [0, 1, 2, 3].map((k) => at[`w${k}`] ?? 0);
    const delta = rewards.map((r, h) => r + (values[h + 1] ?? 0) - values[h]!); // [H]
    const adv = delta.map((_, h) => w.reduce((sum, x, k) => sum + x * (delta[h + k] ?? 0), 0)); // [H]
    const lambda = w[1]!;
    const isGae = w.every((x, k) => Math.abs(x - lambda ** k) < SLACK);
    // TD errors farther ahead have no handle.
    const isCut = delta.length > w.length && lambda ** w.length >= SLACK;
    return {
      columns: columnNames("turn", rewards.length),
      rows: [
        { name: "TD error δ", kind: "credit", values: delta },
        { name: "your advantage", kind: "credit", values: adv },
      ],
      says: isGae
        ? `These weights are those of GAE with λ = ${formatBrief(lambda)}${isCut ? `, cut after ${counted(w.length - 1, "later turn")}` : ""}.`
        : "No λ gives these weights: they are an estimator of your own.",
    };
  },
};
