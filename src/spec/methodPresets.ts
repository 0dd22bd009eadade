/** Presets of methods outside the table of algorithms, derived from the preset whose model and tasks they share. */
import type { ExperimentSpec } from "./experiment.ts";
import { preferenceDefaults } from "./preference.ts";
import { iterativeDefaults } from "./iterative.ts";
import type { OwnSettings } from "./learning.ts";
import { processReward } from "./process.ts";

/**
 * The settings that the search of `test/bench/recipes/nano.json` chose for each method (a test
 * compares); equal draws and budget for all.
 */
export const NANO_RECIPES: Readonly<Record<string, OwnSettings>> = {
  grpo: { optimisation: { actorLr: 0.000104, minibatch: 32, epochs: 4, entropyCoef: 0 } },
  "token-ppo": {
    optimisation: { actorLr: 0.000606, minibatch: 128, epochs: 4, entropyCoef: 0.003 },
    critic: { lr: 0.00689 },
  },
  "turn-ppo": {
    optimisation: { actorLr: 0.000606, minibatch: 128, epochs: 4, entropyCoef: 0.003 },
    critic: { lr: 0.00689 },
  },
};

/** The settings that the search of `test/bench/recipes/webshop-progress.json` chose, as above. */
const SHOP_RECIPES: typeof NANO_RECIPES = {
  grpo: { optimisation: { actorLr: 0.000104, minibatch: 32, epochs: 4, entropyCoef: 0 } },
  "token-ppo": {
    optimisation: { actorLr: 0.000104, minibatch: 32, epochs: 4, entropyCoef: 0 },
    critic: { lr: 0.00272 },
  },
  "turn-ppo": {
    optimisation: { actorLr: 0.000606, minibatch: 128, epochs: 4, entropyCoef: 0.003 },
    critic: { lr: 0.00689 },
  },
};

/** The settings that the search of `test/bench/recipes/sokoban-class.json` chose, as above. */
const CLASS_RECIPES: typeof NANO_RECIPES = {
  grpo: { optimisation: { actorLr: 0.000124, minibatch: 16, epochs: 2, entropyCoef: 0 } },
  "token-ppo": {
    optimisation: { actorLr: 0.000875, minibatch: 128, epochs: 2, entropyCoef: 0.01 },
    critic: { lr: 0.00173 },
  },
  "turn-ppo": {
    optimisation: { actorLr: 0.000124, minibatch: 16, epochs: 2, entropyCoef: 0 },
    critic: { lr: 0.00141 },
  },
};

/** A search that gave every method the same draws and stages (a test compares), and the preset that uses its results. */
export interface RecipeSearch {
  preset: string;
  /** Its file in `test/bench/recipes`. */
  config: string;
  /** Settings tried for each method in the first stage. */
  draws: number;
  stages: number;
  /** Its results, by method. */
  recipes: Readonly<Record<string, OwnSettings>>;
}

const nanoSearch: RecipeSearch = {
  preset: "nano-fair",
  config: "nano.json",
  draws: 12,
  stages: 3,
  recipes: NANO_RECIPES,
};

const shopSearch: RecipeSearch = {
  preset: "webshop-fair",
  config: "webshop-progress.json",
  draws: 12,
  stages: 3,
  recipes: SHOP_RECIPES,
};

const classSearch: RecipeSearch = {
  preset: "sokoban-class-fair",
  config: "sokoban-class.json",
  draws: 8,
  stages: 2,
  recipes: CLASS_RECIPES,
};

export const recipeSearches: readonly RecipeSearch[] = [nanoSearch, shopSearch, classSearch];

export function nanoFairPreset(nano: ExperimentSpec): ExperimentSpec {
  return fairPreset(nano, nanoSearch);
}

/** From `shopProgressPreset`, where its search was done. */
export function shopFairPreset(progress: ExperimentSpec): ExperimentSpec {
  return fairPreset(progress, shopSearch);
}

/** From `sokoban-class-many`, where its search was done. */
export function classFairPreset(many: ExperimentSpec): ExperimentSpec {
  return fairPreset(many, classSearch);
}

/** Three methods, each with the settings of an equal search, scored on the sealed test levels that no search has used. */
function fairPreset(base: ExperimentSpec, { preset, recipes }: RecipeSearch): ExperimentSpec {
  return {
    ...base,
    preset,
    algorithms: Object.entries(recipes).map(([name, own]) => ({ name, set: {}, with: own })),
    optimisation: { ...base.optimisation, iterations: 100 },
    evaluation: { ...base.evaluation, levels: 256, set: "test" },
  };
}

/** Iterative PPO, its inner row, and the row with a turn critic. */
export function iterativePreset(nano: ExperimentSpec): ExperimentSpec {
  return {
    ...nano,
    preset: "nano-iterative",
    algorithms: [
      { name: "token-ppo", set: {} },
      { name: "turn-ppo", set: {} },
    ],
    iterative: iterativeDefaults(),
  };
}

/** Each turn also gets a reward for progress towards the solution, in a way that preserves the optimum. */
export function processPreset(nano: ExperimentSpec): ExperimentSpec {
  return {
    ...nano,
    preset: "nano-process",
    algorithms: [
      { name: "token-ppo", set: {} },
      { name: "turn-ppo", set: {} },
    ],
    processReward: processReward.parse({}),
  };
}

/**
 * A setting in which RL helps in the shop (test/bench/recipes/webshop.md): a shop that the weights
 * were not cloned in, so that training goals are as hard as held-out ones; a reward for each turn's
 * progress, so that a critic can explain it; scores at the training temperature. GRPO's scores are
 * the same with and without that reward.
 */
export function shopProgressPreset(
  webshop: ExperimentSpec,
  preset = "webshop-progress",
): ExperimentSpec {
  return {
    ...webshop,
    preset,
    environment: { ...webshop.environment, catalogSeed: 2 } as ExperimentSpec["environment"],
    algorithms: [
      { name: "grpo", set: {} },
      { name: "token-ppo", set: {} },
      { name: "turn-ppo", set: { gamma: 1, lambda: 0.5 } },
    ],
    processReward: processReward.parse({ eta: 1 }),
    critic: { ...webshop.critic, kind: "separate", lr: 1e-3, warmup: 1, epochs: 1 },
    optimisation: {
      ...webshop.optimisation,
      epochs: 1,
      entropyCoef: 0,
      actorLrWarmup: 5,
      grouping: "all",
    },
    evaluation: { ...webshop.evaluation, temperature: 1 },
  };
}

/** Offline: only pairs of the first policy's rollouts, trained on repeatedly. */
export function tdpoPreset(nano: ExperimentSpec): ExperimentSpec {
  return {
    ...nano,
    preset: "nano-tdpo",
    algorithms: [],
    preference: {
      ...preferenceDefaults(),
      methods: ["dpo", "tdpo1", "tdpo2"],
      // 1024 episodes. A gap of 1 is far more than steps and penalties can cause: solved versus not
      // solved.
      collect: 8,
      pairsPerTask: 4,
      minGap: 1,
      heldOut: 0.1,
      // With the papers' 0.1 and so few tokens per response, margins grow until the policy is far
      // from the reference.
      beta: 0.5,
      lr: 3e-4,
      minibatch: 32,
    },
    optimisation: { ...nano.optimisation, iterations: 8 },
    evaluation: { ...nano.evaluation, every: 2 },
  };
}
