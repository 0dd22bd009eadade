/** Presets of the small games, derived from nano's settings: one for each environment that needs no model of its own. */
import type { ExperimentSpec } from "./experiment.ts";

export interface Preset {
  name: string;
  /** A few words, as in forms and menus. */
  title: string;
  /** One sentence. */
  about: string;
  /**
   * Maximum seconds of an iteration of all its methods, with WebAssembly on two shared, busy server
   * cores; absent if not measured.
   */
  seconds?: number;
  spec: ExperimentSpec;
}

/** Cloned at the start of the run: their queries are short, so it takes a second or two. */
export function gamePresets(nano: ExperimentSpec): Preset[] {
  return [
    {
      name: "frozenlake",
      title: "FrozenLake, random maps",
      seconds: 8.2,
      about: "A new slippery 4×4 lake each time; the best player is known.",
      spec: frozenLakePreset(nano),
    },
    {
      name: "frozenlake-4x4",
      title: "FrozenLake, one map",
      seconds: 13,
      about: "Gymnasium's slippery 4×4 map, learned in minutes on a CPU.",
      spec: oneLakePreset(nano),
    },
    {
      name: "bandit",
      title: "Two-armed bandit",
      seconds: 0.5,
      about: "Two arms, one turn, one response: the smallest case of credit.",
      spec: banditPreset(nano),
    },
  ];
}

function frozenLakePreset(nano: ExperimentSpec): ExperimentSpec {
  return {
    ...nano,
    preset: "frozenlake",
    environment: {
      kind: "frozenlake",
      size: 4,
      frozenProbability: 0.8,
      // RAGEN's lake: a step goes in the intended direction four times out of five.
      slip: 0.2,
      trainLevels: 0,
      maxTurns: 5,
      maxActions: 10,
      maxActionsPerTurn: 2,
      formatPenalty: -0.1,
    },
    model: { preset: "nano", warmStart: "clone" },
    // Stopped at about a third of the maps, so that RL has room to improve; the best player crosses
    // nine in ten.
    clone: { levels: 1000, steps: 200, batch: 32, lr: 4e-3 },
    optimisation: { ...nano.optimisation, iterations: 30, actorLrWarmup: 5, rewardScale: 1 },
    evaluation: { ...nano.evaluation, every: 5, temperature: 0.5 },
  };
}

/** RL learns the one map itself: cloning, with half of its steps random, teaches little more than the format. */
function oneLakePreset(nano: ExperimentSpec): ExperimentSpec {
  const random = frozenLakePreset(nano);
  return {
    ...random,
    preset: "frozenlake-4x4",
    environment: {
      ...random.environment,
      map: "4x4",
      maxTurns: 8,
      maxActions: 16,
    } as ExperimentSpec["environment"],
    clone: { levels: 200, steps: 60, batch: 32, lr: 3e-3, noise: 0.5 },
    // At twice the rate GRPO collapsed after 17 iterations.
    optimisation: { ...random.optimisation, iterations: 25, actorLr: 5e-4 },
  };
}

function banditPreset(nano: ExperimentSpec): ExperimentSpec {
  return {
    ...nano,
    preset: "bandit",
    environment: {
      kind: "bandit",
      steadyReward: 0.1,
      daringReward: 1,
      daringProbability: 0.25,
      trainLevels: 0,
      maxTurns: 1,
      formatPenalty: -0.1,
    },
    model: { preset: "nano", warmStart: "clone" },
    // The expert pulls either arm: cloning teaches the format, and leaves the choice of arm to RL.
    clone: { levels: 200, steps: 30, batch: 32, lr: 3e-3, noise: 1 },
    sampling: { ...nano.sampling, maxTokensPerTurn: 3 },
    optimisation: { ...nano.optimisation, iterations: 20, actorLrWarmup: 5, rewardScale: 1 },
    // At the training temperature: measures how often the better arm is pulled, not only which one
    // is most likely.
    evaluation: { ...nano.evaluation, every: 5, temperature: 1 },
  };
}
