/** Figures on credit compared with the truth: the effect of luck on a correlation, and of pooling over tasks. */
import { formatBrief } from "../../numeric/format.ts";
import { pearson } from "../../numeric/statistics.ts";
import { columnNumbers, handle, type Exploration } from "./exploration.ts";

/** Number of episodes from one state that are averaged. */
const AVERAGED = [1, 4, 16, 64];

/**
 * Even with the true V, the return of one episode is the true credit plus noise. With independent
 * noise, the correlation of a mean over n episodes with the truth is 1 / sqrt(1 + luck / n), where
 * luck is the ratio of their variances.
 */
export const luckFigure: Exploration = {
  title: "One episode is one draw",
  handles: [handle("luck", "chance ÷ credit", [0, 8, 0.05], 1)],
  show({ luck = 1 }) {
    const best = AVERAGED.map((n) => 1 / Math.sqrt(1 + luck / n));
    return {
      unit: "episodes averaged",
      columns: AVERAGED.map(String),
      rows: [{ name: "best correlation", kind: "amount", values: best }],
      says: `One return minus the true V correlates ${formatBrief(best[0]!)} with the true credit; the mean of 64 such returns ${formatBrief(best.at(-1)!)}.`,
    };
  },
};

/** Turns of two boards, a hard one and one with little at stake; estimates with some error each. */
const BOARDS = [
  { truth: [2, -1, -1], estimate: [2.5, 0.5, -3] },
  { truth: [0.2, -0.1, -0.1], estimate: [0.25, 0.05, -0.3] },
] as const;

/** A board's estimates are all shifted up: within each board nothing changes, over both together it does. */
export const poolFigure: Exploration = {
  title: "Pooled, or level by level?",
  handles: [handle("weight", "second level ×", [1, 40, 1], 1)],
  show({ weight = 1 }) {
    const [first, second] = BOARDS;
    const scaled = second.estimate.map((x) => weight * x);
    const truth = [...first.truth, ...second.truth]; // [K]
    const estimate = [...first.estimate, ...scaled]; // [K]
    const within = [pearson(first.estimate, first.truth), pearson(scaled, second.truth)];
    return {
      unit: "turn",
      columns: columnNumbers(truth.length),
      rows: [
        { name: "true credit", kind: "amount", values: truth },
        { name: "estimate", kind: "amount", values: estimate },
      ],
      says: `Turns 1 to 3 are of the first level, 4 to 6 of the second. Correlation within them: ${within.map(formatBrief).join(" and ")}; pooled: ${formatBrief(pearson(estimate, truth))}.`,
    };
  },
};
