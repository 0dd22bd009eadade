/** The rows of the table of algorithms: one choice per axis, and defaults; plain data. */
import type { Settings } from "../method/axes.ts";
import type { RowChoices } from "../method/rowAxes.ts";

export interface AlgorithmRow extends RowChoices {
  name: string;
  title: string;
  /** arXiv number of the paper that defines it; null if there is none. */
  arxiv: string | null;
  /** Source of the definition: section of the paper, repository and path. */
  source: string;
  about: string;
  /** What the sources leave open, and the choice made here. */
  uncertain?: string;
  /** How a turn critic's loss is averaged: over all turns, or over the turns of each trajectory first. Absent: all turns. */
  criticMean?: "trajectories";
  defaults: Settings;
  /** Values of the first revision that differ. */
  first?: Partial<Settings>;
}

const common: Settings = {
  gamma: 1,
  lambda: 1,
  lambdaCritic: null,
  lengthAlpha: null,
  gammaTurn: 0.95,
  alpha: 1,
  omega: 1,
  formatWeight: 1,
  processWeight: 1,
  passK: 4,
  epsLow: 0.2,
  epsHigh: 0.2,
  epsSpread: 0.3,
  dualClip: null,
  tauPos: 1,
  tauNeg: 1.05,
  covShare: 2e-4,
  covLow: 1,
  covHigh: 5,
  covPull: 1,
  horizon: null,
  valueClip: null,
  betaKl: 0,
  betaOld: 0,
  lmWeight: 0,
  betaKlReward: 0,
  klTarget: null,
  klHorizon: 10_000,
  samplerLow: 0.5,
  samplerHigh: 2,
  anchorSimilarity: 1,
  historyLength: 2,
  filterKeep: 0.25,
  clipBiasKappa: 1,
  whiten: "none",
  std: "none",
  valueAt: "state-end",
  turnEnds: "explicit",
  groupCount: "trajectory",
  ratio: "token",
  clip: "range",
  aggregation: "token-mean",
  sampler: "none",
  filter: "none",
  laterTurns: "outcome",
  historyWeights: "present",
  clipBias: "none",
  clipBiasScope: "minibatch",
};

const scored = { reward: "trajectory", estimator: "group-score" } as const;
const groupScored = { ...scored, baseline: "group-mean" } as const;
const tokenCritic = { reward: "turn", baseline: "token-critic" } as const;
const turnCritic = { reward: "turn", baseline: "turn-critic", estimator: "turn-gae" } as const;

/** Base of GRPO and its relatives. */
const grpo: Settings = { ...common, std: "sample", aggregation: "seq-mean-token-mean" };
/** Base of DPPO. */
const dppo: Settings = { ...grpo, dualClip: 10_000, aggregation: "seq-mean-token-sum-norm" };
/** Base of PPOs over tokens. */
const tokenPpo: Settings = { ...common, whiten: "tokens", dualClip: 3 };
/** Base of PPOs over turns. */
const turnPpo: Settings = { ...common, gamma: 0.99, lambda: 0.9, whiten: "turns", dualClip: 3 };

