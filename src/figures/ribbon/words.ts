/** UI texts of the turn ribbon. Each row's hint says how to read it. */
import { hintOf } from "../../spec/glossary.ts";
export const words = {
  noTurns: "This episode has no turns.",
  table: "The episode turn by turn",
  turn: (h: number) => `Turn ${h + 1}`,
  end: "End",
  page: {
    search: "Search page",
    item: "Product",
    section: "About a product",
    done: "Bought",
    score: (text: string) => `score ${text}`,
    option: (name: string, count: number, chosen: string | null) =>
      chosen === null ? `${name}: one of ${count}` : `✓ ${name}: ${chosen}`,
    opened: "✓",
    more: (n: number) => `and ${n} more`,
    noProducts: "no products",
  },
  picture: "Picture",
  noText: "(nothing)",
  /** Null if a file does not have it. */
  actions: (names: readonly string[] | null) => {
    if (names === null) return "actions not in the file";
    return names.length === 0 ? "no action" : `does: ${names.join(", ")}`;
  },
  total: (reward: string) => `total ${reward}`,
  noCritic: "no critic",
  rows: {
    seen: {
      name: "Observation",
      hint: "the board, or a small page of the shop (✓: chosen); for other texts, new lines only. “Turn in full” below shows everything",
    },
    written: {
      name: "Response",
      hint: "the start of the response, and its actions",
    },
    reward: { name: "Reward", symbol: "r", hint: hintOf("reward") },
    value: { name: "Value", symbol: "V(s)", hint: hintOf("value") },
    delta: {
      name: "TD error",
      symbol: "δ",
      hint: "r + γ V(next turn) − V(this turn): the critic's surprise",
    },
    advantage: {
      name: "Advantage",
      symbol: "A",
      hint: hintOf("advantage"),
    },
    return: { name: "Return", symbol: "R", hint: "the critic's training target" },
    returnToGo: {
      name: "Return",
      symbol: "R",
      hint: "the discounted rewards from this turn on; this method has no critic",
    },
    returnComputed: {
      name: "Return R, computed here",
      hint: "the discounted rewards from this turn on; the file has no returns",
    },
    returnOfFork: {
      name: "Return",
      symbol: "R",
      hint: "the discounted rewards from this turn on",
    },
    ratio: {
      name: "Ratio",
      hint: hintOf("ratio"),
    },
    truth: {
      name: "True V",
      hint: "the policy's mean return from here, over many continuations; with its 95 % interval",
    },
  },
  allRows: "All rows",
  meanings: "Row legend",
  tags: {
    clipped: {
      name: "clipped",
      hint: "clipped: zero gradient for the turn or some of its tokens, because a further move would increase the objective",
    },
    dual: {
      name: "dual clip",
      hint: "with A < 0 the turn or some of its tokens became far likelier, so dual clip limits the loss: zero gradient",
    },
  },
  noValues: "No critic valued this episode, so it has no values and no TD errors.",
  valuesNotInFile: "The file has no values, so there are no TD errors.",
  whose: (critic: string, gamma: string) => `V is from the critic of ${critic}; γ = ${gamma}.`,
  own: (title: string) => `${title} itself`,
  withoutCritic: (title: string, critic: string) =>
    `${title} has no critic; V is from the critic of ${critic}.`,
  gamma: (gamma: string) => `γ = ${gamma}.`,
  tokenSteps: "Its steps are tokens: a turn's TD error is the discounted sum over its tokens.",
  readAt: {
    "turn-end": "V is read before the last token of the response.",
    "turn-mean": "V is the mean over the response's tokens.",
  },
  bootstrapped: (value: string) =>
    `The episode was cut off: training bootstrapped with V = ${value} after its last turn, and the last TD error includes it.`,
  cutOff:
    "The episode was cut off and training bootstrapped with an unrecorded value: the last TD error here uses 0.",
  process: (isTrue: boolean) =>
    `Rewards in the TD error${isTrue ? ", and the true values," : ""} include process rewards.`,
  unpaidTruth: "True values are not shown: they leave out the process rewards of this episode.",
  otherTruth: (truth: string, critic: string) =>
    `True values use ${truth}, this critic ${critic}: part of the gap between them comes from that.`,
  unknownGamma: "The run's settings are unknown: γ = 1 is assumed.",
  surprise: (turn: number, delta: string, story: string) =>
    `Largest TD error: turn ${turn + 1}, δ = ${delta} (${story}).`,
  untrained: "The critic predicts 0 everywhere: it has not learned yet.",
  noSurprise: "Every TD error of this episode is 0.",
  story: (value: string, reward: string, next: string) =>
    `V was ${value}, the reward ${reward}, the next V ${next}`,
  over: "0, as the episode ended",
  clippedTurns: (here: number, all: number) =>
    `Clipped turns: ${here} in this episode, ${all} in the recorded episodes of the iteration.`,
  clipsUnknown: "No clip data in the file.",
  clipsPartly: (known: number, turns: number) =>
    `Only ${known} of the iteration's ${turns} turns have clip data.`,
  clipUnknown: "no clip data",
  noErrors: "No TD errors are available.",
  noneClipped: "No turn of the iteration was clipped.",
  noneKnown: (known: number, turns: number) =>
    known === 1
      ? `The only turn with clip data was not clipped; no data for the other ${turns - known}.`
      : `None of the ${known} turns with clip data was clipped; no data for the other ${turns - known}.`,
  fork: "This fork was not trained on: it has no trained advantage, ratio or clip. The panel Credits computes its credit.",
  jump: "Jump to",
  jumps: {
    largestError: "largest TD error",
    largestErrorOfAll: "largest of iteration",
    nextClipped: "next clip",
    mostClipped: "most clipped",
    firstTurn: "first",
    lastTurn: "last",
  },
  chart: "Values and rewards over the turns",
  legend: "Legend",
  marks: {
    value: (critic: string) => `V(s), ${critic}’s critic`,
    return: "return",
    returnComputed: "return, computed here",
    reward: "reward",
    delta: "TD error (up: better)",
    truth: "true V",
    discount: (gamma: string, steps: string | null) =>
      steps === null ? `γ = ${gamma}` : `γ = ${gamma} per ${steps}`,
    interval: "95 % interval",
  },
  full: (h: number) => `Turn ${h + 1} in full`,
  shown: "Observation",
  wrote: "Response",
  penalty: (text: string) => `format penalty ${text}`,
  keys: "Keys: j and k (or → and ← on a turn) move between turns, h and l between episodes; e and E go to the largest TD error, x and X to the next and the most clipped turn, Home and End to first and last.",
} as const;
