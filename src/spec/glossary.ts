/**
 * The page's terms, each with one meaning. Panels take their hints from here, and the glossary page
 * lists all of them, followed by the axes and the metrics (`metricTable.ts`).
 */
import { wordAxes } from "../method/axes.ts";
import { numberAxes } from "../method/numbers.ts";
import { metricTable, type MetricEntry } from "./metricTable.ts";
import { rowAxes } from "../method/rowAxes.ts";

export interface GlossaryTerm {
  id: string;
  term: string;
  /** A sentence without its full stop. */
  meaning: string;
  /** KaTeX: the symbol, or its definition. */
  equation?: string;
  /** Where it is defined. */
  source: string;
  /** verl's name for it, a setting or a metric. */
  verl?: string;
}

const GAE = "GAE, arXiv 1506.02438, eq. 11 to 16";
const PPO = "PPO, arXiv 1707.06347, eq. 6 and 7";
const GRPO = "GRPO, arXiv 2402.03300, sec. 4.1";
const OURS = "Turnbook";
const RL = "Sutton and Barto, Reinforcement Learning, ch. 3";

const episode: GlossaryTerm[] = [
  { id: "task", term: "Task", meaning: "One start state: a level, a map or a goal", source: OURS },
  {
    id: "group",
    term: "Group",
    meaning: "The rollouts of one task, which group methods compare",
    source: GRPO,
    verl: "actor_rollout_ref.rollout.n",
  },
  {
    id: "silent-group",
    term: "Silent group",
    meaning: "A group whose rollouts all earned the same: every advantage in it is 0",
    source: "DAPO, arXiv 2503.14476, sec. 3.2",
  },
  {
    id: "episode",
    term: "Episode, trajectory, rollout",
    meaning: "One play of a task from its start to its end or limit",
    source: RL,
  },
  {
    id: "turn",
    term: "Turn",
    meaning: "One observation and the model's whole response to it, which may hold several actions",
    source: OURS,
  },
  {
    id: "token",
    term: "Token",
    meaning: "A piece of text that the model reads or samples at once",
    source: OURS,
  },
  {
    id: "iteration",
    term: "Iteration",
    meaning: "One phase of rollouts and the updates that use them",
    source: OURS,
    verl: "training/global_step",
  },
  {
    id: "update",
    term: "Update",
    meaning: "One optimiser step",
    source: OURS,
    verl: "actor_rollout_ref.actor.ppo_mini_batch_size",
  },
  {
    id: "reward",
    term: "Reward",
    meaning: "The environment's reward for a turn, format penalty included",
    equation: "r_h",
    source: RL,
    verl: "critic/rewards/mean",
  },
  {
    id: "observation",
    term: "Observation",
    meaning: "The text or board that the model reads in a turn",
    source: RL,
  },
  {
    id: "held-out",
    term: "Held-out levels",
    meaning: "Tasks in no training set, on which success is reported",
    source: OURS,
    verl: "val-core/*/reward/mean@1",
  },
];

const credit: GlossaryTerm[] = [
  {
    id: "credit",
    term: "Credit assignment",
    meaning: "How an episode's reward is divided among its turns and tokens",
    source: RL,
  },
  {
    id: "return",
    term: "Return",
    meaning: "The discounted sum of the rewards from a turn on; of a critic, its training target",
    equation: "G_h=\\sum_{k\\ge h}\\gamma^{k-h}r_k",
    source: RL,
    verl: "critic/returns/mean",
  },
  {
    id: "value",
    term: "Value",
    meaning: "The critic's prediction of the return before the turn",
    equation: "V(s_h)",
    source: GAE,
    verl: "critic/values/mean",
  },
  {
    id: "td-error",
    term: "TD error",
    meaning: "How much better a step was than the critic predicted",
    equation: "\\delta_h=r_h+\\gamma V(s_{h+1})-V(s_h)",
    source: GAE,
  },
  {
    id: "advantage",
    term: "Advantage",
    meaning: "The credit used in training: plus makes a response likelier, minus less likely",
    equation: "A_h=Q(s_h,a_h)-V(s_h)",
    source: GAE,
    verl: "critic/advantages/mean",
  },
  {
    id: "gae",
    term: "GAE",
    meaning:
      "Generalised advantage estimation: a discounted sum of TD errors, by λ between bias and variance",
    equation: "A_h=\\sum_{l\\ge0}(\\gamma\\lambda)^l\\delta_{h+l}",
    source: GAE,
    verl: "algorithm.adv_estimator=gae",
  },
  {
    id: "gamma",
    term: "Discount γ",
    meaning: "How much a reward one step later counts",
    equation: "\\gamma",
    source: RL,
    verl: "algorithm.gamma",
  },
  {
    id: "lambda",
    term: "Trace decay λ",
    meaning: "How far GAE looks beyond the critic: 0 trusts the critic, 1 the returns",
    equation: "\\lambda",
    source: GAE,
    verl: "algorithm.lam",
  },
  {
    id: "baseline",
    term: "Baseline",
    meaning: "The expected return that a return is compared with",
    source: RL,
  },
  {
    id: "normalisation",
    term: "Normalisation",
    meaning: "Advantages shifted to mean 0 and scaled to variance 1, over a group or batch",
    equation: "\\hat A=(A-\\operatorname{mean})/\\operatorname{std}",
    source: GRPO,
    verl: "algorithm.norm_adv_by_std_in_grpo",
  },
  {
    id: "granularity",
    term: "Native granularity",
    meaning: "The level at which an algorithm assigns credit: token, turn or episode",
    source: OURS,
  },
  {
    id: "process-reward",
    term: "Process reward",
    meaning: "A reward for a single turn, added for training",
    source: OURS,
  },
  {
    id: "bootstrap",
    term: "Bootstrap",
    meaning: "The critic's value in place of rewards after an episode was cut off",
    source: RL,
  },
];

