/** UI texts of the opening page's figure. */
import { guessWords } from "../../figures/truthWords.ts";
import { counted } from "../../numeric/counted.ts";
import { greatest, least } from "../../numeric/lists.ts";

export const openingWords = {
  title: "One episode, three credits",
  /** When shown alone. */
  figure: "Who earned the reward?",
  happened: "What happened",
  happenedHint: "The board before each turn, and what the model wrote",
  turn: (n: number) => `Turn ${n}`,
  end: "End",
  solved: "Solved",
  reward: (text: string) => `reward ${text}`,
  methods: {
    grpo: "one score for all",
    "token-ppo": "token by token",
    "turn-ppo": "turn by turn",
  } as Record<string, string>,
  truth: "True credit",
  ...guessWords,
  replays: (branches: number) => `${branches} replays a turn`,
  hidden: "hidden until you guess",
  ask: "Your turn: which move earned the reward?",
  askHow: "Choose a board",
  sameForAll: (title: string) => `${title} gives every turn the same credit.`,
  scale: "Each row has its own scale: compare bars within a row.",
  statement: (best: number, paid: string) => `Turn ${best} earned the reward.${paid}`,
  paid: (title: string, turns: number) => ` ${title} paid all ${turns} the same.`,
  play: "Play",
  pause: "Pause",
  lens: "Open in the lens",
  thinks: {
    text: "Watch one that thinks",
    href: "#lesson/talker/run?view=lens&layout=words&at=grpo,1,8,1&credits:grain=token",
  },
  made: "How it was made",
  chosenFrom: (n: number) => `${counted(n, "episode fits", "episodes fit")} the rule.`,
  fingerprint: (hex: string) => `Fingerprint of the run: ${hex.slice(0, 12)}…`,
  moves: {
    wall: "walks into a wall",
    walk: "walks",
    push: "pushes the box",
    target: "pushes it onto the target",
    still: "does not move",
  },
  live: {
    title: "What each learned",
    curves: "Learning curves",
    start: (n: number) => (n === 1 ? "Train it in this browser" : `Train all ${n} in this browser`),
    takes: (time: string) => `Takes about ${time}.`,
    local: "Nothing is uploaded.",
    note: "Nothing is uploaded. Until you start, you see a recorded run.",
    statement: (title: string, value: string, iteration: number) =>
      `${title} leads this run: ${value} solved at iteration ${iteration}.`,
    running: "Training here. The bar below has the controls.",
    leads: (title: string, iteration: number, value: string) =>
      `${title} leads on held-out success at iteration ${iteration}: ${value}`,
    then: (rest: readonly string[]) => `, then ${rest.join(", ")}.`,
    level: (iteration: number, value: string) =>
      `No leader yet: at iteration ${iteration} the best two have ${value} held-out success.`,
    soFar: (title: string, from: number, to: number, value: string) =>
      `${title} leads in training: ${value} solved in iterations ${from} to ${to}`,
    levelSoFar: (from: number, to: number, shares: readonly string[]) =>
      `No clear leader in training, iterations ${from} to ${to}: ${shares.join(", ")}.`,
    untested: (iteration: number) =>
      `Measured on each method's own training tasks. New levels are tested at iteration ${iteration}.`,
    oneSeed: "This is one seed: another can change the order.",
  },
  missing: "The figure could not be loaded.",
} as const;

/** Columns of the saved table. */
export const numbersWords = {
  turn: ["turn", "response", "actions", "reward"],
  truth: ["true credit", "95 % from", "to"],
  cuts: ["method", "turn", "piece", "credit"],
} as const;

/** UI texts of the figure that cuts the episode. */
export const cutsWords = {
  title: (turns: number) => `The same ${turns} turns, cut in three ways.`,
  scale: "Stronger colour means more credit, on one scale for all three.",
  grpo: (others: number) => `One number for the episode, against ${others} other rollouts.`,
  token: (tokens: number) => `One number for each of ${tokens} tokens, against a prediction.`,
  tokenMeans: "One number for each token; here the mean of each turn.",
  byTurn: "One number for each turn, shared by all its tokens.",
  turn: (n: number) => `Turn ${n}: `,
  range: (all: readonly number[]) =>
    `From ${least(all).toFixed(2)} to ${greatest(all).toFixed(2)}.`,
} as const;
