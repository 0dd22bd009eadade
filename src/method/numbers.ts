/** The numbers of the axes: settings that may be overridden, with their ranges and symbols. Plain data. */
export interface NumberAxis {
  about: string;
  /** In formulas, in KaTeX. */
  symbol: string;
  min: number;
  max: number;
  /** Whether "none" is allowed, kept as null. */
  none: boolean;
}

/** Of a batch without an experiment: TRL's max_completion_length. */
export const DEFAULT_HORIZON = 256;

/** Numbers that may be overridden. */
export const numberAxes = {
  gamma: { symbol: "\\gamma", about: "Discount per time step", min: 0, max: 1, none: false },
  lambda: {
    symbol: "\\lambda",
    about: "GAE's trace decay per time step",
    min: 0,
    max: 1,
    none: false,
  },
  lambdaCritic: {
    symbol: "\\lambda_V",
    about: "Trace decay of the critic's targets. None: targets are A + V; 1: discounted returns",
    min: 0,
    max: 1,
    none: true,
  },
  lengthAlpha: {
    symbol: "\\alpha_\\ell",
    about: "lambda is 1 - 1 / (lengthAlpha n), n the rollout's steps (VAPO). None: lambda as set",
    min: 1e-6,
    max: 1e6,
    none: true,
  },
  gammaTurn: {
    symbol: "\\Gamma",
    about: "Discount per turn of bi-level GAE",
    min: 0,
    max: 1,
    none: false,
  },
  alpha: {
    symbol: "\\alpha",
    about:
      "Weight of the outcome beside the turn's own signal (MT-GRPO), or of the turns' gains beside the outcome (A2TGPO); exponent of the weights of longer histories (HGPO)",
    min: 0,
    max: 1000,
    none: false,
  },
  omega: {
    symbol: "\\omega",
    about: "Weight of the anchor-state part (GiGPO)",
    min: 0,
    max: 1000,
    none: false,
  },
  formatWeight: {
    symbol: "\\omega_f",
    about: "Weight of the score for form beside the environment's pay (GDPO)",
    min: 0,
    max: 1000,
    none: false,
  },
  processWeight: {
    symbol: "\\omega_p",
    about: "Weight of the score of process pay beside the environment's pay (GDPO)",
    min: 0,
    max: 1000,
    none: false,
  },
  passK: {
    symbol: "k",
    about: "Tries of which one success is enough (pass@k); at most the group's size less 1",
    min: 1,
    max: 1000,
    none: false,
  },
  epsLow: {
    symbol: "\\varepsilon_{\\text{low}}",
    about:
      "Ratios are clipped below 1 - epsLow; with a clip by divergence, the largest one for A < 0 (DPPO)",
    min: 0,
    max: 1e6,
    none: false,
  },
  epsHigh: {
    symbol: "\\varepsilon_{\\text{high}}",
    about:
      "Ratios are clipped above 1 + epsHigh; with a clip by divergence, the largest one for A > 0 (DPPO)",
    min: 0,
    max: 1e6,
    none: false,
  },
  epsSpread: {
    symbol: "\\eta",
    about: "Adaptive clip: a turn's range is scaled by 1 - epsSpread .. 1 + epsSpread",
    min: 0,
    max: 1,
    none: false,
  },
  dualClip: {
    symbol: "c",
    about:
      "For A < 0 the loss is at most -dualClip A; with a clip by divergence, a token's largest weight (DPPO)",
    min: 1,
    max: 1e6,
    none: true,
  },
  tauPos: {
    symbol: "\\tau_{+}",
    about: "Soft gate: how fast a gradient shrinks away from a ratio of 1 where A > 0 (SAPO)",
    min: 1e-6,
    max: 1e6,
    none: false,
  },
  tauNeg: {
    symbol: "\\tau_{-}",
    about: "Soft gate: the same where A < 0 (SAPO)",
    min: 1e-6,
    max: 1e6,
    none: false,
  },
  covShare: {
    symbol: "k",
    about: "Share of the minibatch's units that are picked by covariance (Clip-Cov, KL-Cov)",
    min: 0,
    max: 1,
    none: false,
  },
  covLow: {
    symbol: "\\omega_{\\text{low}}",
    about: "Units of less covariance are not picked (Clip-Cov)",
    min: -1e6,
    max: 1e6,
    none: false,
  },
  covHigh: {
    symbol: "\\omega_{\\text{high}}",
    about: "Units of more covariance are not picked (Clip-Cov)",
    min: -1e6,
    max: 1e6,
    none: false,
  },
  covPull: {
    symbol: "\\beta_{\\text{cov}}",
    about: "Weight of the distance of a picked unit's log-ratio from 0 (KL-Cov)",
    min: 0,
    max: 1e6,
    none: false,
  },
  horizon: {
    symbol: "M",
    about: `Divisor of seq-mean-token-sum-norm. Unset: turns times tokens a turn, or ${DEFAULT_HORIZON} without an experiment; none: the minibatch's longest trajectory`,
    min: 1,
    max: 1e9,
    none: true,
  },
  valueClip: {
    symbol: "c_V",
    about: "The new value stays this near the old one, in reward units",
    min: 0,
    max: 1e9,
    none: true,
  },
  betaKl: {
    symbol: "\\beta",
    about: "Weight of k3 against the reference in the loss (axis H)",
    min: 0,
    max: 1e6,
    none: false,
  },
  betaOld: {
    symbol: "\\beta_{\\text{old}}",
    about: "Weight of k2 against the policy before the update, in the loss (axis H) (DRO)",
    min: 0,
    max: 1e6,
    none: false,
  },
  lmWeight: {
    symbol: "\\mu",
    about: "Weight of the mean negative log-prob of successful rollouts' tokens in the loss (VAPO)",
    min: 0,
    max: 1e6,
    none: false,
  },
  betaKlReward: {
    symbol: "\\beta_r",
    about: "Weight of k1 against the reference, taken from each token's reward (axis H)",
    min: 0,
    max: 1e6,
    none: false,
  },
  klTarget: {
    symbol: "\\text{KL}^*",
    about: "betaKlReward adapts so that the mean k1 comes near this; none: it stays (axis H)",
    min: 1e-9,
    max: 1e6,
    none: true,
  },
  klHorizon: {
    symbol: "H",
    about: "Episodes over which betaKlReward adapts by at most a fifth",
    min: 1,
    max: 1e9,
    none: false,
  },
  samplerLow: {
    symbol: "\\hat\\rho_{\\text{low}}",
    about: "Ratios of training pass to sampler below this are masked or rejected (sampler)",
    min: 0,
    max: 1e6,
    none: false,
  },
  samplerHigh: {
    symbol: "\\hat\\rho_{\\text{high}}",
    about: "Such ratios above this are truncated, masked or rejected (sampler)",
    min: 0,
    max: 1e6,
    none: false,
  },
  anchorSimilarity: {
    symbol: "\\theta_s",
    about: "States at least this alike in their texts count as one (GiGPO); 1: only equal ones",
    min: 0.01,
    max: 1,
    none: false,
  },
  historyLength: {
    symbol: "H_s",
    about: "Earlier states that a comparison of turns takes into account at most (HGPO)",
    min: 0,
    max: 1000,
    none: false,
  },
  filterKeep: {
    symbol: "p",
    about: "Share of the groups that reward-std keeps",
    min: 0,
    max: 1,
    none: false,
  },
  clipBiasKappa: {
    symbol: "\\kappa",
    about: "kappa of the clipping-bias correction",
    min: 1e-9,
    max: 1e9,
    none: false,
  },
} as const satisfies Record<string, NumberAxis>;

type NumbersOf<Axes extends Record<string, NumberAxis>> = {
  [K in keyof Axes]: Axes[K]["none"] extends true ? number | null : number;
};

/** Every number that a row has a value for. */
export type NumberSettings = NumbersOf<typeof numberAxes>;
export type NumberName = keyof NumberSettings;