const objective: GlossaryTerm[] = [
  {
    id: "policy",
    term: "Policy, actor",
    meaning: "The model that samples responses",
    equation: "\\pi_\\theta",
    source: RL,
  },
  {
    id: "log-prob",
    term: "Log-prob",
    meaning: "The logarithm of a token's probability under the policy",
    equation: "\\log\\pi_\\theta(a_t\\mid s_t)",
    source: PPO,
  },
  {
    id: "ratio",
    term: "Ratio",
    meaning: "How many times more likely the response has become since sampling",
    equation: "\\rho=\\pi_\\theta(a\\mid s)/\\pi_{\\text{old}}(a\\mid s)",
    source: PPO,
  },
  {
    id: "clip",
    term: "Clip",
    meaning:
      "Removes the gradient where a further move of the ratio would still increase the objective",
    equation: "\\min(\\rho A,\\operatorname{clip}(\\rho,1-\\varepsilon,1+\\varepsilon)A)",
    source: PPO,
    verl: "actor_rollout_ref.actor.clip_ratio",
  },
  {
    id: "dual-clip",
    term: "Dual clip",
    meaning: "Limits the loss at a negative advantage when the ratio is far above 1",
    source: "arXiv 1912.09729, eq. 4",
    verl: "actor_rollout_ref.actor.clip_ratio_c",
  },
  {
    id: "clip-fraction",
    term: "Clip fraction",
    meaning: "Share of the tokens or turns that were clipped",
    source: PPO,
    verl: "actor/pg_clipfrac",
  },
  {
    id: "entropy",
    term: "Entropy",
    meaning: "The policy's uncertainty about its next token, in nats",
    equation: "H=-\\sum_a\\pi(a)\\log\\pi(a)",
    source: "Shannon 1948",
    verl: "actor/entropy",
  },
  {
    id: "kl",
    term: "KL divergence",
    meaning: "How far the policy has moved from its reference or from the sampling policy",
    equation: "\\operatorname{KL}(\\pi\\,\\|\\,\\pi_{\\text{ref}})",
    source: PPO,
    verl: "actor/ppo_kl",
  },
  {
    id: "reference",
    term: "Reference policy",
    meaning: "The fixed policy from which KL terms measure the drift",
    source: GRPO,
    verl: "actor_rollout_ref.ref",
  },
  {
    id: "aggregation",
    term: "Aggregation",
    meaning: "How the losses of tokens are averaged into one loss",
    source: "DAPO, arXiv 2503.14476, sec. 3.3",
    verl: "actor_rollout_ref.actor.loss_agg_mode",
  },
  {
    id: "filter",
    term: "Group filter",
    meaning: "Drops groups without spread, or keeps only those with the most spread",
    source: "DAPO, arXiv 2503.14476, sec. 3.2",
    verl: "algorithm.filter_groups",
  },
  {
    id: "gradient",
    term: "Policy gradient",
    meaning: "The direction in which an update changes the policy's weights",
    equation: "\\nabla_\\theta J",
    source: "Williams 1992",
    verl: "actor/grad_norm",
  },
];

