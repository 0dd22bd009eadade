/** Words of the clip panel. */
import type { ClipLevel } from "../../method/clip/band.ts";
import { counted } from "../../numeric/counted.ts";

const LEVELS: Record<ClipLevel, string> = {
  token: "Each token has its own ratio, and the clip treats tokens separately.",
  turn: "Each turn has one ratio for all its tokens, and the clip keeps or cuts the whole turn.",
  episode:
    "Each episode has one ratio, and the clip keeps or cuts the whole episode. The clip acts on the mean over an episode's tokens, so neither histogram shows its band.",
  none: "This method has no ratio and no clip, so every token keeps its gradient.",
};

export const words = {
  /** The formula has a part of that title too. */
  region: "Clip, panel",
  about:
    "A ratio is how many times more likely a response has become since it was sampled; its logarithm is 0 before the first step. The clip removes the gradient of ratios that leave the band.",
  absent: "This log has no data on optimiser steps (older and foreign logs have none).",
  lastUse: (turns: string) =>
    turns === "1"
      ? "Shown instead: the one recorded turn, as of its last use in an update."
      : `Shown instead: the ${turns} recorded turns, as of their last use in an update.`,
  nothing: "It has no ratios of episodes either, so there is nothing to draw.",
  lastUseName: "Last use of the recorded turns",
  still:
    "The actor took no step in this iteration: either this is critic warm-up, or the method does not clip.",
  refused: (n: number) => `${counted(n, "step")} of the log could not be read and were skipped.`,
  unknown: "The run's settings are unknown, so no band is drawn.",
  levels: LEVELS,
  own: (name: string) => `Code clips: ${name}. A unit whose derivative is 0 counts as clipped.`,
  band: (ratioLow: string, ratioHigh: string, low: string, high: string) =>
    `The band reaches from ratio ${ratioLow} to ${ratioHigh}: log-ratios from ${low} to ${high}.`,
  noBound: "no bound",
  dual: (ratio: string) => `With A < 0, a ratio above ${ratio} is also cut (dual clip).`,
  dualCount: (dual: string, low: string) =>
    `Of the recorded turns, ${low} ${low === "1" ? "was" : "were"} cut with A < 0 at the last use, ${dual} of them by dual clip because they had become far likelier.`,
  show: "Steps shown",
  all: (n: number) => `all ${counted(n, "step")}`,
  epoch: (epoch: number) => `epoch ${epoch + 1}`,
  step: (epoch: number, minibatch: number) => `epoch ${epoch + 1}, minibatch ${minibatch + 1}`,
  logCounts: "Log scale",
  histogram: {
    token: "Log-ratios of tokens",
    turn: "Log-ratios of turns",
  },
  pooled: {
    sum: "of a turn: the sum over its tokens",
    mean: "of a turn: the mean over its tokens",
  },
  clipHere: "the clip acts here",
  clipElsewhere: "the clip does not act here",
  beyond: (beyond: string, all: string, unit: string) =>
    `${beyond} of ${all} ${unit} are outside the band.`,
  beyondAtLeast: (beyond: string, all: string, unit: string) =>
    `At least ${beyond} of ${all} ${unit} are outside the band; bars that its edge crosses are not counted.`,
  hatched: "Hatched: outside the band.",
  /** For rules that depend on the sign. */
  hatchedRange:
    "Hatched: outside the band. Only some are cut: above it where A > 0, below it where A < 0.",
  hatchedDual:
    "Hatched: outside the band. Only some are cut: above it where A > 0 (and, by dual clip, far above it where A < 0), below it where A < 0.",
  gathered: (low: string, high: string) =>
    `The outermost bars include everything below ${low} and above ${high}.`,
  spread: (low: string, high: string) =>
    low === high ? `All are about ${low}.` : `All are between ${low} and ${high}.`,
  axis: "x-axis: log-ratio (0 = unchanged)",
  noCounts: (unit: string) => `No ratios of ${unit} are recorded.`,
  edge: (ratio: string) => `ratio ${ratio}`,
  units: { token: "tokens", turn: "turns" },
  most: (count: string) => `Tallest bar: ${count}.`,
  stepsTitle: "Step by step",
  stepsHint: "One card per optimiser step. Ratios start at 1 and drift outwards.",
  stepsLevel: (level: string) =>
    `Thumbnails: log-ratios of ${level}, with the band between the lines.`,
  card: (cut: string, gradient: string) => `${cut} of turns cut, ${gradient} of the gradient`,
  cardCut: (cut: string) => `turns cut ${cut}`,
  cardGradient: (share: string) => `gradient cut ${share}`,
  summary: (which: string, uses: string, cut: string, fraction: string) =>
    `${which}: ${uses} ${uses === "1" ? "use" : "uses"} of turns, ${cut} of them cut (${fraction})`,
  signs: (high: string, low: string) => `${high} with A > 0 and ${low} with A < 0`,
  gradient: (share: string) => `The clip removed ${share} of the gradient (mean over steps).`,
  mostCut: (turn: number, fraction: string) => `Cut most often: turn ${turn + 1} (${fraction}).`,
  nothingCut: "Nothing was cut.",
  noClipData: "No clip data in the file.",
  withoutData: (n: string) =>
    `Not counted: ${n} ${n === "1" ? "turn" : "turns"} without clip data or advantage.`,
  tables: {
    bins: (unit: string) => `Counts of ${unit} in numbers`,
    turns: "By turn in numbers",
    steps: "Steps in numbers",
  },
  heads: {
    bins: ["from log-ratio", "to", "count", "outside the band"],
    turns: ["turn", "uses", "cut, A > 0", "cut, A < 0", "share cut"],
    steps: ["step", "uses of turns", "cut, A > 0", "cut, A < 0", "turns cut", "gradient cut"],
  },
  yes: "yes",
  no: "",
  notKnown: "unknown",
} as const;