/** In display order: with neither group nor critic, with groups, with critics, with both kinds of signal. */
export const rows: readonly AlgorithmRow[] = [
  {
    name: "reinforce",
    title: "REINFORCE",
    arxiv: null,
    source: "Williams 1992, Machine Learning 8, eq. 11; the return counts from the turn on",
    about: "No baseline: each turn is paid all rewards that follow it.",
    reward: "turn",
    baseline: "none",
    estimator: "turn-return",
    defaults: { ...common, ratio: "none", aggregation: "seq-mean-token-sum" },
  },
  {
    name: "rebn",
    title: "REINFORCE + ReBN",
    arxiv: "2510.01051",
    source: "GEM, sec. 3; axon-rl/gem examples/train_oat/train_oat.py",
    about: "Returns of turns, normalised over all turns of the batch.",
    reward: "turn",
    baseline: "batch-mean",
    estimator: "turn-return",
    defaults: {
      ...common,
      gamma: 0.9,
      whiten: "turns-population",
      ratio: "none",
      aggregation: "seq-mean-token-sum-norm",
    },
  },
  {
    name: "reinforce-pp",
    title: "REINFORCE++",
    arxiv: "2501.03262",
    source: "sec. 3; verl/trainer/ppo/core_algos.py, compute_reinforce_plus_plus_outcome_advantage",
    about: "Returns of tokens, normalised over the batch, with PPO's clip.",
    uncertain:
      "The paper takes k1 from each token's reward; here betaKlReward is 0 unless it is set.",
    reward: "turn",
    baseline: "none",
    estimator: "token-return",
    defaults: { ...common, whiten: "tokens" },
  },
  {
    name: "reinforce-pp-baseline",
    title: "REINFORCE++ baseline",
    arxiv: "2501.03262",
    source:
      "sec. 3; verl/trainer/ppo/core_algos.py, compute_reinforce_plus_plus_baseline_outcome_advantage",
    about: "Score minus the group's mean, normalised over the batch's tokens.",
    ...groupScored,
    defaults: { ...common, whiten: "tokens" },
  },
  {
    name: "remax",
    title: "ReMax",
    arxiv: "2310.10505",
    source: "alg. 1; verl/trainer/ppo/core_algos.py, compute_remax_outcome_advantage",
    about: "The baseline is the score of the task's greedy rollout.",
    reward: "turn",
    baseline: "greedy",
    estimator: "token-return",
    defaults: { ...common, ratio: "none", aggregation: "seq-mean-token-sum" },
  },
  {
    name: "rloo",
    title: "RLOO",
    arxiv: "2402.14740",
    source: "sec. 3.2; verl/trainer/ppo/core_algos.py, compute_rloo_outcome_advantage",
    about: "Each rollout is compared with the mean of its task's others.",
    uncertain: "The paper takes KL from the reward; here betaKlReward is 0 unless it is set.",
    ...scored,
    baseline: "leave-one-out",
    defaults: { ...common, ratio: "none", aggregation: "seq-mean-token-sum" },
  },
  {
    name: "opo",
    title: "OPO",
    arxiv: "2505.23585",
    source: "sec. 3; verl/trainer/ppo/core_algos.py, compute_opo_outcome_advantage",
    about: "The group's mean weighted by length: least gradient variance.",
    ...scored,
    baseline: "length-weighted-mean",
    defaults: common,
  },
  {
    name: "otb",
    title: "OTB",
    arxiv: "2602.07078",
    source: "verl/trainer/ppo/core_algos.py, compute_multi_turn_optimal_token_baseline_advantage",
    about: "The baseline: the group's returns at each position, weighted by energy.",
    uncertain:
      "verl has two forms: one counts positions with the environment's tokens, the other without them, as here. Both leave the baseline out where only one rollout is that long.",
    reward: "turn",
    baseline: "energy-weighted-mean",
    estimator: "token-return",
    defaults: common,
  },
  {
    name: "grpo",
    title: "GRPO",
    arxiv: "2402.03300",
    source:
      "DeepSeekMath, sec. 4.1; verl/trainer/ppo/core_algos.py, compute_grpo_outcome_advantage",
    about: "No critic: each rollout is scored against its task's others.",
    uncertain:
      "The paper holds the policy near the first one with k3 (0.04); here no reference model is kept unless betaKl is set.",
    ...groupScored,
    defaults: grpo,
  },
  {
    name: "dr-grpo",
    title: "Dr.GRPO",
    arxiv: "2503.20783",
    source: "sec. 3.2; verl: norm_adv_by_std_in_grpo=False, seq-mean-token-sum-norm",
    about: "GRPO without its two divisors: group's std and answer's length.",
    ...groupScored,
    defaults: { ...grpo, std: "none", aggregation: "seq-mean-token-sum-norm" },
  },
  {
    name: "dapo",
    title: "DAPO",
    arxiv: "2503.14476",
    source: "sec. 3.1 to 3.3",
    about:
      "GRPO with a higher upper clip, a mean over all tokens. Groups that all solve or all fail are left out.",
    uncertain:
      "Groups are left out but not replaced: all algorithms play as many episodes. Code differs on what must differ in a group: correct answers, as in the paper, or scores (mixed).",
    ...groupScored,
    defaults: { ...grpo, epsHigh: 0.28, aggregation: "token-mean", filter: "accuracy" },
    first: { filter: "mixed" },
  },
  {
    name: "gdpo",
    title: "GDPO",
    arxiv: "2601.05242",
    source: "verl/trainer/ppo/core_algos.py, compute_gdpo_outcome_advantage",
    about: "GRPO that compares each kind of reward by itself.",
    uncertain:
      "verl normalises the sum over all tokens (here), with 1e-6 beside a group's std. The authors' code normalises over rollouts, with 1e-4; whiten=turns comes near it.",
    reward: "parts",
    baseline: "group-mean",
    estimator: "group-score-parts",
    defaults: { ...grpo, whiten: "tokens", aggregation: "token-mean" },
  },
  {
    name: "grpo-passk",
    title: "Pass@k GRPO",
    arxiv: "2503.19595",
    source: "verl/trainer/ppo/core_algos.py, compute_grpo_passk_outcome_advantage",
    about: "Only a task's best rollout learns: by its lead.",
    uncertain:
      "verl lets chance choose the winner where two are best; its advantage is 0 all the same. The analytic form of arXiv 2508.10751, for rewards of 0 and 1, is another method.",
    ...scored,
    baseline: "second-best",
    defaults: grpo,
  },
  {
    name: "passk-analytic",
    title: "Pass@k (analytic)",
    arxiv: "2508.10751",
    source: "RUCAIBox/Passk_Training code/passk_adv.py",
    about: "Credits successes by the chance that one of k tries succeeds.",
    uncertain:
      "Their code takes rewards of 0 and 1 only; here a rollout's success counts, whatever else is paid. k is 4, as in the paper's main runs, and less in groups of 4 or fewer, where a draw would be the whole group.",
    ...scored,
    baseline: "pass-at-k",
    estimator: "group-success",
    defaults: grpo,
  },
  {
    name: "salt",
    title: "SALT",
    arxiv: "2510.20022",
    source: "a reading: notes and the abstract; no author code",
    about: "GRPO whose rollouts share the credit of common steps.",
    uncertain:
      "The paper's text was not read. Open: which steps count as one (here equal state, action and next state; after a log's last turn, its reward and end), and how much history must agree (historyLength).",
    ...groupScored,
    estimator: "edge-mean",
    defaults: { ...grpo, historyLength: 0 },
  },
  {
    name: "so-grpo",
    title: "SO-GRPO",
    arxiv: "2511.20718",
    source: "version 2 of the ST-PPO paper, a reading: notes; repository SORL not stored",
    about: "GRPO with ST-PPO's ratio per turn and its clipping-bias correction.",
    uncertain:
      "Its text was not read. Open: the turn's ratio, a geometric mean (here) or the arithmetic mean of token ratios, and the normalisation: by the clipped gradient's norm as in version 1 (here), or only where the clip fraction exceeds 0.2.",
    ...groupScored,
    defaults: { ...grpo, ratio: "turn-geomean", clipBias: "max-one" },
  },
  {
    name: "gspo",
    title: "GSPO",
    arxiv: "2507.18071",
    source: "eq. 5 to 7; verl/trainer/ppo/core_algos.py, compute_policy_loss_gspo",
    about: "GRPO with one ratio per trajectory: its tokens' geometric mean.",
    ...groupScored,
    defaults: { ...grpo, ratio: "sequence-geomean", epsLow: 3e-4, epsHigh: 4e-4 },
  },
  {
    name: "gmpo",
    title: "GMPO",
    arxiv: "2507.20673",
    source: "eq. 4; verl/trainer/ppo/core_algos.py, compute_policy_loss_geo_mean",
    about: "GRPO on the geometric mean of token ratios, each clipped.",
    ...groupScored,
    defaults: {
      ...grpo,
      ratio: "sequence-geomean",
      clip: "log-geomean",
      epsLow: 0.4,
      epsHigh: 0.4,
    },
  },
  {
    name: "cispo",
    title: "CISPO",
    arxiv: "2506.13585",
    source: "MiniMax-M1, eq. 4; verl/trainer/ppo/core_algos.py, compute_policy_loss_cispo",
    about: "Clips the ratio as a weight; every token keeps its gradient.",
    uncertain:
      "The paper tunes the upper limit only and does not print it; verl's default of 0.2 is kept.",
    ...groupScored,
    defaults: { ...grpo, clip: "weight", epsLow: 10, epsHigh: 0.2, aggregation: "token-mean" },
  },
  {
    name: "sapo",
    title: "SAPO",
    arxiv: "2511.20347",
    source: "verl/trainer/ppo/core_algos.py, compute_policy_loss_sapo; TRL has the same defaults",
    about: "GRPO with a smooth gate in place of the clip.",
    uncertain:
      "ARLArena's code chooses tau by the sign of a whole rollout's mean advantage and averages over all tokens; verl's, by the token's, is kept.",
    ...groupScored,
    defaults: { ...grpo, clip: "soft-gate" },
  },
  {
    name: "clip-cov",
    title: "Clip-Cov",
    arxiv: "2505.22617",
    source: "verl/trainer/ppo/core_algos.py, compute_policy_loss_clip_cov",
    about: "GRPO that silences a few tokens which would lower the entropy.",
    uncertain:
      "The authors' scripts widen PPO's range to 1 on both sides, which is kept; verl's default is 0.2. The choice among candidates is random there, and here fixed by their number.",
    ...groupScored,
    defaults: {
      ...grpo,
      clip: "cov-drop",
      epsLow: 1,
      epsHigh: 1,
      aggregation: "token-mean",
    },
  },
  {
    name: "kl-cov",
    title: "KL-Cov",
    arxiv: "2505.22617",
    source: "verl/trainer/ppo/core_algos.py, compute_policy_loss_kl_cov",
    about: "GRPO without a clip that tethers such tokens instead.",
    uncertain:
      "The authors' share is in percent, and ten times as large for a small model as for a large one: 0.002 and 0.0002. verl's default, 0.0002, is kept.",
    ...groupScored,
    defaults: { ...grpo, clip: "cov-pull", aggregation: "token-mean" },
  },
  {
    name: "dppo-tv",
    title: "DPPO (TV)",
    arxiv: "2602.04879",
    source: "binary total variation; verl/trainer/ppo/core_algos.py, compute_policy_loss_dppo_tv",
    about: "GRPO that masks tokens by how far their probability moved.",
    uncertain:
      "The ratio's cap differs: 20 in a comment of verl's code, 10,000 in the authors' script, which is kept. The forms over the likeliest k tokens are not here.",
    ...groupScored,
    defaults: { ...dppo, clip: "divergence-tv", epsLow: 0.15, epsHigh: 0.15 },
  },
  {
    name: "dppo-kl",
    title: "DPPO (KL)",
    arxiv: "2602.04879",
    source: "binary KL; verl/trainer/ppo/core_algos.py, compute_policy_loss_dppo_kl",
    about: "The same with a KL in place of the probability's move.",
    uncertain:
      "The ratio's cap differs: 20 in a comment of verl's code, 10,000 in the authors' script, which is kept. The forms over the likeliest k tokens are not here.",
    ...groupScored,
    defaults: { ...dppo, clip: "divergence-kl", epsLow: 0.05, epsHigh: 0.05 },
  },
  {
    name: "tis",
    title: "TIS",
    arxiv: null,
    source: "verl/trainer/ppo/rollout_corr_helper.py, rollout_is token; TRL's token_truncate",
    about: "GRPO weighted for the gap between sampler and training pass.",
    uncertain:
      "Limits differ: 2 in verl (here), 3 in TRL, 5 in SkyRL. By the product over the rollout: sampler=sequence-truncate.",
    ...groupScored,
    defaults: { ...grpo, sampler: "token-truncate" },
  },
  {
    name: "mis",
    title: "MIS",
    arxiv: null,
    source: "verl/trainer/ppo/rollout_corr_helper.py, rollout_rs seq_sum_k1",
    about: "GRPO without rollouts on which sampler and training pass disagree.",
    uncertain:
      "The name also stands for masks that keep the ratio as a weight: sampler=sequence-mask (TRL's default, up to 3) or token-mask (IcePop). Length moves the product; sampler=mean-reject, from 0.999 to 1.001, not.",
    ...groupScored,
    defaults: { ...grpo, sampler: "sequence-reject" },
  },
  {
    name: "token-mis",
    title: "Token rejection",
    arxiv: null,
    source: "verl/trainer/ppo/rollout_corr_helper.py, rollout_rs token_k1",
    about: "GRPO without the tokens on which sampler and training pass disagree.",
    uncertain:
      "verl rejects before it forms advantages; here these count every token. Its bounds are of the inverse ratio.",
    ...groupScored,
    defaults: { ...grpo, sampler: "token-reject" },
  },
  {
    name: "dro",
    title: "DRO",
    arxiv: "2405.19107",
    source: "verl/trainer/ppo/core_algos.py, compute_policy_loss_dro",
    about: "REINFORCE held near the old policy by a quadratic pull.",
    uncertain:
      "verl's loss leaves advantages and beta to the user. Here: score minus the group's mean, as a stand-in for the paper's trained value, and 0.05 as in Tinker's example.",
    ...groupScored,
    defaults: { ...common, ratio: "none", betaOld: 0.05 },
  },
  {
    name: "token-ppo",
    title: "token-PPO",
    arxiv: "1707.06347",
    source: "eq. 7; arXiv 1506.02438 (GAE); verl/trainer/ppo/core_algos.py",
    about: "PPO whose time steps are tokens, with a value per token.",
    ...tokenCritic,
    estimator: "token-gae",
    defaults: tokenPpo,
  },
  {
    name: "vapo",
    title: "VAPO",
    arxiv: "2504.05118",
    source:
      "a reading: notes on VAPO and VC-PPO (2503.01491); AReaL areal/trainer/ppo/lambda_fn.py",
    about: "token-PPO whose critic sees undecayed returns. lambda grows with length.",
    uncertain:
      "Read through notes. The critic starts early only as critic.warmup says. Rollouts under 20 tokens get lambda 0 at the paper's 0.05: set lengthAlpha to about 1 for them.",
    ...tokenCritic,
    estimator: "token-gae",
    defaults: { ...tokenPpo, lambdaCritic: 1, lengthAlpha: 0.05, epsHigh: 0.28, lmWeight: 0.1 },
    first: { lmWeight: 0 },
  },
  {
    name: "starpo",
    title: "StarPO",
    arxiv: "2504.20073",
    source: "RAGEN, sec. 3 and app. B.2: PPO with gamma = lambda = 1 and k1 in the reward",
    about: "RAGEN's PPO over all tokens of all turns of a trajectory.",
    ...tokenCritic,
    estimator: "token-gae",
    defaults: { ...tokenPpo, betaKlReward: 0.001 },
  },
  {
    name: "starpo-s",
    title: "StarPO-S",
    arxiv: "2504.20073",
    source: "RAGEN, sec. 4.2; mll-lab-nu/RAGEN ragen/trainer/rollout_filter.py",
    about: "StarPO on groups whose rewards differ most. No KL, a higher upper clip.",
    uncertain: "The share kept is the paper's 25 %; the current code keeps all by default.",
    ...tokenCritic,
    estimator: "token-gae",
    defaults: { ...tokenPpo, epsHigh: 0.28, filter: "reward-std" },
  },
  {
    name: "s-ppo",
    title: "S-PPO",
    arxiv: "2511.20718",
    source: "ST-PPO paper, eq. 7 to 9 (read through notes and a review; no author code)",
    about: "token-PPO whose gradient is divided by what the clip cut.",
    uncertain:
      "Whether the denominator is |C|, max(1, |C|) or |C| plus something, and over what it is taken, is not public; clipBias and clipBiasScope select a reading. Its mean is over trajectories of means over tokens, as lemma 4.1 has it; others read a mean over all tokens.",
    ...tokenCritic,
    estimator: "token-gae",
    defaults: {
      ...common,
      aggregation: "seq-mean-token-mean",
      clipBias: "max-one",
    },
  },
  {
    name: "turn-ppo-st",
    title: "Turn-PPO (ST-PPO paper)",
    arxiv: "2511.20718",
    source: "ST-PPO paper, eq. 4 and lemma 4.1 (read through notes)",
    about: "Another Turn-PPO: token GAE averaged in each turn, geometric-mean turn ratio.",
    uncertain:
      "The mean is over trajectories of means over tokens, as lemma 4.1 of that paper has it; others read a mean over all tokens.",
    ...tokenCritic,
    estimator: "token-gae-turn-mean",
    defaults: { ...common, ratio: "turn-geomean", aggregation: "seq-mean-token-mean" },
  },
  {
    name: "st-ppo",
    title: "ST-PPO",
    arxiv: "2511.20718",
    source: "ST-PPO paper, eq. 4 and 7 to 9 (read through notes and a review; no author code)",
    about: "Turn-level importance sampling and the clipping-bias correction together.",
    uncertain:
      "Whether the denominator is |C|, max(1, |C|) or |C| plus something, and over what it is taken, is not public; clipBias and clipBiasScope select a reading. Its mean is over trajectories of means over tokens, as lemma 4.1 has it; others read a mean over all tokens.",
    ...tokenCritic,
    estimator: "token-gae-turn-mean",
    defaults: {
      ...common,
      ratio: "turn-geomean",
      aggregation: "seq-mean-token-mean",
      clipBias: "max-one",
    },
  },
  {
    name: "bi-level-gae",
    title: "Bi-level GAE",
    arxiv: "2510.16907",
    source: "VAGEN; RAGEN ragen/trainer/core_algos.py, compute_bi_level_gae_advantage_return",
    about: "GAE over turns sets targets; GAE over tokens leads towards them.",
    uncertain:
      "RAGEN's code finds turn ends by their reward, so that turns without one vanish: turnEnds selects that.",
    ...tokenCritic,
    estimator: "bi-level-gae",
    defaults: tokenPpo,
  },
  {
    name: "turn-ppo-vagen",
    title: "Turn-PPO (VAGEN)",
    arxiv: "2510.16907",
    source: "VAGEN, docs/configs/algo-config.md, turn_wise_gae",
    about: "Another Turn-PPO: turn GAE on values at turn ends, token ratios.",
    ...turnCritic,
    defaults: { ...turnPpo, gamma: 1, lambda: 1, valueAt: "turn-end" },
  },
  {
    name: "turn-ppo-gem",
    title: "Turn-PPO (GEM)",
    arxiv: "2510.01051",
    source: "sail-sg/oat oat/algorithms/ppo_multiturn.py; VAGEN-Lite no_concat_gae",
    about: "Another Turn-PPO: turn GAE, a value per turn, token ratios.",
    uncertain:
      "oat reads the value at the first token of the query, where every state looks alike; the state-end is used here.",
    ...turnCritic,
    defaults: { ...turnPpo, whiten: "turns-population" },
  },
  {
    name: "turn-ppo",
    title: "Turn-PPO",
    arxiv: "2512.17008",
    source: "sec. 2.3, 2.4 and table 1 (read through notes; no author code)",
    about: "PPO over turns: one value, one ratio, one clip per turn.",
    uncertain:
      "Open in notes of the paper: over what advantages are whitened (turns here); the critic's target, A + V (here) or the discounted return (lambdaCritic=1); the ratio, a product (here) or a geometric mean (ratio=turn-geomean); the loss's denominator (aggregation); the clip's width (0.2 here).",
    ...turnCritic,
    criticMean: "trajectories",
    defaults: { ...turnPpo, ratio: "turn-product", aggregation: "turnsum-over-tokens" },
  },
  {
    name: "gigpo",
    title: "GiGPO",
    arxiv: "2505.10978",
    source: "eq. 3 to 8; verl-agent gigpo/core_gigpo.py",
    about: "Compares episodes of a group, and turns that start alike.",
    reward: "turn",
    baseline: "group-and-anchor",
    estimator: "anchor-state",
    defaults: { ...common, gamma: 0.95, betaKl: 0.01 },
  },
  {
    name: "sampo",
    title: "SAMPO",
    arxiv: "2602.21534",
    source: "ARLArena, eq. 8 and supplement, eq. S12 to S19",
    about: "GiGPO with turn ratios, on groups that differ in success.",
    uncertain:
      "The paper's appendix clips WebShop at 0.03 down and 0.04 up and divides by standard deviations; notes of the script have 0.003 and 0.004 and no divisor. Here: the appendix's widths, no divisor. A sequence there is one turn.",
    reward: "turn",
    baseline: "group-and-anchor",
    estimator: "anchor-state",
    defaults: {
      ...common,
      gamma: 0.95,
      betaKl: 0.01,
      ratio: "turn-geomean",
      epsLow: 0.03,
      epsHigh: 0.04,
      filter: "accuracy",
    },
  },
  {
    name: "gagpo",
    title: "GAGPO",
    arxiv: "2605.13217",
    source: "a reading: two independent summaries that agree; no author code",
    about: "GAE over turns. The group's mean return from a state is its value.",
    uncertain:
      "The paper's text was not read. Open: gamma and lambda, whether the group's normalisation runs over turns or rollouts, its standard deviation and its constant, the weight of the KL.",
    reward: "turn",
    baseline: "anchor-mean",
    estimator: "anchor-gae",
    defaults: { ...grpo, gamma: 0.95, lambda: 0.9, ratio: "turn-geomean" },
  },
  {
    name: "hgpo",
    title: "HGPO",
    arxiv: "2602.22817",
    source: "read in code: OliverLeeXZ/SERL recipe/hgpo/core_hgpo.py",
    about: "Compares turns by their last states. Longer shared histories weigh more.",
    uncertain:
      "The code weighs matches of 1, 2, 3 states by 2, 3, 4 and drops comparisons that give 0; the paper, read through notes, weighs them by 1, 2, 3: historyWeights=past.",
    reward: "turn",
    baseline: "shared-history",
    estimator: "anchor-history",
    defaults: { ...common, gamma: 0.95, betaKl: 0.01 },
  },
  {
    name: "mt-grpo",
    title: "MT-GRPO",
    arxiv: "2505.11821",
    source: "eq. 6 and 7",
    about: "Each turn's own reward and the outcome, compared within the group.",
    uncertain:
      "Turn k is compared with the group's k-th turns that are not last. The official code scores only the time before the first tool result; other code adds no later turns (laterTurns=outcome). The paper's k3 needs betaKl.",
    reward: "turn-and-outcome",
    baseline: "turn-group",
    estimator: "turn-plus-outcome",
    defaults: { ...grpo, laterTurns: "discounted" },
    first: { laterTurns: "outcome" },
  },
  {
    name: "a2tgpo",
    title: "A²TGPO",
    arxiv: "2605.06200",
    source: "sec. 3 (read through an article); CuSO4-Chen/A-TGPO (read in part)",
    about: "Gains in information per turn, compared by turn. An adaptive clip range.",
    uncertain:
      "The gain is the rise of the probability of the right answer's text. A Sokoban level has no such text: the fall of the fewest moves left stands in for it and is labelled.",
    reward: "gain-and-trajectory",
    baseline: "turn-group",
    estimator: "turn-group",
    defaults: { ...grpo, alpha: 0.3, ratio: "turn-geomean", clip: "adaptive" },
  },
];
