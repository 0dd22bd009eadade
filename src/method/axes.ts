/**
 * The axes of choice of which every on-policy algorithm is one row, with their values in words: plain
 * data, read by the page, the formula panel and the command line.
 */
import type { Numbers } from "./numbers.ts";

export interface WordAxis {
  about: string;
  /** Allowed value -> what it means. */
  values: Record<string, string>;
}

/** Axes with named values that may be overridden. */
export const wordAxes = {
  whiten: {
    about: "Batch normalisation of advantages (axis D)",
    values: {
      none: "none",
      tokens: "zero mean and unit variance over all trainable tokens",
      turns: "zero mean and unit variance over all turns",
      "turns-population": "over all turns, divided by the population std + 1e-9 (GEM, oat)",
      "turns-sample": "over all turns, divided by the unbiased std + 1e-9 (GEM's tinker trainer)",
    },
  },
  std: {
    about: "Divisor of group scores (axis D)",
    values: {
      none: "none (Dr.GRPO)",
      sample: "unbiased standard deviation of the group plus 1e-6",
      population: "population standard deviation of the group plus 1e-6",
    },
  },
  valueAt: {
    about: "Where a turn's value is read (axis B)",
    values: {
      "state-end": "at the last token of the query, before acting: V(s_h)",
      "turn-end": "before the last token of the response: it has seen most of the action",
      "turn-mean": "the mean over the response's tokens (AgileRL)",
    },
  },
  turnEnds: {
    about: "What counts as the end of a turn (axis C)",
    values: {
      explicit: "the last token of every response",
      "nonzero-reward":
        "tokens with a reward other than 0, as in RAGEN's code: turns without one vanish",
    },
  },
  groupCount: {
    about: "How often a trajectory counts in its group's mean (axis B)",
    values: {
      trajectory: "once",
      turn: "once for each of its turns (verl-agent's default)",
    },
  },
  ratio: {
    about: "Level of the importance ratio (axis E)",
    values: {
      token: "exp(d_t), one per token",
      "turn-product": "exp(sum of d_t), one per turn",
      "turn-geomean": "exp(mean of d_t), one per turn",
      "sequence-geomean": "exp(mean of d_t), one per trajectory (GSPO)",
      none: "no ratio and no clip: plain REINFORCE",
    },
  },
  clip: {
    about: "What is clipped (axis F)",
    values: {
      range:
        "the ratio, to 1 - epsLow .. 1 + epsHigh, where that makes the objective smaller (PPO)",
      adaptive: "the same with a range that widens for turns of high gain (A2TGPO)",
      weight: "the ratio as a constant weight of REINFORCE's gradient (CISPO)",
      "log-geomean":
        "each token's log-ratio, to -epsLow .. epsHigh, before the geometric mean (GMPO)",
    },
  },
  aggregation: {
    about: "How unit losses become one number (axis G)",
    values: {
      "token-mean": "mean over all tokens",
      "token-sum": "sum over all tokens",
      "seq-mean-token-mean": "mean over trajectories of the mean over their tokens",
      "seq-mean-token-sum": "mean over trajectories of the sum over their tokens",
      "seq-mean-token-sum-norm": "the same divided by one constant, the horizon (Dr.GRPO)",
      "turn-mean": "mean over all turns",
      "traj-turn-mean": "mean over trajectories of the mean over their turns",
      "turnsum-over-tokens": "mean over trajectories of the sum over turns per token (Turn-PPO)",
    },
  },
  filter: {
    about: "Which groups take part in the updates (axis I)",
    values: {
      none: "all",
      "reward-std": "those whose scores differ most: the share filterKeep of the groups (StarPO-S)",
      mixed: "those whose scores are not all equal (DAPO in revision 1; verl-agent)",
      accuracy: "those that some rollouts solve and others do not (DAPO)",
    },
  },
  laterTurns: {
    about: "What a turn's own score is followed by (axis C)",
    values: {
      outcome: "alpha times the outcome's: each turn stands alone",
      discounted: "later turns' scores and the outcome's, alpha once more for each turn (K turns)",
    },
  },
  clipBias: {
    about:
      "Denominator of the clipping-bias correction; C is the gradient that the clip cut (axis I)",
    values: {
      none: "no correction",
      "max-one":
        "max(1, |C| / kappa): the reading taken by default, the paper's text is not fully public",
      norm: "|C|, the literal reading of the equation",
      "norm-plus-one": "|C| / kappa + 1",
      "clipped-batches":
        "max(1, |C| / kappa) only where over 20 % of the tokens are clipped (a third party's reading)",
    },
  },
  clipBiasScope: {
    about: "What |C| is the norm of (axis I)",
    values: {
      minibatch: "the minibatch's gradient with respect to the parameters",
      trajectory:
        "each trajectory's gradient with respect to the parameters: one backward pass each",
      logprobs:
        "the minibatch's gradient with respect to the log-probs: a proxy that costs nothing",
    },
  },
} as const satisfies Record<string, WordAxis>;

type WordsOf<Axes extends Record<string, WordAxis>> = {
  [K in keyof Axes]: keyof Axes[K]["values"] & string;
};
export type Settings = WordsOf<typeof wordAxes> & Numbers;
export type RatioLevel = Settings["ratio"];
export type Aggregation = Settings["aggregation"];
export type Whitening = Settings["whiten"];
export type GroupStd = Settings["std"];
