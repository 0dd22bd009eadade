/** How a row forms advantages and what its critic is trained towards, in KaTeX; built from its choices. */
import type { AlgorithmConfig } from "../algorithms.ts";
import { estimators, type EstimatorFacts } from "../estimators.ts";
import { lines, type Tex, type Writer } from "./tex.ts";
import type { Binding } from "./vocabulary.ts";

type Config = AlgorithmConfig;

/** What one advantage belongs to. */
export type AdvantageLevel = EstimatorFacts["level"];

export function advantageLevel({ estimator }: Config): AdvantageLevel {
  return estimators[estimator].level;
}

/** The estimator's output: with a tilde where normalisation follows. */
function outputOf({ whiten }: Config, level: AdvantageLevel): Binding {
  return whiten === "none" ? `${level}.advantage` : `${level}.rawAdvantage`;
}

function nextOutput({ whiten }: Config, level: "token" | "turn"): Binding {
  return whiten === "none" ? `${level}.nextAdvantage` : `${level}.nextRawAdvantage`;
}

/** Rewards before the estimator, where they are changed; null where they are not. */
export function rewardFormula({ betaKlReward, klTarget }: Config, f: Writer): Tex | null {
  if (betaKlReward === 0) return null;
  const k1 = f`${"token.oldLogprob"} - ${"token.refLogprob"}`;
  const paid = f`${"token.reward"} &\leftarrow ${"token.reward"} - ${"settings.betaKlReward"}·\big(${k1}\big)`;
  if (klTarget === null) return lines(paid);
  const error = f`\mathrm{clip}\Big(\frac{\bar k}{${"settings.klTarget"}} - 1,\, -0.2,\, 0.2\Big)`;
  return lines(
    paid,
    f`\bar k &= \frac{1}{${"batch.tokens"}}\sum_t \big(${k1}\big)`,
    f`\beta_r &\leftarrow \beta_r\,\Big(1 + ${error}·\frac{${"batch.trajectories"}}{${"settings.klHorizon"}}\Big)\ \text{after each iteration}`,
  );
}

export function advantageFormula(config: Config, f: Writer): Tex {
  return ESTIMATORS[config.estimator](config, f);
}

type Part = (config: Config, f: Writer) => Tex;

const score: Part = (_, f) => f`${"trajectory.score"} &= \sum_{h\in b} ${"turn.reward"}`;

/** "/ (std + 1e-6)" as a fraction around the difference, where scores are divided. */
function scaled(difference: Tex, std: Binding, { std: divisor }: Config, f: Writer): Tex {
  return divisor === "none" ? difference : f`\frac{${difference}}{${std} + 10^{-6}}`;
}

const BASELINES: Partial<Record<Config["baseline"], Binding>> = {
  "group-mean": "group.mean",
  "leave-one-out": "group.othersMean",
  "length-weighted-mean": "group.lengthWeightedMean",
  greedy: "trajectory.greedyScore",
};

/** What the baseline is the mean of. */
const baselineLine: Part = ({ baseline }, f) => {
  if (baseline === "leave-one-out")
    return f`${"group.othersMean"} &= \frac{1}{${"group.size"}-1}\sum_{j\in g,\,j\ne b} R_j`;
  if (baseline === "length-weighted-mean")
    return f`${"group.lengthWeightedMean"} &= \frac{\sum_{j\in g} N_j R_j}{\sum_{j\in g} N_j}`;
  return f`${"group.mean"} &= \frac{1}{${"group.size"}}\sum_{j\in g} R_j`;
};

/** What the group's standard deviation is; nothing where scores are not divided. */
function stdLine({ std }: Config, f: Writer): Tex[] {
  if (std === "none") return [];
  const count = std === "sample" ? f`${"group.size"}-1` : f`${"group.size"}`;
  return [f`${"group.std"}^2 &= \frac{1}{${count}}\sum_{j\in g} \big(R_j - ${"group.mean"}\big)^2`];
}

