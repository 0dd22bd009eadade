/** What samples of a return can say: a gradient with a baseline. */
import { formatBrief, formatPercent, formatSignedBrief } from "../../charts/format.ts";
import type { Exploration } from "./exploration.ts";

/**
 * REINFORCE with one choice, right or wrong, of which the right one has the logit's chance p: a sample pushes the logit by
 * (R - b) (1 - p) or by -(R - b) p. Its mean does not depend on b, its spread does.
 */
export const baselineFigure: Exploration = {
  title: "Move the baseline",
  needs: ["rewards"],
  handles: [
    { id: "baseline", label: "baseline b", low: -2, high: 12, step: 0.5, start: 0 },
    { id: "chance", label: "chance to solve", low: 0.05, high: 0.95, step: 0.05, start: 0.3 },
  ],
  show({ baseline = 0, chance = 0.5 }, { rewards = [] }) {
    const [solved = 0, failed = 0] = rewards;
    const of = (right: number, wrong: number) => {
      const middle = chance * right + (1 - chance) * wrong;
      const spread = Math.sqrt(
        chance * (right - middle) ** 2 + (1 - chance) * (wrong - middle) ** 2,
      );
      return [right, wrong, middle, spread];
    };
    const push = of((solved - baseline) * (1 - chance), -(failed - baseline) * chance);
    return {
      columns: ["solved", "failed", "mean", "spread"],
      rows: [
        { name: "chance", kind: "amount", values: [chance, 1 - chance, null, null] },
        { name: "reward", kind: "amount", values: of(solved, failed) },
        {
          name: "reward − baseline",
          kind: "credit",
          values: [solved - baseline, failed - baseline, null, null],
        },
        { name: "push towards solving", kind: "credit", values: push },
      ],
      says: `On average an episode pushes by ${formatSignedBrief(push[2]!)}, whatever the baseline. Single episodes spread by ${formatBrief(push[3]!)} around it, at a chance of ${formatPercent(chance)}.`,
    };
  },
};
