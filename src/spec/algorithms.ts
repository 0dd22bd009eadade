/**
 * An algorithm is a row in a table of choices, one per axis. The axes, their values, the rows and
 * their defaults are plain data, read by the page, the formula panel, the command line and
 * `algorithm/`, which binds them to functions. A new algorithm is a new row, or one new value on
 * one axis.
 */
import { InputError, show } from "./inputError.ts";

interface WordAxis {
  about: string;
  /** Allowed value -> what it means. */
  values: Record<string, string>;
}

interface NumberAxis {
  about: string;
  min: number;
  max: number;
  /** Whether "none" is allowed, kept as null. */
  none: boolean;
}

/** Axes that make an algorithm what it is; a row chooses them and nothing overrides them. */
export const rowAxes = {
  reward: {
    about: "Where rewards are placed (axis A)",
    values: {
      trajectory: "the sum over the trajectory is one score",
      turn: "each turn's reward is paid at its last token",
    },
  },
  baseline: {
    about: "What a return is compared with (axis B)",
    values: {
      "group-mean": "the mean score of the task's group",
      "token-critic": "V of the prefix before each token",
      "turn-critic": "V(s_h), read at the state-end of each turn",
    },
  },
  estimator: {
    about: "How advantages are formed (axis C)",
    values: {
      "group-score": "score minus the group's mean, divided by its std",
      "token-gae": "GAE whose time steps are trainable tokens",
      "turn-gae": "GAE whose time steps are turns",
    },
  },
} as const satisfies Record<string, WordAxis>;