/** The same in words, where several are divided by. */
function stdWords({ std }: Config): Tex[] {
  if (std === "none") return [];
  const kind = std === "sample" ? "unbiased" : "population";
  return [{ tex: `&\\text{with ${kind} standard deviations}`, terms: [] }];
}

const groupScore: Part = (config, f) => {
  const baseline = BASELINES[config.baseline]!;
  const difference = f`${"trajectory.score"} - ${baseline}`;
  // Only plain group means come with a divisor.
  const divided = config.baseline === "group-mean";
  const advantage = divided ? scaled(difference, "group.std", config, f) : difference;
  const result = f`${outputOf(config, "trajectory")} &= ${advantage}`;
  const middle = config.baseline === "greedy" ? [] : [baselineLine(config, f)];
  const spread = divided ? stdLine(config, f) : [];
  return lines(score(config, f), ...middle, ...spread, result);
};

const turnReturn: Part = (config, f) =>
  lines(
    f`${"turn.return"} &= ${"turn.reward"} + ${"settings.gamma"}·${"turn.nextReturn"}`,
    f`${outputOf(config, "turn")} &= ${"turn.return"}`,
  );

const tokenReturn: Part = (config, f) =>
  lines(
    f`${"token.return"} &= ${"token.reward"} + ${"settings.gamma"}·${"token.nextReturn"}`,
    config.baseline === "greedy"
      ? f`${outputOf(config, "token")} &= ${"token.return"} - ${"trajectory.greedyScore"}`
      : f`${outputOf(config, "token")} &= ${"token.return"}`,
  );

const tokenDelta: Part = (_, f) =>
  f`${"token.delta"} &= ${"token.reward"} + ${"settings.gamma"}·${"token.nextValue"} - ${"token.value"}`;

const tokenGae: Part = (config, f) =>
  lines(
    tokenDelta(config, f),
    f`${outputOf(config, "token")} &= ${"token.delta"} + ${"settings.gamma"}·${"settings.lambda"}·${nextOutput(config, "token")}`,
  );

const tokenGaeTurnMean: Part = (config, f) =>
  lines(
    tokenDelta(config, f),
    f`${"token.rawAdvantage"} &= ${"token.delta"} + ${"settings.gamma"}·${"settings.lambda"}·${"token.nextRawAdvantage"}`,
    f`${outputOf(config, "turn")} &= \frac{1}{${"turn.tokens"}}\sum_{t\in h} ${"token.rawAdvantage"}`,
  );

/** Where the value of a turn is read, if not at the state-end. */
function valueLine({ valueAt }: Config, f: Writer): Tex[] {
  if (valueAt === "state-end") return [];
  if (valueAt === "turn-end")
    return [
      f`${"turn.value"} &:= ${"token.value"}\ \text{at the last token } t \text{ of turn } h`,
    ];
  return [f`${"turn.value"} &:= \frac{1}{${"turn.tokens"}}\sum_{t\in h} ${"token.value"}`];
}

const turnGae: Part = (config, f) =>
  lines(
    ...valueLine(config, f),
    f`${"turn.delta"} &= ${"turn.reward"} + ${"settings.gamma"}·${"turn.nextValue"} - ${"turn.value"}`,
    f`${outputOf(config, "turn")} &= ${"turn.delta"} + ${"settings.gamma"}·${"settings.lambda"}·${nextOutput(config, "turn")}`,
  );

