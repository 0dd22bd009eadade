/**
 * The terms of formulas, each bound to its number. A term's id is a path: the part before the dot
 * is the number's unit, the part after it the quantity. A panel that shows one clicked token fills
 * `token.*` with that token's numbers, `turn.*` with its turn's, `trajectory.*` with its rollout's,
 * and so on.
 */
import { numberAxes, type NumberName } from "../numbers.ts";

/** What the first part of a path means. */
export const levels = {
  token: "the clicked token; where a turn is clicked, its last one",
  turn: "the clicked turn, or the turn of the clicked token",
  trajectory: "the rollout of that turn",
  group: "the rollouts of that rollout's task",
  batch: "all rollouts of the iteration, or of the minibatch where a loss is meant",
  pair: "a better and a worse rollout of the same task",
  settings: "the setting of that name",
} as const;

type Level = keyof typeof levels;

interface DocWord {
  /** KaTeX. */
  symbol: string;
  name: string;
  about: string;
}

const word = (symbol: string, name: string, about: string): DocWord => ({ symbol, name, about });

/** Paths with a number behind them, except settings. */
const numbers = {
  "token.reward": word(
    "r_t",
    "reward of the token",
    "its turn's reward if it is the turn's last token, else 0; plus any reward of its own",
  ),
  "token.return": word(
    "G_t",
    "return from the token on",
    "the rewards from here to the end, later ones discounted",
  ),
  "token.nextReturn": word("G_{t+1}", "return from the next token on", "0 after the last token"),
  "token.value": word(
    "V_t",
    "value of the prefix",
    "the critic's prediction before the token, at sampling time",
  ),
  "token.nextValue": word(
    "V_{t+1}",
    "value of the next prefix",
    "before the next trainable token; after the last one 0, or the bootstrap where the episode was cut off",
  ),
  "token.newValue": word(
    "V_t^{\\text{new}}",
    "value now",
    "the same prefix under the critic that is being trained",
  ),
  "token.delta": word(
    "\\delta_t",
    "TD error of the token",
    "how much better the step went than the critic expected",
  ),
  "token.rawAdvantage": word(
    "\\tilde A_t",
    "advantage of the token, before normalisation",
    "its TD error plus discounted later ones",
  ),
  "token.nextRawAdvantage": word(
    "\\tilde A_{t+1}",
    "the next token's advantage, before normalisation",
    "0 after the last token",
  ),
  "token.advantage": word(
    "A_t",
    "advantage of the token",
    "positive: make it more likely; negative: less likely",
  ),
  "token.nextAdvantage": word("A_{t+1}", "the next token's advantage", "0 after the last token"),
  "token.target": word(
    "\\hat R_t",
    "target of the critic",
    "the training target of the value before this token",
  ),
  "token.nextTarget": word(
    "\\hat R_{t+1}",
    "target of the next prefix",
    "after the last token 0, or the bootstrap where the episode was cut off",
  ),
  "token.logprob": word(
    "\\log\\pi_\\theta(y_t)",
    "log-probability now",
    "under the policy that is being trained",
  ),
  "token.oldLogprob": word(
    "\\log\\pi_{\\text{old}}(y_t)",
    "log-probability before the first update",
    "under the policy that played the episodes",
  ),
  "token.refLogprob": word(
    "\\log\\pi_{\\text{ref}}(y_t)",
    "log-probability under the reference",
    "under the policy to stay near",
  ),
  "token.rolloutLogprob": word(
    "\\log\\pi_{\\text{roll}}(y_t)",
    "log-probability under the sampler",
    "as the sampler itself computed it, from the same weights",
  ),
  "token.samplerWeight": word(
    "\\hat\\rho_t",
    "weight for the sampler's gap",
    "training pass over sampler: how much likelier the token is there",
  ),
  "token.sumPiSquared": word(
    "\\Sigma\\pi^2_t",
    "sum of squared probabilities",
    "over the whole vocabulary, of the distribution that the token was sampled from",
  ),
  "token.energy": word(
    "e_t",
    "gradient energy of the token",
    "squared length of its log-probability's gradient by the logits",
  ),
  "token.spentEnergy": word(
    "E_t",
    "energy spent so far",
    "summed over the rollout's tokens up to this one",
  ),
  "token.baseline": word(
    "B_t",
    "baseline at this position",
    "the group's returns at the same position, weighted by energy spent; 0 past the second-longest",
  ),
  "token.logRatio": word(
    "d_t",
    "log-ratio of the token",
    "log-probability now minus before the first update",
  ),
  "token.clippedLogRatio": word(
    "\\bar d_t",
    "clipped log-ratio",
    "the log-ratio, limited in the direction of the advantage",
  ),
  "token.ratio": word(
    "\\rho_t",
    "ratio of the token",
    "how many times likelier it has become since sampling",
  ),
  "token.surrogate": word(
    "J_t",
    "what the token adds to the objective",
    "its ratio times its advantage, after the clip",
  ),
  "token.weight": word("\\omega_t", "weight of the token in the loss", "from the aggregation"),
  "turn.reward": word("r_h", "reward of the turn", "all that is paid within it"),
  "turn.return": word(
    "G_h",
    "return from the turn on",
    "the rewards from here to the end, later ones discounted",
  ),
  "turn.nextReturn": word("G_{h+1}", "return from the next turn on", "0 after the last turn"),
  "turn.value": word(
    "V(s_h)",
    "value of the turn",
    "the critic's prediction before the turn, at sampling time",
  ),
  "turn.nextValue": word(
    "V(s_{h+1})",
    "value of the next turn",
    "after the last one 0, or the bootstrap where the episode was cut off",
  ),
  "turn.newValue": word(
    "V^{\\text{new}}(s_h)",
    "value now",
    "of the same state under the critic that is being trained",
  ),
  "turn.fittedQ": word(
    "\\hat Q_n(s_h,a_h)",
    "fitted value of state and response",
    "the return from this turn that a regression on logged episodes predicts, given the response",
  ),
  "turn.delta": word(
    "\\delta_h",
    "TD error of the turn",
    "how much better the turn went than the critic expected",
  ),
  "turn.rawAdvantage": word(
    "\\tilde A_h",
    "advantage of the turn, before normalisation",
    "the turn's credit in reward units",
  ),
  "turn.nextRawAdvantage": word(
    "\\tilde A_{h+1}",
    "the next turn's advantage, before normalisation",
    "0 after the last turn",
  ),
  "turn.advantage": word(
    "A_h",
    "advantage of the turn",
    "positive: make the response more likely; negative: less likely",
  ),
  "turn.nextAdvantage": word("A_{h+1}", "the next turn's advantage", "0 after the last turn"),
  "turn.highAdvantage": word(
    "A^{\\text{high}}_h",
    "advantage at the level of turns",
    "GAE whose steps are turns",
  ),
  "turn.nextHighAdvantage": word(
    "A^{\\text{high}}_{h+1}",
    "the next turn's, at the level of turns",
    "0 after the last turn",
  ),
  "turn.target": word(
    "\\hat R_h",
    "target of the turn",
    "the training target of this turn's value",
  ),
  "turn.nextTarget": word(
    "\\hat R_{h+1}",
    "target of the next turn",
    "after the last turn 0, or the bootstrap where the episode was cut off",
  ),
  "turn.ratio": word(
    "\\rho_h",
    "ratio of the turn",
    "from the log-ratios of all tokens of the response",
  ),
  "turn.surrogate": word(
    "J_h",
    "what the turn adds to the objective",
    "its ratio times its advantage, after the clip",
  ),
  "turn.tokens": word("n_h", "tokens of the turn", "trainable ones"),
  "turn.gain": word("i_h", "gain of the turn", "how much the turn raised the answer's probability"),
  "turn.gainScore": word(
    "z_h",
    "gain against the group",
    "the gain minus its turn group's mean, divided by the turn group's std",
  ),
  "turn.gainReturn": word(
    "D_h",
    "rescaled return of gains",
    "z-scores from here on, divided by the root of their number",
  ),
  "turn.rewardScore": word(
    "z_h",
    "the turn's reward against the group",
    "compared with the turns of the same number in the group",
  ),
  "turn.clipScale": word(
    "c_h",
    "width of the turn's clip range",
    "1: as set; more for turns of high gain",
  ),
  "trajectory.score": word("R_b", "score of the rollout", "the sum of all its rewards"),
  "trajectory.rawAdvantage": word(
    "\\tilde A_b",
    "advantage of the rollout, before normalisation",
    "its score against the baseline",
  ),
  "trajectory.advantage": word("A_b", "advantage of the rollout", "shared by all its tokens"),
  "trajectory.ratio": word(
    "\\rho_b",
    "ratio of the rollout",
    "from the log-ratios of all its tokens",
  ),
  "trajectory.surrogate": word(
    "J_b",
    "what the rollout adds to the objective",
    "its ratio times its advantage, after the clip",
  ),
  "trajectory.tokens": word("N_b", "tokens of the rollout", "trainable ones, all turns"),
  "trajectory.turns": word("K_b", "turns of the rollout", "from the first to the last"),
  "trajectory.lambda": word(
    "\\lambda_b",
    "trace decay of the rollout",
    "by its length: the longer, the nearer to 1",
  ),
  "trajectory.samplerWeight": word(
    "\\hat\\rho_b",
    "weight for the sampler's gap",
    "training pass over sampler, multiplied over the rollout's tokens",
  ),
  "trajectory.greedyScore": word(
    "R^{\\text{greedy}}_b",
    "score of the greedy rollout",
    "of the same task, always taking the likeliest token",
  ),
  "trajectory.passChange": word(
    "z_b",
    "change of pass@k by the rollout",
    "how much likelier a draw of k with it holds a success than any draw of k",
  ),
  "trajectory.taskScore": word(
    "z^{\\text{task}}_b",
    "the environment's pay against the group",
    "without pay for form and process; minus the group's mean, divided by its std",
  ),
  "trajectory.formatScore": word(
    "z^{\\text{form}}_b",
    "pay for form against the group",
    "minus the group's mean, divided by its std",
  ),
  "trajectory.processScore": word(
    "z^{\\text{proc}}_b",
    "process pay against the group",
    "minus the group's mean, divided by its std",
  ),
  "trajectory.ownScore": word(
    "\\hat A_b",
    "advantage of the rollout alone",
    "before it shares the credit of common steps",
  ),
  "trajectory.outcome": word("O_b", "outcome of the rollout", "the reward of its last turn"),
  "trajectory.outcomeScore": word(
    "z^O_b",
    "outcome against the group",
    "minus the group's mean, divided by its std",
  ),
  "group.size": word("G", "rollouts of the task", "how many are compared"),
  "group.solved": word("c_g", "solved rollouts of the task", "how many succeeded"),
  "group.mean": word(
    "\\mu_g",
    "mean score of the group",
    "the usual score of this task's rollouts",
  ),
  "group.std": word(
    "\\sigma_g",
    "standard deviation of the group's scores",
    "how much they differ",
  ),
  "group.othersMean": word(
    "\\mu_{g\\setminus b}",
    "mean score of the others",
    "of the same task, this rollout left out",
  ),
  "group.secondBest": word(
    "R^{(2)}_g",
    "second-best score of the group",
    "what the best rollout is compared with",
  ),
  "group.passAtK": word(
    "\\rho_g",
    "pass@k of the group",
    "share of the ways to draw k of its rollouts that hold a success",
  ),
  "group.lengthWeightedMean": word(
    "\\mu^{\\text{len}}_g",
    "mean score weighted by length",
    "longer rollouts count more",
  ),
  "group.outcomeMean": word(
    "\\mu^O_g",
    "mean outcome of the group",
    "the usual outcome of this task's rollouts",
  ),
  "group.outcomeStd": word(
    "\\sigma^O_g",
    "standard deviation of the group's outcomes",
    "how much they differ",
  ),
  "group.turnMean": word(
    "\\mu_{g,h}",
    "mean of the turn group",
    "over turns of the same number in the group",
  ),
  "group.turnStd": word(
    "\\sigma_{g,h}",
    "standard deviation of the turn group",
    "over turns of the same number in the group",
  ),
  "group.turnRollouts": word(
    "m_h",
    "rollouts with this step",
    "those of the group that act alike in the same state and reach the same next one",
  ),
  "group.anchorMean": word(
    "\\mu_{g,s_h}",
    "mean return from this state",
    "over the group's turns that start from the same state",
  ),
  "group.anchorStd": word(
    "\\sigma_{g,s_h}",
    "standard deviation of returns from this state",
    "over the group's turns that start from the same state",
  ),
  "group.turnsMean": word(
    "\\mu^{\\text{turns}}_g",
    "mean over the group's turns",
    "of their advantages before normalisation",
  ),
  "group.turnsStd": word(
    "\\sigma^{\\text{turns}}_g",
    "standard deviation over the group's turns",
    "of their advantages before normalisation",
  ),
  "batch.trajectories": word("B", "rollouts", "that take part"),
  "batch.turns": word("K", "turns", "of all rollouts"),
  "batch.tokens": word("N", "tokens", "trainable ones, of all rollouts"),
  "batch.solvedTokens": word("T", "tokens of successful rollouts", "trainable ones, all turns"),
  "batch.longest": word(
    "N_{\\max}",
    "tokens of the longest rollout",
    "the divisor in revision 1, or with horizon none",
  ),
  "batch.advantageMean": word("m", "mean advantage of the batch", "before normalisation"),
  "batch.advantageStd": word(
    "s",
    "standard deviation of the batch's advantages",
    "before normalisation",
  ),
  "batch.cutNorm": word(
    "\\lVert C\\rVert",
    "size of the clipped gradient",
    "norm of the gradient that the clip removed",
  ),
  "batch.clipFraction": word("f", "clip fraction", "share of tokens whose gradient the clip cut"),
  "pair.chosenMargin": word(
    "m(y_w)",
    "log-ratio of the better response",
    "to the reference, summed over its tokens",
  ),
  "pair.rejectedMargin": word(
    "m(y_l)",
    "log-ratio of the worse response",
    "to the reference, summed over its tokens",
  ),
  "pair.chosenKl": word(
    "D(y_w)",
    "KL along the better response",
    "from the reference, over the whole vocabulary, summed over its tokens",
  ),
  "pair.rejectedKl": word(
    "D(y_l)",
    "KL along the worse response",
    "from the reference, over the whole vocabulary, summed over its tokens",
  ),
  "pair.logit": word(
    "z",
    "logit of the pair",
    "positive: the policy prefers the better response more than the reference does",
  ),
} as const satisfies Record<string, DocWord>;

