/**
 * What a sample can show: about a gradient with a baseline, and about a difference over a few
 * seeds.
 */
import { formatBrief, formatPercent, formatSignedBrief } from "../../numeric/format.ts";
import { uniforms } from "../../numeric/rng.ts";
import { bootstrapInterval, mean, tInterval, type Interval } from "../../numeric/statistics.ts";
import { columnNames, handle, type Exploration } from "./exploration.ts";

/**
 * REINFORCE with one choice, right or wrong, where the right one has probability p: a sample
 * changes the logit by (R - b) (1 - p) or by -(R - b) p. Its mean does not depend on b, its
 * variance does.
 */
export const baselineFigure: Exploration = {
  title: "Move the baseline",
  needs: ["rewards"],
  handles: [
    handle("baseline", "baseline b", [-2, 12, 0.5], 0),
    handle("chance", "chance to solve", [0.05, 0.95, 0.05], 0.3),
  ],
  show({ baseline = 0, chance = 0.5 }, { rewards = [] }) {
    const [solved = 0, failed = 0] = rewards;
    const of = (right: number, wrong: number) => {
      const middle = chance * right + (1 - chance) * wrong;
      const spread = Math.sqrt(
        chance * (right - middle) ** 2 + (1 - chance) * (wrong - middle) ** 2,
      );
      return { right, wrong, middle, spread };
    };
    const reward = of(solved, failed);
    const push = of((solved - baseline) * (1 - chance), -(failed - baseline) * chance);
    return {
      columns: ["solved", "failed", "mean"],
      rows: [
        { name: "chance", kind: "amount", values: [chance, 1 - chance, null] },
        { name: "reward", kind: "amount", values: [solved, failed, reward.middle] },
        {
          name: "reward − baseline",
          kind: "credit",
          values: [solved - baseline, failed - baseline, reward.middle - baseline],
        },
        {
          name: "push towards solving",
          kind: "credit",
          values: [push.right, push.wrong, push.middle],
        },
        { name: "spread of the push", kind: "amount", values: [null, null, push.spread] },
      ],
      says: `On average an episode pushes by ${formatSignedBrief(push.middle)}, whatever the baseline. Single episodes spread by ${formatBrief(push.spread)} around it, at a chance of ${formatPercent(chance)}.`,
    };
  },
};

/** Resamples of the interval: it is recomputed at every position of a handle. */
const RESAMPLES = 1000;

/** The bootstrap by hand: one resample of the paired differences, then the interval of many, beside Student's t. */
export const bootstrapFigure: Exploration = {
  title: "Draw the seeds again",
  needs: ["differences"],
  handles: [handle("seeds", "seeds used", [2, 5, 1], 5), handle("draw", "draw", [1, 20, 1], 1)],
  show({ seeds = 2, draw = 1 }, { differences = [] }) {
    const used = differences.slice(0, seeds); // [n]
    const key = { seed: draw, stream: "explore-bootstrap", iteration: 0, trajectory: 0, step: 0 };
    const drawn = Array.from(uniforms(key, used.length), (u) => Math.floor(u * used.length)); // [n]
    const times = used.map((_, i) => drawn.filter((one) => one === i).length); // [n]
    const unused = differences.slice(seeds).map(() => null);
    const many = bootstrapInterval([used], { statistic: mean, resamples: RESAMPLES });
    return {
      columns: columnNames("seed", differences.length),
      rows: [
        { name: "difference", kind: "credit", values: [...used, ...unused] },
        { name: "times drawn", kind: "count", values: [...times, ...unused] },
      ],
      says:
        `The mean is ${formatSignedBrief(mean(used))}, of this draw ${formatSignedBrief(mean(drawn.map((i) => used[i]!)))}. ` +
        `Of many draws, 95 % lie ${between(many)}; Student's t says ${between(tInterval(used))}.`,
    };
  },
};

function between({ low, high }: Interval): string {
  return `between ${formatSignedBrief(low)} and ${formatSignedBrief(high)}`;
}
