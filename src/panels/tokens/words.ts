/** Words of the token panel. */
import { counted } from "../../numeric/counted.ts";
export const words = {
  coming: "Reading the episode …",
  noTokens:
    "This run recorded no tokens, so there is only the text. Numbers of whole turns are in the turn ribbon.",
  noTurnTokens: "tokens not recorded",
  environment: "Environment",
  model: "Model",
  turn: (h: number) => `Turn ${h + 1}`,
  environmentNote:
    "Grey text is the environment's: the model did not sample it, so it has no log-prob, no advantage and no gradient. It is the observation; what the model really read, with what stands around the observation, unfolds below it.",
  moreLetters: (more: number, left: number) =>
    more === left ? `Show the last ${left} letters` : `Show ${more} of ${left} more letters`,
  fewerLetters: "Show the beginning only",
  prompt: (turn: number) => `All that the model read before turn ${turn + 1}`,
  promptOpening: "The prompt is being made …",
  promptCounts: (environment: number, model: number) =>
    `${environment + model} tokens: ` +
    (model === 0
      ? "all of them grey, the environment's."
      : `${environment} of the environment, grey, and ${model} in frames that the model wrote in earlier turns.`),
  promptMade:
    "The run's log has the observations only; what was read is made again by the adapter that writes the prompts of its policies. There is no system text and no chat template: these models read a mark for each thing that is shown, then how much is left (<t5>: five turns; in Sokoban <a10>: ten actions), then <|sep|>, at which V(s) is read.",
  promptPart: (who: "environment" | "model", turn: number) =>
    `${who === "model" ? "Model" : "Environment"}, turn ${turn + 1}:`,
  moreTokens: (more: number, left: number) =>
    more === left ? `Show the last ${left} tokens` : `Show ${more} of ${left} more tokens`,
  promptOfOthers:
    "It is not known: this file does not tell how prompts were made of the observations.",
  promptWithoutTokens:
    "It is not known: in this run a turn sees all earlier responses, and the log does not have their tokens.",
  promptWithoutActions:
    "It is not known: the prompt tells how many actions are left, and the log does not tell which were done.",
  promptFailed: (reason: string) =>
    `It is not known: the observation is not what this run's environment shows (${reason}).`,
  contexts: {
    turn: "In this run a turn sees its own grey text only, not the turns before.",
    full: "In this run a turn sees all that stands above it.",
  },
  colour: "Colour",
  measures: {
    advantage: {
      name: "advantage",
      hint: "the credit of the token: plus means more of this, minus less",
    },
    ratio: {
      name: "ratio",
      hint: "plus: likelier than when it was sampled; minus: less likely",
    },
    logprob: {
      name: "log-prob when sampled",
      hint: "minus: the stronger, the less likely the token was",
    },
    entropy: {
      name: "entropy",
      hint: "plus: the stronger, the less sure the model was of its next token",
    },
    value: { name: "V before the token", hint: "what the critic expected before the token" },
    valueChange: {
      name: "change of V",
      hint: "plus: with this token the critic came to expect more, minus: less",
    },
    cut: {
      name: "clip",
      hint: "plus: the clip cut a token that was to become likelier, minus: less likely",
    },
  },
  legendClip: "Blue and a line below: cut at A > 0. Red and dots below: cut at A < 0.",
  legendNoClip: "The clip cut no token here, or it is not told.",
  cutAs: { plus: "cut at A > 0", minus: "cut at A < 0", zero: "not cut" },
  legend: (limit: string) =>
    `Blue and a line below: above 0. Red and dots below: below 0. Full colour from ±${limit} on.`,
  legendRatio: (limit: string) =>
    `Blue and a line below: likelier now. Red and dots below: less likely now. Full colour from a factor of ${limit} on.`,
  legendNone: "Nothing to colour: this number is 0, or not recorded, for every token here.",
  sharedCredit: "All tokens of a turn have the same credit here.",
  noTokenCritic: "No critic of this run has valued single tokens.",
  otherCritic: (title: string) => `V is what the critic of ${title} says.`,
  conversation: "The conversation, token by token",
  summary: (tokens: number, turns: number) =>
    `${counted(tokens, "token")} in ${counted(turns, "turn")}.`,
  leastLikely: (text: string, turn: number, p: string, written: boolean) =>
    `The least likely was “${text}” in turn ${turn + 1} (` +
    (written
      ? `as you wrote it; the policy gives it ${p}).`
      : `probability ${p} when it was sampled).`),
  leastSure: (text: string, turn: number, entropy: string) =>
    `The model was least sure before “${text}” in turn ${turn + 1} (entropy ${entropy}).`,
  part: (page: number, pages: number, from: number, to: number) =>
    `Long conversation: part ${page} of ${pages} is drawn, turns ${from} to ${to}.`,
  partOfTurn: (page: number, pages: number, turn: number, from: number, to: number) =>
    `Long conversation: part ${page} of ${pages} is drawn, tokens ${from} to ${to} of turn ${turn}.`,
  previousPart: "Part before",
  nextPart: "Part after",
  numbers: "The token at the cursor",
  choose: "Choose a token, by a click or with n and p, to see its numbers.",
  place: (token: number, tokens: number, turn: number) =>
    `token ${token + 1} of ${tokens} in turn ${turn + 1}`,
  meanings: "What the numbers say",
  rows: {
    text: "Text",
    id: "Id",
    oldLogprob: { name: "Log-prob when sampled", hint: "under the policy before the updates" },
    probability: { name: "Probability when sampled", hint: "exp of that log-prob" },
    logprob: { name: "Log-prob at the last use", hint: "in the last update that used the episode" },
    ratio: { name: "Ratio", hint: "exp(log-prob at the last use − log-prob when sampled)" },
    clip: { name: "Clip", hint: "whether the objective's clip cuts the token's gradient" },
    entropy: { name: "Entropy", hint: "how unsure the model was of this token, in nats" },
    advantage: { name: "Advantage", hint: "the credit it was trained with" },
    value: { name: "V before it", hint: "what the critic expected before the token" },
  },
  clip: {
    cut: "cut: the ratio is out of range on the side the advantage pulls to",
    dual: "cut by dual clip: A is below 0, and the ratio is too far above 1",
    kept: "not cut",
    held: "cut to the edge of the range: that is its weight, and the gradient stays",
    turn: "not cut: judged for the whole turn",
    turnCut: "the whole turn is cut",
    turnDual: "the whole turn is cut, by dual clip",
    episode: "not cut: judged for the whole episode",
    episodeCut: "the whole episode is cut",
    episodeDual: "the whole episode is cut, by dual clip",
    fileCut: "cut: the file says that the token was left out of the loss",
    fileKept: "not cut, as the file says",
    untold: "– (the file does not tell what a clip cut)",
    unknown: "–",
    fork: "– (no update has used this fork)",
  },
  table: "These tokens as a table",
  columns: ["Turn", "Token", "Text", "Log-prob sampled", "Ratio", "Entropy", "Advantage", "V"],
  absent: "–",
  emptyToken: "∅",
  whitespace: "· is a space, ↵ a new line, ⇥ a tab, ∅ no text at all.",
  keys: "Keys in here: n and p or → and ← from token to token, Home and End to the first and last, j and k from turn to turn.",
} as const;

export type Measure = keyof typeof words.measures;
