/**
 * The table of estimators (axis C): all that is true of each, whichever row uses it, and its formula. The functions
 * are in `algorithm/`, bound by the same names; rows of the table of algorithms choose one each.
 */
import {
  baselineLine,
  baselineTerm,
  bracketed,
  exceptLast,
  gaeLine,
  likeness,
  nextOutput,
  outputOf,
  scaled,
  scoreLine,
  stdLine,
  stdWords,
  tokenDeltaLine,
  turnReturnLine,
  valueLine,
  type AdvantageLevel,
  type FormulaPart,
} from "./formula/parts.ts";
import { lines } from "./formula/tex.ts";
import type { Settings } from "./axes.ts";
import type { Baseline } from "./baselines.ts";

interface EstimatorFacts {
  /** What it means. */
  about: string;
  /** Its file in `algorithm/`, named after the algorithm that brought it. */
  lesson: string;
  /** What one advantage is made for. */
  level: AdvantageLevel;
  /** What a time step of its critic is; null without a critic. */
  steps: "token" | "turn" | null;
  /**
   * By which setting rewards are discounted, and per what; null where they are plain sums. Scores of whole
   * trajectories are such sums: GiGPO adds one to discounted returns of turns, and counts as those.
   */
  discount: { by: "gamma" | "gammaTurn"; per: "turn" | "token" } | null;
  /**
   * Whether advantages are divided by a standard deviation of the group, so that they are not counted in rewards:
   * never, as the setting `std` and the baseline say, or always.
   */
  divisor: "never" | "std" | "always";
  /** Whether it compares rollouts of one task whatever the baseline is. */
  grouped: boolean;
  /** Settings that make a difference to its advantages. */
  settings: readonly (keyof Settings)[];
  /** Columns of a batch that it needs besides rewards and the critic's values. */
  columns: readonly ("anchor" | "turnGain")[];
  /** Whether it also scales each turn's clip range. */
  scalesClip: boolean;
  /** What verl and RAGEN call it, with which baseline and whitening. */
  verl: readonly VerlName[];
  /** How advantages are formed. */
  formula: FormulaPart;
}

interface VerlName {
  name: string;
  baseline: Baseline;
  whiten: Settings["whiten"];
  /** What runs it. */
  targets: readonly ("ragen" | "verl")[];
}

const PER_TURN = { by: "gamma", per: "turn" } as const;
const PER_TOKEN = { by: "gamma", per: "token" } as const;
const BOTH = ["ragen", "verl"] as const;

/** Returns, which need nothing but rewards. */
const returns = {
  steps: null,
  divisor: "never",
  grouped: false,
  settings: ["gamma"],
  columns: [],
  scalesClip: false,
  verl: [],
} as const;
/** A critic's TD errors, summed up. */
const gae = { ...returns, settings: ["gamma", "lambda"] } as const;
/** Turns against the turns of other rollouts of the task. */
const turnsInGroup = { ...returns, level: "turn", divisor: "std", grouped: true } as const;

