/** Figures on the way from a credit to weights: one push on the logits, its bias and spread over batches, and how the clip limits it. */
import { formatBrief, formatPercent, formatSignedBrief } from "../../numeric/format.ts";
import { counted } from "../../numeric/counted.ts";
import { softmax } from "../../numeric/deterministic.ts";
import { uniforms } from "../../numeric/rng.ts";
import { mean } from "../../numeric/statistics.ts";
import { clampRatio, clippedSurrogate } from "../../method/clip/range.ts";
import type { ChartMark } from "../../figures/figure.ts";
import { columnNames, handle, type Exploration } from "./exploration.ts";

/** d log pi(chosen) / d logit = 1 for the chosen one, less every token's own probability. [V] */
function pushOf(p: ArrayLike<number>, chosen: number, advantage: number): number[] {
  return Array.from(p, (x, i) => advantage * ((i === chosen ? 1 : 0) - x));
}

/** One sampled token: its advantage times grad log pi, over the logits, and the policy after a step of that. */
export const pushFigure: Exploration = {
  title: "One credit, all logits",
  needs: ["logits", "tokens"],
  handles: [
    handle("chosen", "sampled token", [1, 3, 1], 1),
    handle("advantage", "advantage A", [-2, 2, 0.5], 1),
    handle("size", "step size", [0.1, 2, 0.1], 0.5),
  ],
  show({ chosen = 1, advantage = 0, size = 0 }, { logits = [], tokens = [] }) {
    const before = softmax(logits); // [V]
    const push = pushOf(before, chosen - 1, advantage); // [V]
    const after = softmax(logits.map((z, i) => z + size * push[i]!)); // [V]
    const named = (values: ArrayLike<number>) => lastTogether(Array.from(values), tokens.length);
    const own = chosen - 1;
    return {
      columns: [...tokens, counted(logits.length - tokens.length, "other")],
      rows: [
        { name: "probability before", kind: "share", values: named(before) },
        { name: "push on the logit", kind: "credit", values: named(push) },
        { name: "probability after", kind: "share", values: named(after) },
      ],
      says: `${tokens[own]} was sampled. Its logit is pushed by ${formatSignedBrief(push[own]!)}, all others together by ${formatSignedBrief(-push[own]!)}. It goes from ${formatPercent(before[own]!)} to ${formatPercent(after[own]!)}.`,
    };
  },
};

/** The first `named`, then the sum of all others. */
export function lastTogether(values: readonly number[], named: number): number[] {
  const rest = values.slice(named).reduce((a, b) => a + b, 0);
  return [...values.slice(0, named), rest];
}

/** Chance of the good first turn, and of solving after a good and after a bad one. */
const GOOD = 0.3;
const SOLVES = { good: 0.6, bad: 0.1 };
/** Batches that are drawn. */
const BATCHES = 6;

interface CreditMixture {
  solved: number;
  failed: number;
  lambda: number;
  error: number;
  baseline: number;
}

/** The four ways an episode can go. */
function waysOf({ solved, failed, lambda, error, baseline }: CreditMixture) {
  return ([true, false] as const).flatMap((isGood) => {
    const chance = SOLVES[isGood ? "good" : "bad"];
    const critic = chance * solved + (1 - chance) * failed + (isGood ? error : 0);
    return ([true, false] as const).map((isSolved) => ({
      weight: (isGood ? GOOD : 1 - GOOD) * (isSolved ? chance : 1 - chance),
      push:
        ((isGood ? 1 : 0) - GOOD) *
        (lambda * (isSolved ? solved : failed) + (1 - lambda) * critic - baseline),
    }));
  });
}

/** Mean and standard deviation of an episode's push. */
function momentsOf(ways: ReturnType<typeof waysOf>) {
  const middle = ways.reduce((sum, { weight, push }) => sum + weight * push, 0);
  const square = ways.reduce((sum, { weight, push }) => sum + weight * (push - middle) ** 2, 0);
  return { middle, spread: Math.sqrt(square) };
}