const biLevel: Part = (config, f) =>
  lines(
    config.turnEnds === "explicit"
      ? f`${"turn.value"} &:= ${"token.value"}\ \text{at the last token } t \text{ of turn } h`
      : f`${"turn.value"} &:= ${"token.value"}\ \text{at token } t \text{, wherever } ${"token.reward"}\ne 0`,
    f`${"turn.delta"} &= ${"turn.reward"} + ${"settings.gammaTurn"}·${"turn.nextValue"} - ${"turn.value"}`,
    f`${"turn.highAdvantage"} &= ${"turn.delta"} + ${"settings.gammaTurn"}·${"settings.lambda"}·${"turn.nextHighAdvantage"}`,
    f`${"turn.target"} &= ${"turn.highAdvantage"} + ${"turn.value"}`,
    f`${"token.delta"} &= \begin{cases}${"turn.target"} - ${"token.value"} & t \text{ ends turn } h\\ ${"token.reward"} + ${"settings.gamma"}·${"token.nextValue"} - ${"token.value"} & \text{else}\end{cases}`,
    f`${outputOf(config, "token")} &= ${"token.delta"} + ${"settings.gamma"}·${"settings.lambda"}·${nextOutput(config, "token")}\ \text{within the turn}`,
  );

const anchorState: Part = (config, f) => {
  const episode = scaled(f`${"trajectory.score"} - ${"group.mean"}`, "group.std", config, f);
  const step = scaled(f`${"turn.return"} - ${"group.anchorMean"}`, "group.anchorStd", config, f);
  const mean =
    config.groupCount === "trajectory"
      ? baselineLine(config, f)
      : f`${"group.mean"} &= \frac{\sum_{j\in g} K_j R_j}{\sum_{j\in g} K_j}`;
  return lines(
    score(config, f),
    mean,
    f`${"turn.return"} &= ${"turn.reward"} + ${"settings.gamma"}·${"turn.nextReturn"}`,
    f`${outputOf(config, "turn")} &= ${bracketed(episode, config, f)} + ${"settings.omega"}·${bracketed(step, config, f)}`,
    ...stdWords(config),
    ...likeness(config, f),
  );
};

/** Which states are compared, if not only equal ones. */
function likeness({ anchorSimilarity }: Config, f: Writer): Tex[] {
  if (anchorSimilarity === 1) return [];
  return [f`&s_h \text{: states alike to at least } ${"settings.anchorSimilarity"}`];
}

/** A difference in brackets; a fraction needs none. */
function bracketed(term: Tex, { std }: Config, f: Writer): Tex {
  return std === "none" ? f`\big(${term}\big)` : term;
}

const turnPlusOutcome: Part = (config, f) => {
  const turn = scaled(f`${"turn.reward"} - ${"group.turnMean"}`, "group.turnStd", config, f);
  const outcome = scaled(
    f`${"trajectory.outcome"} - ${"group.outcomeMean"}`,
    "group.outcomeStd",
    config,
    f,
  );
  return lines(
    f`${"turn.rewardScore"} &= ${turn}`,
    f`${"trajectory.outcomeScore"} &= ${outcome}`,
    f`${outputOf(config, "turn")} &= \begin{cases}${"turn.rewardScore"} + ${"settings.alpha"}·${"trajectory.outcomeScore"} & h < ${"trajectory.turns"}\\ ${"trajectory.outcomeScore"} & h = ${"trajectory.turns"}\end{cases}`,
    ...stdWords(config),
  );
};

const turnGroup: Part = (config, f) => {
  const outcome = scaled(f`${"trajectory.score"} - ${"group.mean"}`, "group.std", config, f);
  return lines(
    f`${"turn.gainScore"} &= \frac{${"turn.gain"} - ${"group.turnMean"}}{\sqrt{${"group.turnStd"}^2 + 10^{-8}}}`,
    f`${"turn.gainReturn"} &= \frac{1}{\sqrt{${"trajectory.turns"} - h}}\sum_{j=h}^{K_b-1} ${"settings.gamma"}^{\,j-h}\, z_j`,
    ...stdLine(config, f),
    f`${"trajectory.outcomeScore"} &= ${outcome}`,
    f`${outputOf(config, "turn")} &= \begin{cases}${"settings.alpha"}·${"turn.gainReturn"} + ${"trajectory.outcomeScore"} & h < ${"trajectory.turns"}\\ ${"trajectory.outcomeScore"} & h = ${"trajectory.turns"}\end{cases}`,
  );
};