export const estimators = {
  "group-score": {
    ...returns,
    about: "score minus the baseline, divided by the group's std where it has one",
    lesson: "grpo",
    level: "trajectory",
    discount: null,
    divisor: "std",
    settings: ["std"],
    verl: [
      { name: "grpo", baseline: "group-mean", whiten: "none", targets: BOTH },
      {
        name: "reinforce_plus_plus_baseline",
        baseline: "group-mean",
        whiten: "tokens",
        targets: BOTH,
      },
      { name: "rloo", baseline: "leave-one-out", whiten: "none", targets: BOTH },
      // RAGEN's trainer stops a run that asks for ReMax, and knows no OPO.
      { name: "remax", baseline: "greedy", whiten: "none", targets: ["verl"] },
      { name: "opo", baseline: "length-weighted-mean", whiten: "none", targets: ["verl"] },
    ],
    formula: (choices, f) => {
      const difference = f`${"trajectory.score"} - ${baselineTerm(choices)}`;
      // Only plain group means come with a divisor.
      const divided = choices.baseline === "group-mean";
      const advantage = divided ? scaled(difference, "group.std", choices, f) : difference;
      const result = f`${outputOf(choices, "trajectory")} &= ${advantage}`;
      const middle = choices.baseline === "greedy" ? [] : [baselineLine(choices, f)];
      const spread = divided ? stdLine(choices, f) : [];
      return lines(scoreLine(choices, f), ...middle, ...spread, result);
    },
  },
  "turn-return": {
    ...returns,
    about: "the rewards from a turn on, discounted per turn",
    lesson: "reinforce",
    level: "turn",
    discount: PER_TURN,
    formula: (choices, f) =>
      lines(turnReturnLine(choices, f), f`${outputOf(choices, "turn")} &= ${"turn.return"}`),
  },
  "token-return": {
    ...returns,
    about: "the rewards from a token on, discounted per token",
    lesson: "reinforcePp",
    level: "token",
    discount: PER_TOKEN,
    verl: [
      { name: "remax", baseline: "greedy", whiten: "none", targets: ["verl"] },
      { name: "reinforce_plus_plus", baseline: "none", whiten: "tokens", targets: BOTH },
    ],
    formula: (choices, f) =>
      lines(
        f`${"token.return"} &= ${"token.reward"} + ${"settings.gamma"}·${"token.nextReturn"}`,
        choices.baseline === "greedy"
          ? f`${outputOf(choices, "token")} &= ${"token.return"} - ${"trajectory.greedyScore"}`
          : f`${outputOf(choices, "token")} &= ${"token.return"}`,
      ),
  },
  "token-gae": {
    ...gae,
    about: "GAE whose time steps are trainable tokens",
    lesson: "tokenPpo",
    level: "token",
    steps: "token",
    discount: PER_TOKEN,
    verl: [{ name: "gae", baseline: "token-critic", whiten: "tokens", targets: BOTH }],
    formula: (choices, f) => lines(tokenDeltaLine(choices, f), gaeLine(choices, f, "token")),
  },
  "token-gae-turn-mean": {
    ...gae,
    about: "token GAE, then the mean over each turn's tokens",
    lesson: "turnPpoSt",
    level: "turn",
    steps: "token",
    discount: PER_TOKEN,
    formula: (choices, f) =>
      lines(
        tokenDeltaLine(choices, f),
        f`${"token.rawAdvantage"} &= ${"token.delta"} + ${"settings.gamma"}·${"settings.lambda"}·${"token.nextRawAdvantage"}`,
        f`${outputOf(choices, "turn")} &= \frac{1}{${"turn.tokens"}}\sum_{t\in h} ${"token.rawAdvantage"}`,
      ),
  },
  "turn-gae": {
    ...gae,
    about: "GAE whose time steps are turns",
    lesson: "turnPpo",
    level: "turn",
    steps: "turn",
    discount: PER_TURN,
    settings: ["gamma", "lambda", "valueAt"],
    formula: (choices, f) =>
      lines(
        ...valueLine(choices, f),
        f`${"turn.delta"} &= ${"turn.reward"} + ${"settings.gamma"}·${"turn.nextValue"} - ${"turn.value"}`,
        gaeLine(choices, f, "turn"),
      ),
  },
  "bi-level-gae": {
    ...gae,
    about: "GAE over turns, then GAE over each turn's tokens towards the turn's return",
    lesson: "biLevelGae",
    level: "token",
    steps: "token",
    // Of its two discounts the one of whole turns: inside a turn, returns only lead to the turn's own.
    discount: { by: "gammaTurn", per: "turn" },
    settings: ["gamma", "lambda", "gammaTurn", "turnEnds"],
    verl: [{ name: "gae", baseline: "token-critic", whiten: "tokens", targets: ["ragen"] }],
    formula: (choices, f) =>
      lines(
        choices.turnEnds === "explicit"
          ? f`${"turn.value"} &:= ${"token.value"}\ \text{at the last token } t \text{ of turn } h`
          : f`${"turn.value"} &:= ${"token.value"}\ \text{at token } t \text{, wherever } ${"token.reward"}\ne 0`,
        f`${"turn.delta"} &= ${"turn.reward"} + ${"settings.gammaTurn"}·${"turn.nextValue"} - ${"turn.value"}`,
        f`${"turn.highAdvantage"} &= ${"turn.delta"} + ${"settings.gammaTurn"}·${"settings.lambda"}·${"turn.nextHighAdvantage"}`,
        f`${"turn.target"} &= ${"turn.highAdvantage"} + ${"turn.value"}`,
        f`${"token.delta"} &= \begin{cases}${"turn.target"} - ${"token.value"} & t \text{ ends turn } h\\ ${"token.reward"} + ${"settings.gamma"}·${"token.nextValue"} - ${"token.value"} & \text{else}\end{cases}`,
        f`${gaeLine(choices, f, "token")}\ \text{within the turn}`,
      ),
  },
  "anchor-state": {
    ...turnsInGroup,
    about: "the episode's score plus omega times the turn's return, each against its own mean",
    lesson: "gigpo",
    discount: PER_TURN,
    settings: ["gamma", "omega", "std", "groupCount", "anchorSimilarity"],
    columns: ["anchor"],
    formula: (choices, f) => {
      const episode = scaled(f`${"trajectory.score"} - ${"group.mean"}`, "group.std", choices, f);
      const step = scaled(
        f`${"turn.return"} - ${"group.anchorMean"}`,
        "group.anchorStd",
        choices,
        f,
      );
      const mean =
        choices.groupCount === "trajectory"
          ? baselineLine(choices, f)
          : f`${"group.mean"} &= \frac{\sum_{j\in g} K_j R_j}{\sum_{j\in g} K_j}`;
      return lines(
        scoreLine(choices, f),
        mean,
        turnReturnLine(choices, f),
        f`${outputOf(choices, "turn")} &= ${bracketed(episode, choices, f)} + ${"settings.omega"}·${bracketed(step, choices, f)}`,
        ...stdWords(choices),
        ...likeness(choices, f),
      );
    },
  },
  "turn-plus-outcome": {
    ...turnsInGroup,
    about: "the turn's own z-score plus later turns' and the outcome's, weighted by alpha",
    lesson: "mtGrpo",
    discount: null,
    settings: ["alpha", "std", "laterTurns"],
    formula: (choices, f) => {
      const turn = scaled(f`${"turn.reward"} - ${"group.turnMean"}`, "group.turnStd", choices, f);
      const outcome = scaled(
        f`${"trajectory.outcome"} - ${"group.outcomeMean"}`,
        "group.outcomeStd",
        choices,
        f,
      );
      const then =
        choices.laterTurns === "discounted"
          ? f`${nextOutput(choices, "turn")}`
          : f`${"trajectory.outcomeScore"}`;
      const both = f`${"turn.rewardScore"} + ${"settings.alpha"}·${then}`;
      return lines(
        f`${"turn.rewardScore"} &= ${turn}`,
        f`${"trajectory.outcomeScore"} &= ${outcome}`,
        exceptLast(choices, f, both, f`${"trajectory.outcomeScore"}`),
        ...stdWords(choices),
      );
    },
  },
  "turn-group": {
    ...turnsInGroup,
    about: "alpha times variance-rescaled sums of z-scored gains plus the outcome's z-score",
    lesson: "a2tgpo",
    // Its gamma discounts gains in information, which are no rewards.
    discount: null,
    divisor: "always",
    settings: ["gamma", "alpha", "std"],
    columns: ["turnGain"],
    scalesClip: true,
    formula: (choices, f) => {
      const outcome = scaled(f`${"trajectory.score"} - ${"group.mean"}`, "group.std", choices, f);
      const both = f`${"settings.alpha"}·${"turn.gainReturn"} + ${"trajectory.outcomeScore"}`;
      return lines(
        f`${"turn.gainScore"} &= \frac{${"turn.gain"} - ${"group.turnMean"}}{\sqrt{${"group.turnStd"}^2 + 10^{-8}}}`,
        f`${"turn.gainReturn"} &= \frac{1}{\sqrt{${"trajectory.turns"} - h}}\sum_{j=h}^{K_b-1} ${"settings.gamma"}^{\,j-h}\, z_j`,
        ...stdLine(choices, f),
        f`${"trajectory.outcomeScore"} &= ${outcome}`,
        exceptLast(choices, f, both, f`${"trajectory.outcomeScore"}`),
      );
    },
  },
} as const satisfies Record<string, EstimatorFacts>;

export type Estimator = keyof typeof estimators;

/** The estimator of plain returns of turns, which others fall back on. */
export const TURN_RETURNS = "turn-return" satisfies Estimator;

/** The facts of one, as any of them has them. */
export function estimatorFacts(estimator: Estimator): EstimatorFacts {
  return estimators[estimator];
}
