/** Words of the panel of credits. */
import type { Grain } from "./columns.ts";
import type { Quantity } from "./quantity.ts";
import { counted } from "../../numeric/counted.ts";

const QUANTITIES: Record<Quantity, { name: string; about: string }> = {
  advantage: {
    name: "Advantage",
    about: "The credit: plus makes a response more likely, minus less.",
  },
  ratio: {
    name: "Ratio",
    about: "How many times more likely the response has become since it was written.",
  },
  clip: {
    name: "Clip",
    about: "Share of tokens whose gradient the clip cut: their ratio had gone far enough.",
  },
};

const GRAINS: Record<Quantity, Record<Grain, string>> = {
  advantage: {
    token: "Each token's own advantage.",
    turn: "Of a turn: its own advantage; where a row gives credit to tokens, the mean over its tokens.",
    episode: "Of the episode: the mean over all of its tokens.",
  },
  ratio: {
    token: "Each token's own ratio.",
    turn: "Of a turn: the product of its tokens’ ratios; their geometric mean where a row takes that.",
    episode:
      "Of the episode: the product of all tokens’ ratios; their geometric mean where a row takes that.",
  },
  clip: {
    token: "Whether the clip cut the token, alone or together with its turn or episode.",
    turn: "Of a turn: the share of its tokens that were cut.",
    episode: "Of the episode: the share of its tokens that were cut.",
  },
};

export const words = {
  about: "What each algorithm would make of this very episode: same rollouts, same critics.",
  noTurns: "This episode has no turns: there is nothing to give credit to.",
  quantities: QUANTITIES,
  quantity: "Show",
  grain: "By",
  grains: { token: "token", turn: "turn", episode: "episode" } satisfies Record<Grain, string>,
  semantics: GRAINS,
  manyTokens: "The episode has very many tokens: only those of the turn at the cursor are shown.",
  over: (episodes: number, played: number | null, method: string, iteration: number) =>
    `Computed here, over the ${counted(episodes, "recorded episode")} of ${method}’s iteration ${iteration}` +
    (played !== null && played > episodes
      ? `; training saw all ${played}: what is normalised over all of them can differ, a group that is recorded whole cannot.`
      : "."),
  levels:
    "“Its own level” marks rows that give credit, or take ratios, at just this grain; the others are pooled or spread.",
  colours:
    "Blue is plus, red is minus (of a ratio: above and below 1). Each row has its own scale, since some are in units of reward and some are normalised.",
  rowName: "Algorithm",
  rewards: "Reward",
  rewardsHint: "what each turn earned",
  cutOrNot:
    "the log does not tell which tokens were cut: a turn is cut where any of its tokens was",
  truth: "Truth",
  truthHint:
    "what the turn was really worth under this policy, with its 95 % interval; pale where that leaves the sign open",
  truthNone:
    "The truth is not known yet. It comes from an oracle, which plays on many times from copies of each state. While a run is live, the bar with the cursor has a button that asks it about this episode; then a row of true advantages stands here, and each algorithm is held against it.",
  correlation: "Correlation",
  correlationHint: "with the true advantages: 1 is the same up to scale",
  sign: "Right signs",
  signHint:
    "of the turns whose true sign is certain, how many have a credit of that sign; a credit of 0 counts half",
  verdict: (correlation: string, signs: string) =>
    `correlation ${correlation}, right signs ${signs}`,
  signs: (right: number, signed: number) => `${right} of ${signed}`,
  allEqual: "– (all equal)",
  oneTurn: "– (one turn)",
  agreement: (turns: number, signed: number, episodes: number) =>
    `Correlation over ${counted(turns, "turn")} of ${counted(episodes, "episode")} whose truth is known; right signs over the ${signed} whose true sign is certain.`,
  ownLevel: "its own level",
  changed: "changed",
  filtered: "left out: its group is filtered",
  equal: "all recorded rollouts of its task earned the same: no signal",
  alone: "no other recorded episode is of its task: nothing to compare",
  goTo: (title: string) => `To ${title}’s episodes`,
  turn: (h: number) => `Turn ${h}`,
  wholeEpisode: "Episode",
  open: (h: number) => `Turn ${h}: show its tokens`,
  close: (h: number) => `Turn ${h}: hide its tokens`,
  strip: "Turns of the episode",
  cut: "cut",
  free: "free",
  unused: "–",
  noRatio: "This row has no ratio and no clip.",
  toldKl:
    "the weight of its KL adapts while it trains; here it is the one of this iteration, from the log",
  adaptiveKl:
    "the weight of its KL adapts while it trains; here it is the one that a run begins with",
  clipBias:
    "its correction of the clip’s bias divides the gradient later: these numbers are the same with and without it",
  notInFile: "not in the file",
  noneInFile: "Not in the file.",
  notRecorded: "not recorded",
  forkUntrained: "No training saw this fork.",
  forkNoRatio:
    "No update has used this fork, so there is no ratio and nothing to clip; the advantages can be computed.",
  withFork: (fork: number) =>
    `Fork ${fork} stands in the place of its recorded episode: this is the credit, had it gone so.`,
  noTruth: "not known",
  add: "Add an algorithm",
  addFirst: "choose …",
  remove: (title: string) => `Remove ${title}`,
  what: "What if?",
  whatNote: "Move a slider and every row that uses it is computed anew, at once, without training.",
  target: "Change it for",
  allRows: "all rows that use it",
  more: "More settings",
  reset: "Back to the run’s settings",
  rowsOwn: (values: string) => `as set: ${values}`,
  asSet: "as set",
  noneValue: "none",
  exact: (setting: string) => `${setting}, exact`,
  numbers: "In words and numbers",
  exactNote: "Twelve digits, as the command line gives them.",
  unit: "Turn or token",
  take: "Take the batch along",
  takeNote:
    "The recorded episodes of this iteration as a file: the command below gives the same advantages outside of the page.",
  takeFor: "For",
  copy: "Copy batch",
  save: "Save batch",
  command: "Command",
  copied: "Copied.",
  notCopied: "The browser does not let the page copy. Save the batch instead.",
  saved: (file: string) => `Saved as ${file}.`,
  summaryNone: (title: string, reason: string) => `${title}: ${reason}`,
  summary: (title: string, most: string, least: string) =>
    `${title}: highest in ${most}, lowest in ${least}.`,
  summaryEqual: (title: string, value: string) => `${title}: ${value} for each.`,
} as const;