const ESTIMATORS: Record<Config["estimator"], Part> = {
  "group-score": groupScore,
  "turn-return": turnReturn,
  "token-return": tokenReturn,
  "token-gae": tokenGae,
  "token-gae-turn-mean": tokenGaeTurnMean,
  "turn-gae": turnGae,
  "bi-level-gae": biLevel,
  "anchor-state": anchorState,
  "turn-plus-outcome": turnPlusOutcome,
  "turn-group": turnGroup,
};

/** What mean and standard deviation are taken over. */
const OVER: Record<Exclude<Config["whiten"], "none">, string> = {
  tokens: "over all tokens",
  turns: "over all turns",
  "turns-population": "over all turns, the population's",
  "turns-sample": "over all turns, unbiased",
};

/** Normalisation over the batch; null where there is none. */
export function normalisationFormula(config: Config, f: Writer): Tex | null {
  const { whiten } = config;
  if (whiten === "none") return null;
  const level = advantageLevel(config);
  const difference = f`${`${level}.rawAdvantage`} - ${"batch.advantageMean"}`;
  const divisor = ["tokens", "turns"].includes(whiten)
    ? f`\sqrt{${"batch.advantageStd"}^2 + 10^{-8}}`
    : f`${"batch.advantageStd"} + 10^{-9}`;
  const over: Tex = { tex: `\\text{${OVER[whiten]}}`, terms: [] };
  return lines(
    f`${`${level}.advantage`} &= \frac{${difference}}{${divisor}}`,
    f`&${"batch.advantageMean"}, ${"batch.advantageStd"}\ ${over}`,
  );
}

/** What the critic learns; null without one. */
export function criticFormula(config: Config, f: Writer): Tex | null {
  if (config.critic === "none") return null;
  return config.estimator === "turn-gae" ? turnCritic(config, f) : tokenCritic(config, f);
}

/** Values of turns, the critic's own or read off its values of tokens. */
const turnCritic: Part = (config, f) =>
  lines(
    f`${"turn.target"} &= ${outputOf(config, "turn")} + ${"turn.value"}`,
    f`L_V &= \frac12\cdot${turnMean(config, f)} ${squares(config, f, "turn")}`,
  );

/** No axis: Turn-PPO's paper takes the mean within each rollout first, its namesakes that of all turns. */
const turnMean: Part = ({ name }, f) =>
  name === "turn-ppo"
    ? f`\frac{1}{${"batch.trajectories"}}\sum_b \frac{1}{${"trajectory.turns"}}\sum_{h\in b}`
    : f`\frac{1}{${"batch.turns"}}\sum_h`;

/** The raw advantage of tokens; an estimator that ends in turns keeps it for the critic. */
const tokenCritic: Part = (config, f) => {
  const inTurns = config.estimator === "token-gae-turn-mean";
  const own = inTurns ? "token.rawAdvantage" : outputOf(config, "token");
  return lines(
    f`${"token.target"} &= ${own} + ${"token.value"}`,
    f`L_V &= \frac12\cdot\frac{1}{${"batch.tokens"}}\sum_t ${squares(config, f, "token")}`,
  );
};

function squares({ valueClip }: Config, f: Writer, level: "token" | "turn"): Tex {
  const [now, old, target]: [Binding, Binding, Binding] = [
    `${level}.newValue`,
    `${level}.value`,
    `${level}.target`,
  ];
  const free = f`\big(${now} - ${target}\big)^2`;
  if (valueClip === null) return free;
  const held = f`\mathrm{clip}\big(${now},\, ${old} \pm ${"settings.valueClip"}\big)`;
  return f`\max\Big(${free},\, \big(${held} - ${target}\big)^2\Big)`;
}