/** Axes with named values that may be overridden. */
export const wordAxes = {
  whiten: {
    about: "Batch normalisation of advantages (axis D)",
    values: {
      none: "none",
      tokens: "zero mean and unit variance over all trainable tokens",
      turns: "zero mean and unit variance over all turns",
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
  aggregation: {
    about: "How unit losses become one number (axis G)",
    values: {
      "token-mean": "mean over all tokens",
      "token-sum": "sum over all tokens",
      "seq-mean-token-mean": "mean over trajectories of the mean over their tokens",
      "seq-mean-token-sum": "mean over trajectories of the sum over their tokens",
      "seq-mean-token-sum-norm": "the same divided by a fixed horizon (Dr.GRPO)",
      "turn-mean": "mean over all turns",
      "traj-turn-mean": "mean over trajectories of the mean over their turns",
      "turnsum-over-tokens": "mean over trajectories of the sum over turns per token (Turn-PPO)",
    },
  },
} as const satisfies Record<string, WordAxis>;

/** Numbers that may be overridden. */
export const numberAxes = {
  gamma: { about: "Discount per time step", min: 0, max: 1, none: false },
  lambda: { about: "GAE's trace decay per time step", min: 0, max: 1, none: false },
  epsLow: { about: "Ratios are clipped below 1 - epsLow", min: 0, max: 1, none: false },
  epsHigh: { about: "Ratios are clipped above 1 + epsHigh", min: 0, max: 1e6, none: false },
  dualClip: { about: "For A < 0 the loss is at most -dualClip A", min: 1, max: 1e6, none: true },
  horizon: {
    about: "Divisor of seq-mean-token-sum-norm; none: the longest trajectory's token count",
    min: 1,
    max: 1e9,
    none: true,
  },
  valueClip: {
    about: "The new value stays this near the old one, in reward units",
    min: 0,
    max: 1e9,
    none: true,
  },
  betaKl: {
    about: "Weight of k3 against the reference in the loss (axis H)",
    min: 0,
    max: 1e6,
    none: false,
  },
} as const satisfies Record<string, NumberAxis>;

type WordsOf<Axes extends Record<string, WordAxis>> = {
  [K in keyof Axes]: keyof Axes[K]["values"] & string;
};
type NumbersOf<Axes extends Record<string, NumberAxis>> = {
  [K in keyof Axes]: Axes[K]["none"] extends true ? number | null : number;
};

export type RowChoices = WordsOf<typeof rowAxes>;
export type Settings = WordsOf<typeof wordAxes> & NumbersOf<typeof numberAxes>;
export type RatioLevel = Settings["ratio"];
export type Aggregation = Settings["aggregation"];
export type Whitening = Settings["whiten"];
export type GroupStd = Settings["std"];

interface AlgorithmRow extends RowChoices {
  name: string;
  title: string;
  /** arXiv number of the paper that defines it. */
  arxiv: string;
  about: string;
  defaults: Settings;
}

const common = {
  gamma: 1,
  lambda: 1,
  epsLow: 0.2,
  epsHigh: 0.2,
  horizon: null,
  valueClip: null,
  betaKl: 0,
};

const rows: AlgorithmRow[] = [
  {
    name: "grpo",
    title: "GRPO",
    arxiv: "2402.03300",
    about: "No critic: each rollout is scored against the others of its task.",
    reward: "trajectory",
    baseline: "group-mean",
    estimator: "group-score",
    defaults: {
      ...common,
      whiten: "none",
      std: "sample",
      ratio: "token",
      dualClip: null,
      aggregation: "seq-mean-token-mean",
    },
  },
  {
    name: "token-ppo",
    title: "token-PPO",
    arxiv: "1707.06347",
    about: "PPO whose time steps are tokens, with a value per token.",
    reward: "turn",
    baseline: "token-critic",
    estimator: "token-gae",
    defaults: {
      ...common,
      whiten: "tokens",
      std: "none",
      ratio: "token",
      dualClip: 3,
      aggregation: "token-mean",
    },
  },
  {
    name: "turn-ppo",
    title: "Turn-PPO",
    arxiv: "2512.17008",
    about:
      "PPO whose time steps are turns: a value per turn, a ratio per turn, whole turns clipped.",
    reward: "turn",
    baseline: "turn-critic",
    estimator: "turn-gae",
    defaults: {
      ...common,
      gamma: 0.99,
      lambda: 0.9,
      whiten: "turns",
      std: "none",
      ratio: "turn-product",
      dualClip: 3,
      aggregation: "turnsum-over-tokens",
    },
  },
];

const rowByName = new Map(rows.map((row) => [row.name, row]));

/** All algorithms, in the order they are shown. */
export const algorithmNames: readonly string[] = rows.map((row) => row.name);

/** Keys that `resolveAlgorithm` takes as overrides. */
export const settingNames: readonly string[] = [
  ...Object.keys(wordAxes),
  ...Object.keys(numberAxes),
];

/** One algorithm with every choice made; plain JSON data. */
export interface AlgorithmConfig extends RowChoices, Settings {
  name: string;
  title: string;
  arxiv: string;
  about: string;
  /** What the critic gives a value to. */
  critic: "none" | "turn" | "token";
}

const criticOf = {
  "group-mean": "none",
  "token-critic": "token",
  "turn-critic": "turn",
} as const satisfies Record<RowChoices["baseline"], AlgorithmConfig["critic"]>;

/**
 * The named row with some settings replaced. Numbers may come as numbers or as their text; "none"
 * and null both mean none. A setting that the algorithm has no use for is checked and kept without
 * effect.
 * @throws InputError naming the setting, its value and what is allowed.
 */
export function resolveAlgorithm(
  name: string,
  overrides: Record<string, unknown> = {},
): AlgorithmConfig {
  const row = rowByName.get(name);
  if (!row) {
    throw new InputError(`algorithm is ${show(name)}; allowed: ${algorithmNames.join(", ")}`);
  }
  const { defaults, ...choices } = row;
  const settings: Record<string, string | number | null> = { ...defaults };
  for (const [key, value] of Object.entries(overrides)) settings[key] = checkSetting(key, value);
  return { ...choices, critic: criticOf[row.baseline], ...(settings as unknown as Settings) };
}

function checkSetting(key: string, value: unknown): string | number | null {
  if (Object.hasOwn(wordAxes, key)) return checkWord(key, value, wordAxes[key as "ratio"]);
  if (Object.hasOwn(numberAxes, key)) return checkNumber(key, value, numberAxes[key as "gamma"]);
  throw new InputError(`${show(key)} is not a setting; allowed: ${settingNames.join(", ")}`);
}

function checkWord(key: string, value: unknown, axis: WordAxis): string {
  const word = value === null ? "none" : value;
  if (typeof word === "string" && Object.hasOwn(axis.values, word)) return word;
  throw new InputError(`${key} is ${show(value)}; allowed: ${Object.keys(axis.values).join(", ")}`);
}

function checkNumber(key: string, value: unknown, axis: NumberAxis): number | null {
  if (axis.none && (value === null || value === "none")) return null;
  const text = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof text === "number" && text >= axis.min && text <= axis.max) return text;
  const shown = typeof value === "number" ? String(value) : show(value);
  const range = `from ${axis.min} to ${axis.max}${axis.none ? " or none" : ""}`;
  throw new InputError(`${key} is ${shown}; it must be a number ${range}`);
}
