/** UI texts of the token panel. */
import { hintOf } from "../../spec/glossary.ts";
import { counted, plural } from "../../numeric/counted.ts";
export const words = {
  noTokens: "This run recorded no tokens, only text. The ribbon has the data of whole turns.",
  noTurnTokens: "tokens not recorded",
  environment: "Environment",
  model: "Model",
  turn: (h: number) => `Turn ${h + 1}`,
  chat: "Chat",
  end: "End",
  notTrained: "not trained",
  asked: (tokens: number) => [String(tokens), ` ${plural(tokens, "token")},`] as const,
  trained: (tokens: number) => `${counted(tokens, "token")}, trained`,
  rewardBefore: "Reward",
  left: { moves: "moves", turns: "turns left", both: ", " },
  total: (reward: string) => `reward ${reward}`,
  noThought: "(no thought)",
  foldHint: "open, fold",
  allThoughts: { open: "Open all", fold: "Fold all" },
  marks: {
    agrees: "as the thought says",
    says: (moves: string) => `thought says ${moves}`,
    fits: "thought fits the board",
    misreads: "thought misreads the board",
    fails: "its moves do not work",
    open: "thought never closes",
    unread: "thought cannot be read",
    none: "no thought",
  },
  environmentNote:
    "Grey text is the environment's: the model did not sample it, so it has no log-prob, no advantage and no gradient. It is the observation; expand below to see the full prompt.",
  moreLetters: (more: number, left: number) =>
    more === left ? `Show the last ${left} characters` : `Show ${more} of ${left} more characters`,
  fewerLetters: "Show only the start",
  prompt: (turn: number) => `Full prompt of turn ${turn + 1}`,
  promptOpening: "Building the prompt …",
  promptCounts: (environment: number, model: number) =>
    `${environment + model} tokens: ` +
    (model === 0
      ? "all grey, the environment's."
      : `${environment} from the environment (grey), ${model} from the model's earlier turns (framed).`),
  promptMade:
    "The log has only the observations; the prompt is reconstructed. There is no system text and no chat template: these models read one token per shown item, then the remaining budget (<t5>: five turns; in Sokoban <a10>: ten actions), then <|sep|>, where V(s) is read.",
  chatMade:
    "The log has only the observations. The prompt is rebuilt: RAGEN's text in Qwen's chat template.",
  promptPart: (who: "environment" | "model", turn: number) =>
    `${who === "model" ? "Model" : "Environment"}, turn ${turn + 1}:`,
  moreTokens: (more: number, left: number) =>
    more === left ? `Show the last ${left} tokens` : `Show ${more} of ${left} more tokens`,
  promptOfFolder: "The model's folder has its tokens: the model can tell them.",
  promptOfCode: "Unknown: the run does not carry the code that wrote it.",
  askPrompt: "Show what the model read",
  promptAnswered: "The model's own tokens, as its tokenizer reads them.",
  promptOfOthers: "Unknown: this file does not describe how prompts were made.",
  promptWithoutTokens:
    "Unknown: a turn sees all earlier responses, and the log lacks their tokens.",
  promptWithoutActions:
    "Unknown: the prompt contains the number of actions left, and the log lacks the actions taken.",
  promptFailed: (reason: string) =>
    `Unknown: the observation does not match this run's environment (${reason}).`,
  contexts: {
    turn: "In this run a turn sees only its own grey text, not earlier turns.",
    full: "In this run a turn sees everything above it.",
  },
  colour: "Colour by",
  of: (method: string, measure: string) => `${method}’s ${measure}`,
  signs: { minus: "less likely", plus: "more likely" },
  measures: {
    advantage: {
      name: "advantage",
      hint: "credit of the token: plus means more of this, minus less",
    },
    ratio: {
      name: "ratio",
      hint: "plus: likelier than at sampling; minus: less likely",
    },
    logprob: {
      name: "log-prob when sampled",
      hint: "minus: the stronger, the less likely the token",
    },
    entropy: {
      name: "entropy",
      hint: "plus: the stronger, the less certain the next token",
    },
    value: { name: "V before the token", hint: "the critic's value before the token" },
    valueChange: {
      name: "change of V",
      hint: "plus: the critic's value rose with this token; minus: it fell",
    },
    other: {
      name: "advantage",
      hint: "credit that this method would give the token: computed here, over the recorded episodes",
    },
    cut: {
      name: "clip",
      hint: "plus: clipped while becoming likelier; minus: while becoming less likely",
    },
  },
  legendClip: "Blue and a line below: cut at A > 0. Red and dots below: cut at A < 0.",
  legendNoClip: "No token here was clipped, or there is no clip data.",
  cutAs: { plus: "cut at A > 0", minus: "cut at A < 0", zero: "not cut" },
  legend: (limit: string) =>
    `Blue and a line below: above 0. Red and dots below: below 0. Full colour from ±${limit} on.`,
  legendRatio: (limit: string) =>
    `Blue and a line below: likelier now. Red and dots below: less likely now. Full colour from a factor of ${limit} on.`,
  legendNone: "Nothing to colour: this value is 0 or not recorded for every token here.",
  sharedCredit: "All tokens of a turn have the same credit here.",
  noTokenCritic: "No critic of this run valued single tokens.",
  otherCritic: (title: string) => `V is from the critic of ${title}.`,
  conversation: "The conversation, token by token",
  summary: (tokens: number, turns: number) =>
    `${counted(tokens, "token")} in ${counted(turns, "turn")}.`,
  leastLikely: (text: string, turn: number, p: string, written: boolean) =>
    `Least likely: “${text}” in turn ${turn + 1} (` +
    (written ? `your text; the policy's probability is ${p}).` : `probability ${p} at sampling).`),
  leastSure: (text: string, turn: number, entropy: string) =>
    `Highest entropy: before “${text}” in turn ${turn + 1} (${entropy}).`,
  part: (page: number, pages: number, from: number, to: number) =>
    `Long conversation: part ${page} of ${pages}, turns ${from} to ${to}.`,
  partOfTurn: (page: number, pages: number, turn: number, from: number, to: number) =>
    `Long conversation: part ${page} of ${pages}, tokens ${from} to ${to} of turn ${turn}.`,
  previousPart: "Previous part",
  nextPart: "Next part",
  numbers: "The token at the cursor",
  choose: "Click a token, or press n or p, to see its values.",
  place: (token: number, tokens: number, turn: number) =>
    `token ${token + 1} of ${tokens} in turn ${turn + 1}`,
  meanings: "Legend",
  rows: {
    text: { name: "Text" },
    id: { name: "Id" },
    oldLogprob: { name: "Log-prob when sampled", hint: "under the policy before the updates" },
    probability: { name: "Probability when sampled", hint: "exp of that log-prob" },
    logprob: {
      name: "Log-prob at the last use",
      hint: "in the last update that used the episode",
    },
    ratio: { name: "Ratio", hint: "exp(log-prob at the last use − log-prob when sampled)" },
    clip: { name: "Clip", hint: "whether the clip removes the token's gradient" },
    entropy: { name: "Entropy", hint: hintOf("entropy") },
    advantage: { name: "Advantage", hint: "its credit in training" },
    value: { name: "V before it", hint: "the critic's value before the token" },
  },
  clip: {
    cut: "clipped: zero gradient",
    dual: "clipped by dual clip: A is below 0 and the ratio too far above 1",
    kept: "not cut",
    held: "limited to the edge of the range, as a weight; the gradient stays",
    turn: "not cut: decided for the whole turn",
    turnCut: "the whole turn is cut",
    turnDual: "the whole turn is cut, by dual clip",
    episode: "not cut: decided for the whole episode",
    episodeCut: "the whole episode is cut",
    episodeDual: "the whole episode is cut, by dual clip",
    fileCut: "cut: left out of the loss, according to the file",
    fileKept: "not cut, according to the file",
    noData: "– (no clip data)",
    unknown: "–",
    fork: "– (no update has used this fork)",
  },
  table: "Token table",
  columns: ["Turn", "Token", "Text", "Log-prob sampled", "Ratio", "Entropy", "Advantage", "V"],
  absent: "–",
  emptyToken: "∅",
  whitespace: "· is a space, ↵ a new line, ⇥ a tab, ∅ no text at all.",
  keys: "Keys: n and p or → and ← move between tokens, Home and End to first and last, j and k between turns.",
} as const;

export type Measure = keyof typeof words.measures;
