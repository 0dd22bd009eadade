/** Words of the referee's page. */
import type { ShownMeasure } from "./recorded.ts";

export const words = {
  title: "The credit referee",
  intro:
    "Ten small games whose true advantage is computed, not sampled. Every row of the table is scored against it.",
  back: "Back to the notebook",
  loading: "Loading …",
  failed: "The results did not load. Reload the page to try again.",
  measure: "Measure",
  critic: "Critic",
  critics: {
    perfect: "knows the mean of what follows",
    learned: "learned from 64 episodes",
  },
  measures: {
    cosine: "Gradient: cosine",
    limit: "Gradient: cosine without noise",
    episodes: "Episodes to cosine 0.9",
    bias: "Bias",
    variance: "Variance",
    rank: "Rank agreement",
    sign: "Sign agreement",
    finds: "Deciding turns found",
  } satisfies Record<ShownMeasure, string>,
  means: {
    cosine: "Between the gradient of 64 episodes and the true one. 1 is best.",
    limit: "Of the mean gradient. Below 1 the row is biased, however many episodes it gets.",
    episodes: "The smallest batch tried whose gradient has a mean cosine of 0.9 or more.",
    bias: "Systematic squared error, as a share of the true advantage's mean square. 0 is best. No credit at all has 1.",
    variance: "Squared error by chance, as a share of the true advantage's mean square. 0 is best.",
    rank: "Spearman's correlation with the true advantage over a batch's turns. 1 is best.",
    sign: "Share of turns credited with the right sign. 0.5 is a coin's.",
    finds: "Share of episodes whose most decisive turn gets the most credit. 1 is best.",
  } satisfies Record<ShownMeasure, string>,
  table: (measure: string) => `${measure}, by method and game`,
  method: "Method",
  mean: "Mean",
  reached: "Games",
  reachedHint: "Games on which some batch is enough.",
  over: (most: number) => `> ${most}`,
  task: "Game",
  line: (row: string, task: string) => `${row} on ${task}`,
  interval: "Mean over seeds with its 95 % interval.",
  ofReward: "Bias and variance are those of the credit before normalisation.",
  fitted:
    "The row's credit is in no unit of reward: bias and variance are of its best-fitting multiple.",
  again: "Computed again by: ",
  here: "Compute it here",
  came: {
    busy: "Computing …",
    same: "Computed here: the same numbers.",
    differs: "Computed here: other numbers. The kept file is of another version.",
    failed: "It could not be computed here.",
  },
  games: "The games",
  gameHeads: ["Game", "What it tests", "Expected score", "Turns"],
  limits: "What it cannot tell",
  limitTexts: [
    "All ratios are 1, as in a first update. Rows that differ by ratio, clip or correction alone share a line.",
    "Policy and critic are tables, so nothing generalises from one state to another. KL is left out.",
    "A row that adds a baseline of the state alone, or none, has bias in credit but none in its gradient.",
  ],
  own: "Score your own method: one file with an estimator, as in a code cell: ",
  counts: (seeds: number, episodes: number) =>
    `${seeds} seeds of ${episodes} episodes each; credit is compared in batches of 64, groups of 8.`,
  all: "All of it: ",
};
