/** Two time scales: GAE over one episode, with a step per turn and with a step per token. */
import { formatSignedBrief } from "../../numeric/format.ts";
import { counted } from "../../numeric/counted.ts";
import { columnNames, episodeGae, handle, type Exploration } from "./exploration.ts";

/** A turn's reward comes with its last token; each time scale has its own critic. */
export const clocksFigure: Exploration = {
  title: "Two clocks",
  needs: ["rewards", "values", "tokenValues", "lengths"],
  handles: [
    handle("gamma", "discount γ", [0.9, 1, 0.01], 1),
    handle("lambda", "λ", [0, 1, 0.05], 1),
  ],
  show({ gamma = 1, lambda = 1 }, { rewards = [], values = [], tokenValues = [], lengths = [] }) {
    const byTurn = episodeGae(rewards, values, gamma, lambda).adv; // [H]
    const paid = lengths.flatMap((n, h) => [...Array<number>(n - 1).fill(0), rewards[h]!]); // [N]
    const byToken = episodeGae(paid, tokenValues, gamma, lambda).adv; // [N]
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