const critics: GlossaryTerm[] = [
  {
    id: "critic",
    term: "Critic",
    meaning: "The model that predicts values; GRPO and its relatives have none",
    source: GAE,
    verl: "critic",
  },
  {
    id: "explained-variance",
    term: "Explained variance",
    meaning:
      "Share of the returns' variance that the values predict; below 0 is worse than their mean",
    equation: "1-\\operatorname{Var}(G-V)/\\operatorname{Var}(G)",
    source: "OpenAI Baselines",
    verl: "critic/vf_explained_var",
  },
  {
    id: "calibration",
    term: "Calibration",
    meaning: "Whether turns of equal value have that value as their mean return",
    source: OURS,
  },
  {
    id: "truth",
    term: "True value",
    meaning:
      "The policy's mean return from a state, estimated by many continuations from copies of it",
    equation: "V^\\pi(s)",
    source: RL,
  },
  {
    id: "oracle",
    term: "Oracle",
    meaning: "Plays the continuations that estimate true values",
    source: OURS,
  },
  {
    id: "fork",
    term: "Fork",
    meaning: "An episode with one response or board changed, continued by the policy",
    source: OURS,
  },
];

const runs: GlossaryTerm[] = [
  {
    id: "fingerprint",
    term: "Fingerprint",
    meaning: "A hash over all events of a run: equal fingerprints mean bit-for-bit equal runs",
    source: OURS,
  },
  {
    id: "checkpoint",
    term: "Checkpoint",
    meaning: "The weights and state of a run after an iteration",
    source: OURS,
    verl: "trainer.save_freq",
  },
  {
    id: "warm-start",
    term: "Starting weights",
    meaning: "The weights before training: a shipped checkpoint, imitation of a solver, or random",
    source: OURS,
  },
  {
    id: "collapse",
    term: "Collapse",
    meaning:
      "A failure of RL training, such as lost entropy, echoed templates or numbers that are not finite",
    source: "RAGEN, arXiv 2504.20073, sec. 4",
  },
  {
    id: "seed",
    term: "Seed",
    meaning: "The number from which levels and sampling are drawn",
    source: OURS,
    verl: "data.seed",
  },
  {
    id: "interval",
    term: "95 % interval",
    meaning:
      "A range that would contain the true mean in 95 % of repetitions, by Student's t or bootstrap",
    source: "arXiv 2108.13264",
  },
  {
    id: "iqm",
    term: "Interquartile mean",
    meaning: "The mean of the middle half of the runs",
    source: "arXiv 2108.13264, sec. 4.3",
  },
  {
    id: "dispatch",
    term: "Dispatch",
    meaning: "One kernel sent to the graphics card",
    source: "WebGPU specification",
  },
];

/** Sections of the page, in reading order. */
export const glossary = [
  { id: "episodes", title: "Episodes", terms: episode },
  { id: "credit", title: "Credit", terms: credit },
  { id: "objective", title: "Objective", terms: objective },
  { id: "critics", title: "Critic and truth", terms: critics },
  { id: "runs", title: "Runs", terms: runs },
  { id: "axes", title: "Axes and settings of algorithms", terms: axisTerms() },
  { id: "metrics", title: "Metrics", terms: metricTable.map(metricTerm) },
] as const;

const byId = new Map(glossary.flatMap(({ terms }) => terms.map((one) => [one.id, one])));

/** @throws RangeError if the glossary has no such term. */
export function glossaryTerm(id: string): GlossaryTerm {
  const found = byId.get(id);
  if (!found) throw new RangeError(`the glossary has no term ${id}`);
  return found;
}

/** A term's meaning as a hint, starting in lower case. @throws RangeError if the glossary has no such term. */
export function hintOf(id: string): string {
  const { meaning } = glossaryTerm(id);
  // A hint may start with a name, such as GAE, which keeps its capitals.
  return /^[A-Z][a-z ]/.test(meaning) ? meaning[0]!.toLowerCase() + meaning.slice(1) : meaning;
}

function axisTerms(): GlossaryTerm[] {
  const axes = { ...rowAxes, ...wordAxes, ...numberAxes };
  return Object.entries(axes).map(([name, { about }]) => ({
    id: `axis-${name}`,
    term: name,
    meaning: about,
    source: "the table of algorithms",
  }));
}

/** Ids are used in addresses, so they have only word characters. */
export function metricTermId(name: string): string {
  return `metric-${name.replace(/\W+/g, "-")}`;
}

function metricTerm({ name, meaning, source, also }: MetricEntry): GlossaryTerm {
  const elsewhere = also === undefined ? "" : `; ${also}`;
  const verl = source === "verl" ? { verl: name } : {};
  const from = source === "ours" ? OURS : source;
  return { id: metricTermId(name), term: name, meaning, source: `${from}${elsewhere}`, ...verl };
}
