/** Words of the clip panel. */
import type { ClipLevel } from "../../objective/clipBand.ts";
import type { Settings } from "../../spec/axes.ts";
import { counted } from "../../numeric/counted.ts";

const LEVELS: Record<ClipLevel, string> = {
  token: "Each token has a ratio of its own, and the clip looks at each token by itself.",
  turn: "Each turn has one ratio for all of its tokens, and the clip keeps or cuts a turn as a whole.",
  episode:
    "Each episode has one ratio, and the clip keeps or cuts an episode as a whole: the band belongs to neither picture, but stands for the mean over an episode's tokens.",
  none: "This method has no ratio and no clip: every token keeps its gradient.",
};

const RULES: Record<Settings["clip"], string> = {
  range:
    "A ratio beyond the band loses its gradient where going on would pay: above it if A > 0, below it if A < 0.",
  adaptive:
    "A ratio beyond the band loses its gradient where going on would pay; turns of high gain have a wider band than is drawn here.",
  weight:
    "A ratio beyond the band counts no more than its edge; no token loses its gradient whole.",
  "log-geomean":
    "A token's log-ratio is held at the edge of the band: above it if A > 0, below it if A < 0.",
};

export const words = {
  /** The formula has a part of that title too. */
  region: "Clip, panel",
  about:
    "A ratio says how many times more likely a response has become since it was written; its logarithm is 0 before the first step. Updates stop pulling once a ratio leaves the band.",
  absent: "This log does not say what its optimiser steps did (older and foreign logs do not).",
  lastUse: (turns: string) =>
    turns === "1"
      ? "Instead: the one turn of the recorded episodes, as it stood when it was last used in an update."
      : `Instead: the ${turns} turns of the recorded episodes, as they stood when they were last used in an update.`,
  nothing: "Nor does it tell of any episode's ratios, so there is nothing to draw.",
  lastUseName: "Last use of the recorded turns",
  still:
    "The actor took no step in this iteration: either only the critic learned (critic warm-up), or this method does not clip.",
  refused: (n: number) => `${counted(n, "step")} of the log could not be read and are left out.`,
  unknown: "The run does not say its settings, so no band is drawn.",
  levels: LEVELS,
  rules: RULES,
  band: (ratioLow: string, ratioHigh: string, low: string, high: string) =>
    `The band reaches from ratio ${ratioLow} to ${ratioHigh}: log-ratios from ${low} to ${high}.`,
  noBound: "no bound",
  dual: (ratio: string) => `With A < 0 a ratio above ${ratio} is cut too (dual clip).`,
  dualCount: (dual: string, low: string) =>
    `Of the recorded episodes’ turns, ${low} ${low === "1" ? "was" : "were"} cut with A < 0 when last used, ${dual} of them by dual clip: they had become far likelier, not less likely.`,
  show: "Steps shown",
  all: (n: number) => `all ${counted(n, "step")}`,
  epoch: (epoch: number) => `epoch ${epoch + 1}`,
  step: (epoch: number, minibatch: number) => `epoch ${epoch + 1}, minibatch ${minibatch + 1}`,
  logCounts: "Logarithmic heights, so that few stay visible",
  histogram: {
    token: "Log-ratios of tokens",
    turn: "Log-ratios of turns",
  },
  pooled: {
    sum: "of a turn: the sum over its tokens",
    mean: "of a turn: the mean over its tokens",
  },
  clipHere: "the clip acts here",
  clipElsewhere: "the clip does not act at this level",
  beyond: (beyond: string, all: string, unit: string) =>
    `${beyond} of ${all} ${unit} lie beyond the band.`,
  beyondAtLeast: (beyond: string, all: string, unit: string) =>
    `At least ${beyond} of ${all} ${unit} lie beyond the band: bars that an edge of the band goes through are not counted.`,
  hatched: "Hatched: beyond the band.",
  /** Of rules that ask for the sign. */
  hatchedRange:
    "Hatched: beyond the band. Only part of those are cut: above it those with A > 0, below it those with A < 0.",
  hatchedDual:
    "Hatched: beyond the band. Only part of those are cut: above it those with A > 0 (and, by dual clip, those far above with A < 0), below it those with A < 0.",
  gathered: (low: string, high: string) =>
    `The outermost bars hold all that lies below ${low} and above ${high}.`,
  spread: (low: string, high: string) =>
    low === high ? `All lie at about ${low}.` : `All lie between ${low} and ${high}.`,
  axis: "across: the log-ratio, 0 is unchanged",
  noCounts: (unit: string) => `No ratios of ${unit} are recorded.`,
  edge: (ratio: string) => `ratio ${ratio}`,
  above: "A > 0",
  below: "A < 0",
  units: { token: "tokens", turn: "turns" },
  most: (count: string) => `Tallest bar: ${count}.`,
  byTurn: "What was cut, by turn and by sign of the advantage",
  byTurnHint:
    "Up: share of the h-th turns cut with A > 0 (already likely enough). Down: cut with A < 0 (already unlikely enough).",
  byTurnHintDual:
    "Up: share of the h-th turns cut with A > 0 (already likely enough). Down: cut with A < 0 (already unlikely enough, or so much likelier that dual clip cuts it).",
  byTurnToken: "A turn counts as cut when any of its tokens was.",
  capped: (shown: number, all: number) =>
    `The first ${shown} of ${all} turns are drawn; the table has all.`,
  turnName: (h: number) => `Turn ${h + 1}`,
  stepsTitle: "Step by step",
  stepsHint:
    "Each card is one optimiser step. In the first nothing has moved yet; later ones drift outwards.",
  stepsLevel: (level: string) =>
    `Little pictures: log-ratios of ${level}, the band between the lines.`,
  stepsCapped: (shown: number, all: number) =>
    `The first ${shown} of ${all} steps have a card; the list above has all.`,
  card: (cut: string, gradient: string) => `${cut} of turns cut, ${gradient} of the gradient`,
  cardCut: (cut: string) => `turns cut ${cut}`,
  cardGradient: (share: string) => `gradient cut ${share}`,
  summary: (which: string, uses: string, cut: string, fraction: string) =>
    `${which}: ${uses} ${uses === "1" ? "use" : "uses"} of turns, ${cut} of them cut (${fraction})`,
  signs: (high: string, low: string) => `${high} with A > 0 and ${low} with A < 0`,
  gradient: (share: string) => `The clip took ${share} of the gradient (mean over steps).`,
  mostCut: (turn: number, fraction: string) => `Most often cut: turn ${turn + 1} (${fraction}).`,
  nothingCut: "Nothing was cut.",
  nothingTold: "The file does not tell what a clip cut.",
  untold: (n: string) =>
    `Not counted: ${n} ${n === "1" ? "turn" : "turns"} of which the file does not tell whether a clip cut them, or what advantage they had.`,
  tables: {
    bins: (unit: string) => `Counts of ${unit} in numbers`,
    turns: "By turn in numbers",
    steps: "Steps in numbers",
  },
  heads: {
    bins: ["from log-ratio", "to", "count", "beyond the band"],
    turns: ["turn", "uses", "cut, A > 0", "cut, A < 0", "share cut"],
    steps: ["step", "uses of turns", "cut, A > 0", "cut, A < 0", "turns cut", "gradient cut"],
  },
  yes: "yes",
  no: "",
  notKnown: "not known",
} as const;
