/**
 * The axes of choice of which every on-policy algorithm is one row, with their values described:
 * plain data, read by the page, the formula panel and the command line.
 */
import { clips } from "./clip/clips.ts";
import { filters } from "./credit/groupFilter.ts";
import { whitenings } from "./credit/whiten.ts";
import { aggregations } from "./objective/aggregate.ts";
import type { NumberSettings } from "./numbers.ts";
import { clipBiases } from "./objective/clipBias.ts";
import { ratios } from "./objective/ratio.ts";
import { samplers } from "./objective/sampler.ts";

export interface WordAxis {
  about: string;
  /** Allowed value -> what it means. */
  values: Record<string, string>;
}

/** Axes with named values that may be overridden. */
export const wordAxes = {
  whiten: {
    about: "Batch normalisation of advantages (axis D)",
    values: { none: "none", ...wordsOf(whitenings) },
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
    values: { ...wordsOf(ratios), none: "no ratio and no clip: plain REINFORCE" },
  },
  clip: { about: "What is clipped (axis F)", values: wordsOf(clips) },
  aggregation: {
    about: "How unit losses become one number (axis G)",
    values: wordsOf(aggregations),
  },
  sampler: {
    about: "Correction for the gap between sampler and training pass (axis H)",
    values: { none: "none", ...wordsOf(samplers) },
  },
  filter: {
    about: "Which groups take part in the updates (axis I)",
    values: { none: "all", ...wordsOf(filters) },
  },
  laterTurns: {
    about: "What a turn's own score is followed by (axis C)",
    values: {
      outcome: "alpha times the outcome's: each turn stands alone",
      discounted: "later turns' scores and the outcome's, alpha once more for each turn (K turns)",
    },
  },
  historyWeights: {
    about: "Weights of a turn's comparisons with turns of the same last k states (axis C, HGPO)",
    values: {
      present: "(k + 1)^alpha, and a comparison that gives 0 has none (the authors' code)",
      past: "k^alpha: only states before the present one count (the paper, read through notes)",
      "with-episode":
        "as present, and the episode's score joins with weight 1 (the code's base_group)",
    },
  },
  clipBias: {
    about:
      "Denominator of the clipping-bias correction; C is the gradient that the clip cut (axis I)",
    values: { none: "no correction", ...wordsOf(clipBiases) },
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

/** What each entry of a table means. */
export function wordsOf<Name extends string>(table: Readonly<Record<Name, { about: string }>>) {
  const entries = Object.entries<{ about: string }>(table).map(([name, { about }]) => [
    name,
    about,
  ]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

type WordsOf<Axes extends Record<string, WordAxis>> = {
  [K in keyof Axes]: keyof Axes[K]["values"] & string;
};
export type Settings = WordsOf<typeof wordAxes> & NumberSettings;
export type GroupStd = Settings["std"];
