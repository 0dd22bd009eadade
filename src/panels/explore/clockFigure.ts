/** Two time scales: GAE over one episode, with a step per turn and with a step per token. */
import { formatSignedBrief } from "../../numeric/format.ts";
import { counted } from "../../numeric/counted.ts";
import { gae } from "../../method/credit/gae.ts";
import { columnNames, type Exploration } from "./exploration.ts";

interface ClockSteps {
  /** Per step, [N]. */
  rewards: readonly number[];
  values: readonly number[];
  gamma: number;
  lambda: number;
}

function creditOf({ rewards, values, gamma, lambda }: ClockSteps): Float64Array {
  const { adv } = gae({
    reward: Float64Array.from(rewards), // [N]
    value: Float64Array.from(values), // [N]
    start: Int32Array.of(0, rewards.length),
    bootstrap: Float64Array.of(0),
    gamma,
    lambda,
  });
  return adv; // [N]
}

/** A turn's reward comes with its last token; each time scale has its own critic. */
export const clocksFigure: Exploration = {
  title: "Two clocks",
  needs: ["rewards", "values", "tokenValues", "lengths"],
  handles: [
    { id: "gamma", label: "discount γ", low: 0.9, high: 1, step: 0.01, start: 1 },
    { id: "lambda", label: "λ", low: 0, high: 1, step: 0.05, start: 1 },
  ],
  show({ gamma = 1, lambda = 1 }, { rewards = [], values = [], tokenValues = [], lengths = [] }) {
    const byTurn = creditOf({ rewards, values, gamma, lambda }); // [H]
    const paid = lengths.flatMap((n, h) => [...Array<number>(n - 1).fill(0), rewards[h]!]); // [N]
    const byToken = creditOf({ rewards: paid, values: tokenValues, gamma, lambda }); // [N]
    const ends = lengths.map((_, h) => lengths.slice(0, h + 1).reduce((a, b) => a + b, 0)); // [H]
    const first = ends.map((end, h) => byToken[end - lengths[h]!]!); // [H]
    return {
      columns: columnNames("turn", rewards.length),
      rows: [
        { name: "whole turn", kind: "credit", values: [...byTurn] },
        { name: "its first token", kind: "credit", values: first },
        { name: "its last token", kind: "credit", values: ends.map((n) => byToken[n - 1]!) },
      ],
      says: `Turn 1 is ${counted(rewards.length - 1, "step")} before the last turn and gets ${formatSignedBrief(byTurn[0]!)}. Its first token is ${counted(tokenValues.length - 1, "step")} before the last token and gets ${formatSignedBrief(first[0]!)}.`,
    };
  },
};
