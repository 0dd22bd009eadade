/** Words of the critic panel. */
import { counted } from "../../numeric/counted.ts";
export const words = {
  fork: (number: number) =>
    `The critic is judged by the run’s own episodes: fork ${number} is not among them. The board below is the fork’s.`,
  about:
    "A critic guesses, before each turn, what the rest of the episode will bring: V. Here its guesses stand beside what became of them.",
  noCritic:
    "No critic of this run has valued these episodes: GRPO and its relatives learn without one. Run a method with a critic, such as Turn-PPO, beside it.",
  valuesNotInFile:
    "The values are not in the file, so that no critic can be judged here. The program that wrote it may have had one.",
  borrowed: (title: string, critic: string) =>
    `${title} has no critic; judged here is what the critic of ${critic} says of the same turns.`,
  noPairs: "None of these turns has both a value and a return that are numbers.",
  without: (n: number) => `${counted(n, "turn")} without a finite value are left out.`,
  span: "Turns of",
  spans: (n: number) => (n === 1 ? "this iteration" : `the last ${n} iterations`),
  spanCapped: (n: number) => ` Taken are the newest ${counted(n, "iteration")}: more are too many.`,
  spanNote: "each with the critic as it then was",
  against: "Held against",
  againsts: {
    target: "its training target R",
    came: "the rewards that came",
  },
  againstHints: {
    target: "R is what the critic is trained towards. With λ below 1 it holds some of V itself.",
    came: "the discounted rewards from the turn to the end: no guess in them",
  },
  y: { target: "target R", came: "rewards that came", truth: "true V" },
  scatter: "V against what became of it",
  scatterHint:
    "One dot a turn. On the slanted line the guess was right; below it too hopeful, above it too gloomy.",
  hollow: {
    /** Of a run that does not bootstrap. */
    ends: "hollow: the episode ran into its limit, which in this run is an end like any other, so that nothing is missing",
    /** Of one that does. */
    missing: "hollow: the episode was cut off, so that later rewards are missing",
    guessed:
      "hollow: the episode was cut off; R has the critic's own guess for what would have come later",
    unknown:
      "hollow: the episode was cut off (whether training counts that as its end is not said)",
  },
  untrained: (turns: number) =>
    `The critic says 0 of all ${counted(turns, "turn")}: it has not learned yet, and there is nothing to judge. Go to a later iteration.`,
  squares: "squares: means of turns with nearly equal V, with 95 % intervals (calibration)",
  ring: "Ring: the episode at the cursor",
  drawn: (shown: number, all: number) => `${shown} of ${all} turns are drawn.`,
  noBins: "Calibration needs at least ten turns: take more iterations together",
  dependent: "Turns of one episode go together, so that the true intervals are wider.",
  summary: (turns: number, episodes: number, value: string, mean: string, what: string) =>
    `${counted(turns, "turn")} of ${counted(episodes, "episode")}: on average the critic said ${value}, and the ${what} were ${mean}.`,
  one: "A single turn has no variance to explain.",
  error: (error: string) => `Typical error (root mean square): ${error}.`,
  explained: (share: string, verdict: string) => `Explained variance: ${share}, ${verdict}.`,
  /** Below -100 % the number itself says no more than that. */
  farBelow: (few: boolean) =>
    `Explained variance: worse than always saying the mean (${few ? "few, nearly equal targets" : "targets nearly equal beside the error"}).`,
  belowAxis: "below −100 %",
  verdicts: {
    worse: "worse than always saying the mean",
    none: "hardly better than always saying the mean",
    some: "part of what differs between turns",
    most: "most of what differs between turns",
  },
  byTurn: "Explained variance by turn",
  byTurnHint:
    "100 % is perfect, 0 % no better than the mean of all h-th turns; later turns are often harder, having less left to tell apart.",
  ofRun: "the run's own metric, over all episodes",
  ofRecorded: "over the turns shown here",
  clipped: "An arrow: further down than the axis.",
  capped: (shown: number, all: number) =>
    `The first ${shown} of ${all} turns are drawn; the table has all.`,
  turnName: (h: number) => `Turn ${h + 1}`,
  overall: (metric: string) =>
    `The run's own explained variance in this iteration, over all its episodes: ${metric}. The recorded ones:`,
  truth: "V against the truth",
  truthHint:
    "The truth is what this policy really earns from a state, by playing on many times from copies of it.",
  truthNone:
    "The true values are not known yet. They come from an oracle, which plays on many times from copies of each state: in a live run, press “Find the truth” in the bar above, and V of that episode is held against them here.",
  truthOther: (truth: string, critic: string) =>
    `The true values that are known are of another kind than this critic's V, so the two are not held against each other: they were found with ${truth}, and the critic works with ${critic}.`,
  truthSummary: (n: number, value: string, truth: string, error: string, inside: string) =>
    `${counted(n, "turn")}: V is ${value} on average, the truth ${truth}; typical error ${error}; ${inside} of the values lie within the truth's 95 % interval.`,
  notKnown: "–",
  tables: {
    points: "Turns in numbers",
    bins: "Calibration in numbers",
    turns: "Explained variance in numbers",
    truth: "Truth in numbers",
    landscape: "Landscape in numbers",
  },
  heads: {
    points: ["iteration", "episode", "turn", "V", "target R", "rewards that came", "cut off"],
    bins: ["mean V", "mean of what came", "95 % from", "to", "turns"],
    turns: ["turn", "turns here", "explained here", "explained, whole iteration"],
    landscape: ["square", "V", "against where the player stands"],
    truth: ["iteration", "episode", "turn", "V", "true V", "95 % from", "to"],
  },
  rowsCapped: (shown: number, all: number) =>
    `The first ${shown} of ${all}; the file has all of them, with all their digits.`,
  save: "Save all as CSV",
  yes: "yes",
  no: "",
  landscape: "The value landscape",
  landscapeHint:
    "What the critic would say if the player stood on each free square instead, all else being as it was in the turn at the cursor.",
  landscapeNoBoard:
    "The turn at the cursor shows no Sokoban board, so there are no squares to stand on.",
  landscapeNeedsLive:
    "This needs the critic itself, and a log does not keep its weights. Press Run, let an iteration finish, then ask here.",
  landscapeNoNumbers: "No critic of the run gave a number.",
  landscapeWhose: (critic: string, trained: number) =>
    `V of ${critic}’s critic as it is now, after ${counted(trained, "iteration")}.`,
  landscapeThen: (value: string, iteration: number) =>
    `When the turn was played, in iteration ${iteration}, it was ${value} where the player stands: the critic has learned since.`,
  landscapeColours: "Blue: better than where the player stands (the framed square); red: worse.",
  ask: (turn: number) => `Ask the critic about turn ${turn}`,
  askAlways: "Ask again whenever the cursor moves",
  asking: "Asked; the answer comes between two steps of the run …",
  refused: (message: string) => `No answer: ${message}`,
  standing: (value: string, where: string) =>
    `Where the player stands, at ${where}, V is ${value}.`,
  best: (value: string, where: string) => `Highest: ${value} at ${where}.`,
  worst: (value: string, where: string) => `Lowest: ${value} at ${where}.`,
  place: (row: number, column: number) => `row ${row}, column ${column}`,
} as const;
