/** UI texts of the credits panel. */
import { ASK_FOR_TRUTH, guessWords } from "../truthWords.ts";
import type { Grain, Quantity } from "./columns.ts";
import { formatBrief } from "../../numeric/format.ts";
import { counted } from "../../numeric/counted.ts";

const QUANTITIES: Record<Quantity, { name: string; about: string }> = {
  advantage: {
    name: "Advantage",
    about: "Credit: plus makes a response likelier, minus less likely.",
  },
  ratio: {
    name: "Ratio",
    about: "How many times more likely the response has become since sampling.",
  },
  clip: {
    name: "Clip",
    about: "Share of tokens that were clipped, so that they had no gradient.",
  },
};

const GRAINS: Record<Quantity, Record<Grain, string>> = {
  advantage: {
    token: "Each turn's own advantage or mean as a bar, over a cell for each token's own.",
    turn: "Per turn: its own advantage, or the mean over its tokens if a row credits tokens.",
    episode: "Per episode: the mean over all its tokens.",
  },
  ratio: {
    token: "Each turn's ratio as a bar, over a cell for each token's own.",
    turn: "Per turn: the product of its tokens’ ratios, or their geometric mean if a row uses that.",
    episode:
      "Per episode: the product of all tokens’ ratios, or their geometric mean if a row uses that.",
  },
  clip: {
    token: "A dark cell for each token that the clip cut, by itself or with its turn or episode.",
    turn: "Per turn: the share of its tokens that were cut.",
    episode: "Per episode: the share of its tokens that were cut.",
  },
};

export const words = {
  /** As named in the command palette. */
  exports: { copy: "Export batch: copy", save: "Export batch: save as a file" },
  about: "The credit that each algorithm gives this episode: same rollouts, same critics.",
  computing: "Computing …",
  trained: (title: string) => `${title}, as trained`,
  trainedHint: "from the log: values used in training",
  noTurns: "This episode has no turns to credit.",
  quantities: QUANTITIES,
  quantity: "Show",
  grain: "By",
  grains: { token: "token", turn: "turn", episode: "episode" } satisfies Record<Grain, string>,
  semantics: GRAINS,
  manyTokens: "This episode has many tokens; only those of the current turn are shown.",
  over: (episodes: number, played: number | null, method: string, iteration: number) =>
    `Computed here, over the ${counted(episodes, "recorded episode")} of ${method}’s iteration ${iteration}` +
    (played !== null && played > episodes
      ? `; training used all ${played}. Values normalised over the batch may differ from training; those of a fully recorded group do not.`
      : "."),
  levels:
    "“Native granularity” marks rows that assign credit or ratios at this level; other rows are pooled or spread.",
  colours:
    "Blue is plus, red is minus (for ratios: above and below 1). Each row has its own scale: some are in reward units, others normalised.",
  signKey: {
    advantage: { minus: "− less likely", plus: "more likely +" },
    ratio: { minus: "below 1", plus: "above 1" },
  },
  rowName: "Algorithm",
  ratios: {
    name: "Turn ratio",
    product: "product",
    mean: "mean",
    cut: "clipped",
    key: "● product ○ mean",
    band: (low: number, high: number) =>
      `grey: ${formatBrief(low)} to ${formatBrief(high)}, not clipped`,
  },
  rewards: "Reward",
  rewardsHint: "reward of each turn",
  cutOrNot: "token data are missing: a turn counts as cut if any of its tokens was",
  truth: "Truth",
  truthHint:
    "true value of the turn under this policy, with its 95 % interval; pale where the sign is uncertain",
  ask: (turns: number) =>
    `Which turn earned most? Choose one${turns < 10 ? ` ${guessWords.askKeys(turns)}` : ""}. ${guessWords.askThen}`,
  truthNone: ASK_FOR_TRUTH,
  /** May be hyphenated at the soft hyphen in a narrow column. */
  correlation: "Corre\u00adlation",
  correlationHint: "with the true advantages; 1 = equal up to scale",
  sign: "Right signs",
  signHint:
    "share of turns with a certain true sign whose credit has that sign; a credit of 0 counts half",
  verdict: (correlation: string, signs: string) => `r = ${correlation}, ${signs} signs`,
  signs: (right: number, signed: number) => `${right} of ${signed}`,
  allEqual: "– (all equal)",
  oneTurn: "– (one turn)",
  agreement: (turns: number, signed: number, episodes: number) =>
    `Correlation over ${counted(turns, "turn")} of ${counted(episodes, "episode")} with known true values; right signs over the ${signed} with a certain sign.`,
  why: "Why they differ",
  whyGroup: (title: string, reward: string, mean: string, n: number) =>
    `${title}: reward ${reward} against its group’s mean ${mean} (n = ${n}). Every turn gets the same credit.`,
  whyCritic: (title: string, byTurn: boolean, most: string, least: string) =>
    `${title}: each ${byTurn ? "turn" : "token"} against the critic’s prediction. Most for ${most}, least for ${least}.`,
  turnWorth: (n: number, value: string) => `turn ${n} (${value})`,
  ownLevel: "native granularity",
  changed: "changed",
  filtered: "left out: the filter drops its group",
  equal: "no signal: all recorded rollouts of its task have equal reward",
  alone: "nothing to compare: its task has no other recorded episode",
  goTo: (title: string) => `To ${title}’s episodes`,
  turn: (h: number) => `Turn ${h}`,
  wholeEpisode: "Episode",
  open: (h: number) => `Turn ${h}: show its tokens`,
  close: (h: number) => `Turn ${h}: hide its tokens`,
  cut: "cut",
  free: "free",
  unused: "–",
  noRatio: "This row uses no ratio and no clip.",
  recordedKl: "its KL weight adapts during training; shown for this iteration, from the log",
  adaptiveKl: "its KL weight adapts during training; shown at its initial value",
  clipBias:
    "its clip-bias correction scales the gradient later, so these numbers do not depend on it",
  notANumber: "not a number",
  notInFile: "not in the file",
  noneInFile: "Not in the file.",
  notRecorded: "not recorded",
  forkUntrained: "This fork was not trained on.",
  forkNoRatio:
    "No update used this fork, so it has no ratio and no clip; its advantages can be computed.",
  withFork: (fork: number) =>
    `Fork ${fork} replaces its recorded episode: the credit it would have received.`,
  add: "Add an algorithm",
  addFirst: "choose …",
  added: "Added algorithms",
  remove: (title: string) => `Remove ${title}`,
  what: "What if?",
  whatNote: "Move a slider to recompute every row that uses it, without training.",
  target: "Apply to",
  allRows: "all rows that use it",
  more: "More settings",
  reset: "Back to the run’s values",
  resetUsual: "Back to the usual values",
  rowsOwn: (values: string) => `run's value: ${values}`,
  asSet: "run's value",
  /** If the run's own settings are unknown, or none of its methods is meant. */
  rowsUsual: (values: string) => `usual value: ${values}`,
  usual: "usual value",
  noneValue: "none",
  exact: (setting: string) => `${setting}, exact`,
  numbers: "Summary and table",
  exactNote: "Twelve digits, as on the command line.",
  unit: "Turn or token",
  take: "Export batch",
  takeNote:
    "The recorded episodes of this iteration as a file; the command below computes the same advantages.",
  takeFor: "For",
  copy: "Copy batch",
  save: "Save batch",
  command: "Command",
  summaryNone: (title: string, reason: string) => `${title}: ${reason}`,
  summary: (title: string, most: string, least: string) =>
    `${title}: highest in ${most}, lowest in ${least}.`,
  summaryEqual: (title: string, value: string) => `${title}: ${value} for each.`,
} as const;