/** A first turn that is good or bad, then luck: credit is a mix of the return and a critic that may be wrong about the good one. */
export const batchesFigure: Exploration = {
  title: "Bias, or spread?",
  needs: ["rewards"],
  handles: [
    handle("baseline", "baseline b", [-2, 8, 0.5], 0),
    handle("lambda", "λ: trust in returns", [0, 1, 0.1], 0.5),
    handle("error", "critic’s error", [-6, 6, 1], 0),
    handle("episodes", "episodes a batch", [4, 128, 4], 16),
  ],
  show({ episodes = 16, lambda = 1, error = 0, baseline = 0 }, { rewards = [] }) {
    const [solved = 0, failed = 0] = rewards;
    const ways = waysOf({ solved, failed, lambda, error, baseline });
    const { middle, spread } = momentsOf(ways);
    const truth = momentsOf(waysOf({ solved, failed, lambda: 1, error: 0, baseline: 0 })).middle;
    const pushes = Array.from({ length: BATCHES }, (_, batch) => drawnMean(ways, episodes, batch));
    return {
      columns: columnNames("batch", BATCHES),
      rows: [
        { name: "push of the batch", kind: "credit", values: pushes },
        { name: "true push", kind: "credit", values: pushes.map(() => truth) },
      ],
      says: `Over many batches the mean is ${formatSignedBrief(middle)}, the truth ${formatSignedBrief(truth)}: a bias of ${formatSignedBrief(middle - truth)}. Batches of ${episodes} spread by ${formatBrief(spread / Math.sqrt(episodes))} around their mean.`,
    };
  },
};

/** Mean push of one batch of episodes, drawn with luck that the handles do not change. */
function drawnMean(ways: ReturnType<typeof waysOf>, episodes: number, batch: number): number {
  const key = { seed: 1, stream: "explore-batches", iteration: batch, trajectory: 0, step: 0 };
  const drawn = Array.from(uniforms(key, episodes), (u) => {
    let left = u;
    return (ways.find(({ weight }) => (left -= weight) < 0) ?? ways.at(-1)!).push;
  });
  return mean(drawn);
}

/** Of a loss, what is gained; never −0. */
const flipped = (x: number) => (x === 0 ? 0 : -x);

/** Ratios at which the lines are drawn. */
const DRAWN = Array.from({ length: 81 }, (_, i) => i / 40); // [P]

const line = (of: (rho: number) => number, look: "dashed" | "dotted"): ChartMark => ({
  as: "line",
  look,
  points: DRAWN.map((x) => ({ x, y: of(x) })),
});

/** The clipped objective of one unit, drawn over its ratio: both sides of the min, and the min. */
export const objectiveFigure: Exploration = {
  title: "Min and clip",
  handles: [
    handle("ratio", "ratio ρ", [0, 2, 0.05], 1),
    handle("advantage", "advantage A", [-2, 2, 0.5], 1),
    handle("eps", "limit ε", [0.1, 0.5, 0.1], 0.2),
  ],
  show({ ratio = 1, advantage = 1, eps = 0.2 }) {
    const clipped = (rho: readonly number[]) => {
      const range = { epsLow: eps, epsHigh: eps, dualClip: null };
      const adv = Float64Array.from(rho, () => advantage);
      const { loss, dRatio } = clippedSurrogate(Float64Array.from(rho), adv, range);
      return { value: Array.from(loss, flipped), slope: Array.from(dRatio, flipped) };
    };
    const held = (rho: number) => clampRatio(rho, eps, eps) * advantage;
    const { value, slope } = clipped([ratio]);
    const says =
      slope[0] === 0
        ? `At ρ = ${formatBrief(ratio)} the objective is flat: the token gets no push.`
        : `At ρ = ${formatBrief(ratio)} the objective has slope ${formatSignedBrief(slope[0]!)}: the token is still pushed ${slope[0]! > 0 ? "up" : "down"}.`;
    return {
      columns: ["ρ A", "clip(ρ) A", "the smaller", "slope"],
      rows: [
        {
          name: "at this ratio",
          kind: "amount",
          values: [ratio * advantage, held(ratio), value[0]!, slope[0]!],
        },
      ],
      drawing: {
        kind: "chart",
        id: "objective-lines",
        title: "",
        hint: "Dashed: ρ A. Dotted: clip(ρ) A. Solid: the smaller, the objective.",
        says,
        note: "",
        x: { name: "ratio ρ", domain: [0, 2], ticks: [0, 1 - eps, 1, 1 + eps, 2] },
        y: { domain: [Math.min(0, 2 * advantage), Math.max(0, 2 * advantage)] },
        marks: [
          { as: "level", y: 0 },
          line((rho) => rho * advantage, "dashed"),
          line(held, "dotted"),
          { as: "line", points: clipped(DRAWN).value.map((y, i) => ({ x: DRAWN[i]!, y })) },
          { as: "dots", dots: [{ x: ratio, y: value[0]! }] },
        ],
      },
      says,
    };
  },
};
