/** A guess: the reader distributes an episode's credit over its turns, then compares it with the truth. */
import { formatBrief } from "../../numeric/format.ts";
import { mean } from "../../numeric/statistics.ts";
import { columnNames, handle, type Exploration } from "./exploration.ts";

/** Turns that can be credited. */
const TURNS = 4;

/** Credit by hand, turn by turn, and its distance from the true one; equal shares of the episode's reward for comparison. */
export const guessFigure: Exploration = {
  title: "Share out the credit",
  needs: ["truth", "half"],
  handles: [
    ...Array.from({ length: TURNS }, (_, h) =>
      handle(`turn${h + 1}`, `turn ${h + 1}`, [-2, 12, 0.5], 0),
    ),
    handle("reveal", "show the truth", [0, 1, 1], 0),
  ],
  show({ reveal = 0, ...at }, { truth = [], half = [], rewards = truth }) {
    const yours = truth.map((_, h) => at[`turn${h + 1}`] ?? 0); // [H]
    // Cells that lack the rewards show shares of the true credit, as in older versions.
    const sum = rewards.reduce((a, b) => a + b, 0);
    const equal = truth.map(() => sum / truth.length); // [H]
    const isShown = reveal > 0;
    const hidden = truth.map(() => null);
    return {
      columns: columnNames("turn", truth.length),
      rows: [
        { name: "your credit", kind: "credit", values: yours, own: true },
        { name: "equal shares", kind: "credit", values: isShown ? equal : hidden },
        { name: "true credit", kind: "truth", values: isShown ? truth : hidden, half },
      ],
      says: isShown
        ? `You miss the truth by ${formatBrief(missed(yours, truth))} a turn; equal shares miss it by ${formatBrief(missed(equal, truth))}.`
        : `You have shared out ${formatBrief(yours.reduce((a, b) => a + b, 0))}. Credit every turn, then show the truth.`,
    };
  },
};

/** Mean distance of a turn's credit from the true one. Both [H]. */
function missed(credit: readonly number[], truth: readonly number[]): number {
  return mean(credit.map((x, h) => Math.abs(x - truth[h]!)));
}
