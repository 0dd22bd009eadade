/** Words of the critic panel. */
import { ASK_FOR_TRUTH } from "../truthWords.ts";
import { counted, plural } from "../../numeric/counted.ts";
export const words = {
  fork: (number: number) =>
    `The critic is judged on the run’s own episodes, without fork ${number}. The board below is the fork’s.`,
  about:
    "Before each turn a critic predicts the return from there on: V. Here V is compared with what came.",
  noCritic:
    "No values: GRPO and its relatives have no critic. Also run a method with one, such as Turn-PPO.",
  valuesNotInFile: "The file has no values; the program that wrote it may have had a critic.",
  borrowed: (title: string, critic: string) =>
    `${title} has no critic; these are the values of ${critic}’s critic for the same turns.`,
  noPairs: "None of these turns has both a finite value and a finite return.",
  without: (n: number) => `${counted(n, "turn")} without a finite value are not shown.`,
  span: "Turns of",
  spans: (n: number) => (n === 1 ? "this iteration" : `the last ${n} iterations`),
  spanCapped: (n: number) => ` Only the latest ${counted(n, "iteration")} fit.`,
  spanNote: "each with the critic of that iteration",
  against: "Compared with",
  againsts: {
    target: "its training target R",
    came: "observed return",
  },
  againstHints: {
    target: "R is the critic's training target. With λ below 1 it contains part of V itself.",
    came: "the discounted rewards from this turn to the end: no prediction in them",
  },
  y: { target: "target R", came: "observed return", truth: "true V" },
  scatter: "Value against return",
  scatterHint:
    "One dot per turn. On the diagonal V is right; below it V overestimates, above it V underestimates.",
  hollow: {
    /** For a run that does not bootstrap. */
    ends: "hollow: hit the turn limit (treated as a normal end)",
    /** For one that does. */
    missing: "hollow: cut off, so later rewards are missing",
    guessed: "hollow: cut off; R ends with the critic's own prediction",
    unknown: "hollow: cut off (the log does not say how training treats that)",
  },
  untrained: (turns: number) =>
    `The critic predicts 0 for all ${counted(turns, "turn")}: it has not learned yet. Go to a later iteration.`,
  squares: "squares: means of turns with similar V, with 95 % intervals (calibration)",
  /** After a title. */
  of: (first: number, last: number) => `, iterations ${first} to ${last}`,
  ring: "Ring: the episode at the cursor",
  drawn: (shown: number, all: number) => `${shown} of ${all} turns are shown.`,
  noBins: "Calibration needs at least ten turns: include more iterations",
  dependent: "Turns of one episode are correlated, so the true intervals are wider.",
  summary: (
    turns: number,
    episodes: number,
    span: string,
    value: string,
    mean: string,
    what: string,
  ) =>
    `${counted(turns, "turn")} of ${counted(episodes, "episode")}${span}: mean value ${value}, mean ${what} ${mean}.`,
  one: "A single turn has no variance to explain.",
  error: (error: string) => `Typical error (root mean square): ${error}.`,
  explained: (share: string, verdict: string) => `Explained variance: ${share}, ${verdict}.`,
  /** Below -100 % the number itself means no more than that. */
  farBelow: (few: boolean) =>
    `Explained variance: worse than predicting the mean (${few ? "few, nearly equal targets" : "targets differ less than the error"}).`,
  belowAxis: "below −100 %",
  verdicts: {
    worse: "worse than predicting the mean",
    none: "barely better than predicting the mean",
    some: "part of the variation between turns",
    most: "most of the variation between turns",
  },
  overall: (metric: string) =>
    `Explained variance of the run over all episodes of this iteration: ${metric}. Recorded episodes:`,
  truth: "Value against the truth",
  truthOf: (title: string) => `To ${title}’s episodes`,
  truthHint: "True value: mean return of this policy from copies of a state.",
  truthNoneBrief: "Press “Estimate true values” above.",
  truthOtherBrief: "The true values have another discount than this critic.",
  truthUnpaidBrief: "The true values leave out process rewards.",
  truthUnpaid:
    "Not comparable: this critic was trained on process rewards, which the true values leave out.",
  truthNone: ASK_FOR_TRUTH,
  truthOther: (truth: string, critic: string) =>
    `Not comparable: the true values have ${truth}, this critic ${critic}.`,
  truthSummary: (n: number, value: string, truth: string, error: string, inside: string) =>
    `${counted(n, "turn")}: mean V ${value}, mean truth ${truth}; typical error ${error}; ${inside} of V within the truth's 95 % interval.`,
  truthLeftOut: (n: number) =>
    `${counted(n, "more turn")} ${plural(n, "is", "are")} not compared: the true values leave out process rewards.`,
  tables: {
    points: "Turns in numbers",
    bins: "Calibration in numbers",
    turns: "Explained variance in numbers",
    truth: "Truth in numbers",
  },
  heads: {
    points: ["iteration", "episode", "turn", "V", "target R", "observed return", "cut off"],
    bins: ["mean V", "mean return", "95 % from", "to", "turns"],
    turns: ["turn", "turns here", "explained here", "explained, whole iteration"],
    truth: ["iteration", "episode", "turn", "V", "true V", "95 % from", "to", "policy after"],
  },
  save: "Save all as CSV",
} as const;
