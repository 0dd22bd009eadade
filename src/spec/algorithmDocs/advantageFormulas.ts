/** How a row forms advantages and what its critic is trained towards, in KaTeX; built from its choices. */
import type { AlgorithmConfig } from "../algorithms.ts";
import { codeTerm } from "./codeTerm.ts";
import { estimatorFacts, estimators } from "../../method/estimators.ts";
import { outputOf, type AdvantageLevel } from "../../method/formula/parts.ts";
import type { Binding } from "../../method/formula/vocabulary.ts";
import { whitenings } from "../../method/credit/whiten.ts";
import { f, open, type TexLines, type TexPiece, wording } from "../../method/formula/tex.ts";

export function advantageLevel({ estimator }: AlgorithmConfig): AdvantageLevel {
  return estimators[estimator].level;
}

/** Rewards before the estimator, if they are changed; else null. */
export function rewardFormula({
  betaKlReward,
  klTarget,
  estimator,
}: AlgorithmConfig): TexLines | null {
  if (betaKlReward === 0 || estimatorFacts(estimator).ignoresRewards) return null;
  const k1 = f`${"token.oldLogprob"} - ${"token.refLogprob"}`;
  const paid = f`${"token.reward"} &\leftarrow ${"token.reward"} - ${"settings.betaKlReward"}·\big(${k1}\big)`;
  if (klTarget === null) return [paid];
  const error = f`\mathrm{clip}\Big(\frac{\bar k}{${"settings.klTarget"}} - 1,\, -0.2,\, 0.2\Big)`;
  return [
    paid,
    open`\bar k &= \frac{1}{${"batch.tokens"}}\sum_t \big(${k1}\big)`,
    open`\beta_r &\leftarrow \beta_r\,\max\Big(0,\, 1 + ${error}·\frac{${"batch.trajectories"}}{${"settings.klHorizon"}}\Big)\ \text{after each iteration}`,
  ];
}

export function advantageFormula(config: AlgorithmConfig): TexLines {
  const code = estimatorCode(config);
  if (code) return [f`${outputOf(config, advantageLevel(config))} &= ${code}`];
  return estimatorFacts(config.estimator).formula(config);
}

/** The reader's own estimator with what it is given; null if the row has none. */
function estimatorCode(config: AlgorithmConfig): TexPiece | null {
  const code = codeTerm(config, "estimator");
  const level = advantageLevel(config) === "token" ? "token" : "turn";
  const values = config.critic === "none" ? f`` : f`, ${`${level}.value`}`;
  const given = f`${`${level}.reward`}${values}, ${"settings.gamma"}, ${"settings.lambda"}`;
  return code && open`${code}(${given})`;
}

/** Normalisation over the batch; null if there is none. */
export function normalisationFormula(config: AlgorithmConfig): TexLines | null {
  const { whiten } = config;
  if (whiten === "none") return null;
  const level = advantageLevel(config);
  const difference = f`${`${level}.rawAdvantage`} - ${"batch.advantageMean"}`;
  const { divisor, says } = whitenings[whiten];
  return [
    f`${`${level}.advantage`} &= \frac{${difference}}{${divisor}}`,
    f`&${"batch.advantageMean"}, ${"batch.advantageStd"}\ ${wording(`\\text{${says}}`)}`,
  ];
}

/** What the critic learns; null without one. */
export function criticFormula(config: AlgorithmConfig): TexLines | null {
  if (config.critic === "none") return null;
  return estimators[config.estimator].steps === "turn" ? turnCritic(config) : tokenCritic(config);
}

/** Values of turns, the critic's own or read from its values of tokens. */
const turnCritic = (config: AlgorithmConfig): TexLines => [
  targetLine(config, "turn", outputOf(config, "turn")),
  f`L_V &= \frac12\cdot${turnMean(config)} ${squares(config, "turn")}`,
];

const turnMean = ({ criticMean }: AlgorithmConfig): TexPiece =>
  criticMean === "trajectories"
    ? open`\frac{1}{${"batch.trajectories"}}\sum_b \frac{1}{${"trajectory.turns"}}\sum_{h\in b}`
    : open`\frac{1}{${"batch.turns"}}\sum_h`;

/** The raw advantage of tokens; an estimator that ends in turns keeps it for the critic. */
const tokenCritic = (config: AlgorithmConfig): TexLines => {
  const inTurns = advantageLevel(config) === "turn";
  const own = inTurns ? "token.rawAdvantage" : outputOf(config, "token");
  return [
    targetLine(config, "token", own),
    open`L_V &= \frac12\cdot\frac{1}{${"batch.tokens"}}\sum_t ${squares(config, "token")}`,
  ];
};

/** A + V, or by a decay of its own. */
function targetLine(config: AlgorithmConfig, level: "token" | "turn", own: Binding): TexPiece {
  const target = f`${`${level}.target`}`;
  const code = estimatorCode(config);
  if (code) return f`${target} &= ${code}`;
  const decouples = estimatorFacts(config.estimator).settings.includes("lambdaCritic");
  if (config.lambdaCritic === null || !decouples)
    return f`${target} &= ${own} + ${`${level}.value`}`;
  const ahead = f`(1-${"settings.lambdaCritic"})·${`${level}.nextValue`} + ${"settings.lambdaCritic"}·${`${level}.nextTarget`}`;
  return f`${target} &= ${`${level}.reward`} + ${"settings.gamma"}·\big(${ahead}\big)`;
}

function squares({ valueClip }: AlgorithmConfig, level: "token" | "turn"): TexPiece {
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