/** Settings of the methods on pairs. */
const pairSettings = {
  "settings.beta": word("\\beta", "beta", "strength of the pull towards the reference"),
  "settings.labelSmoothing": word(
    "\\epsilon",
    "labelSmoothing",
    "probability that a pair is labelled the wrong way",
  ),
} as const;

/** The path of a number that a panel, or the reader's settings, can supply. */
export type Binding = keyof typeof numbers | keyof typeof pairSettings | `settings.${NumberName}`;

/** A named part of a formula; its id is `data-term` in KaTeX's output. */
export interface Term extends DocWord {
  /** Name in the formula: the same as `binds`. */
  id: Binding;
  /** Where the number comes from. */
  binds: Binding;
  level: Level;
}

const axisWords = Object.entries(numberAxes).map(([key, { symbol, about }]): [string, DocWord] => [
  `settings.${key}`,
  word(symbol, key, about),
]);

const words = new Map<string, DocWord>([
  ...Object.entries(numbers),
  ...Object.entries(pairSettings),
  ...axisWords,
]);

/** All paths, in the order of the table. */
export const bindingNames: readonly Binding[] = [...words.keys()] as Binding[];

/** The term of a path. */
export function termOf(binds: Binding): Term {
  const level = binds.slice(0, binds.indexOf(".")) as Level;
  return { id: binds, ...words.get(binds)!, binds, level };
}
