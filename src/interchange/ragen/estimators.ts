/** Baselines, estimators and normalisation of advantages as verl's `algorithm.adv_estimator`. */
import type { RowChoices, Settings } from "../../spec/axes.ts";
import type { Context, Outcome, Target } from "./axis.ts";

interface Estimator {
  name: string;
  baseline: RowChoices["baseline"];
  estimator: RowChoices["estimator"];
  whiten: Settings["whiten"];
  /** What runs it. */
  targets: readonly Target[];
}

const BOTH = ["ragen", "verl"] as const;
const scored = { estimator: "group-score", whiten: "none" } as const;

/** verl's estimators; baseline, estimator and whitening are one choice there. */
const ESTIMATORS: readonly Estimator[] = [
  { name: "grpo", baseline: "group-mean", ...scored, targets: BOTH },
  {
    name: "reinforce_plus_plus_baseline",
    baseline: "group-mean",
    estimator: "group-score",
    whiten: "tokens",
    targets: BOTH,
  },
  { name: "rloo", baseline: "leave-one-out", ...scored, targets: BOTH },
  // RAGEN's trainer stops a run that asks for ReMax, and knows no OPO.
  { name: "remax", baseline: "greedy", ...scored, targets: ["verl"] },
  {
    name: "remax",
    baseline: "greedy",
    estimator: "token-return",
    whiten: "none",
    targets: ["verl"],
  },
  { name: "opo", baseline: "length-weighted-mean", ...scored, targets: ["verl"] },
  {
    name: "reinforce_plus_plus",
    baseline: "none",
    estimator: "token-return",
    whiten: "tokens",
    targets: BOTH,
  },
  {
    name: "gae",
    baseline: "token-critic",
    estimator: "token-gae",
    whiten: "tokens",
    targets: BOTH,
  },
  {
    name: "gae",
    baseline: "token-critic",
    estimator: "bi-level-gae",
    whiten: "tokens",
    targets: ["ragen"],
  },
];

function estimatorOf({ config, target }: Context): Estimator | undefined {
  return ESTIMATORS.find(
    ({ baseline, estimator, whiten, targets }) =>
      baseline === config.baseline &&
      estimator === config.estimator &&
      whiten === config.whiten &&
      targets.includes(target),
  );
}

export function advantageEstimator(context: Context): Outcome {
  const { config, target } = context;
  const found = estimatorOf(context);
  if (!found) {
    const { estimator, baseline, whiten } = config;
    const place = target === "ragen" ? "RAGEN" : "verl";
    return {
      missing: `${place} has no ${estimator} with baseline ${baseline} and whitening ${whiten}`,
    };
  }
  const keys = { "algorithm.adv_estimator": found.name };
  const differs = estimatorDiffers(found, context);
  return differs === undefined ? { keys } : { keys, differs };
}

/** What RAGEN's rows make of them: with context turn, a row is a turn and carries the whole episode's score. */
const WITH_TURN_ROWS: Readonly<Record<string, string>> = {
  gae: "GAE does not run from turn to turn",
  reinforce_plus_plus: "a turn is paid for the turns before it too",
  reinforce_plus_plus_baseline: "an episode counts once for each of its turns in its group's mean",
  rloo: "an episode counts once for each of its turns in its group's mean",
};

function estimatorDiffers({ name }: Estimator, { target, context }: Context): string | undefined {
  if (target === "verl") return undefined;
  if (context === "full") {
    return name === "reinforce_plus_plus"
      ? "the verl of RAGEN clears the return at every token of an observation, so that a turn sees only its own rewards (verl issue 7278)"
      : undefined;
  }
  const what = WITH_TURN_ROWS[name];
  return what && `with context turn, each turn is a row with the whole episode's score: ${what}`;
}

export function groupStd({ config }: Context): Outcome {
  const whitened = config.whiten !== "none";
  if (config.estimator !== "group-score") return {};
  if (config.baseline !== "group-mean" || whitened) {
    return config.std === "none" ? {} : { missing: "these scores are divided by no group's std" };
  }
  if (config.std !== "sample" && config.std !== "none") {
    return { missing: "the std of a group is the unbiased one" };
  }
  return { keys: { "algorithm.norm_adv_by_std_in_grpo": config.std === "sample" } };
}

export function biLevel({ config }: Context): Outcome {
  if (config.estimator !== "bi-level-gae") return {};
  const ends =
    config.turnEnds === "explicit" ? "turn ends are tokens with a reward other than 0; " : "";
  return {
    differs:
      `${ends}RAGEN allows one score per trajectory there, so that the turns' GAE has a single step; its trainer looks ` +
      "the function up in verl's core_algos, where only a patched verl has it",
  };
}
