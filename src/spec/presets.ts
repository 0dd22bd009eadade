/** Named experiments. A partial spec names one and says what differs. */
import {
  mergeSpec,
  SPEC_VERSION,
  validateSpec,
  type ExperimentSpec,
  type PartialSpec,
} from "./experiment.ts";
import { InputError, show } from "./inputError.ts";

interface Preset {
  name: string;
  about: string;
  spec: ExperimentSpec;
}

const sokobanClass: ExperimentSpec = {
  version: SPEC_VERSION,
  preset: "sokoban-class",
  environment: {
    kind: "sokoban",
    rows: 6,
    columns: 6,
    boxes: 1,
    searchDepth: 300,
    trainLevels: 0,
    maxTurns: 5,
    maxActions: 10,
    maxActionsPerTurn: 2,
    formatPenalty: -0.1,
  },
  model: { preset: "micro", warmStart: "checkpoint" },
  // Stopped while the policy still hesitates (success about a third), so that RL has room.
  clone: { levels: 50, steps: 70, batch: 32, lr: 1e-3 },
  algorithms: [
    { name: "grpo", set: {} },
    { name: "token-ppo", set: {} },
    { name: "turn-ppo", set: {} },
  ],
  context: "turn",
  // Measured at nano: a head on a trunk it may not shape explains next to nothing of the returns.
  critic: { kind: "head-shared", lr: 3e-3, coef: 1, warmup: 2, epochs: 2 },
  sampling: { temperature: 1, topK: 0, topP: 1, maxTokensPerTurn: 6 },
  optimisation: {
    iterations: 100,
    tasksPerIteration: 16,
    groupSize: 8,
    minibatch: 64,
    epochs: 2,
    actorLr: 3e-4,
    actorLrWarmup: 0,
    weightDecay: 0,
    maxGradNorm: 1,
    entropyCoef: 0.01,
    rewardScale: 0.1,
    // The query shows the turns and actions left, so nothing comes after the last one.
    bootstrapOnTruncation: false,
  },
  // RAGEN's validation temperature.
  evaluation: { levels: 256, every: 10, temperature: 0.5 },
  recordEpisodes: 16,
  seed: 1,
  engine: { name: "auto", backend: "auto" },
};

const nano: ExperimentSpec = {
  ...sokobanClass,
  preset: "nano",
  model: { preset: "nano", warmStart: "checkpoint" },
  // Many levels, stopped early: a model this small that has seen few levels often knows those and no others, and
  // RL then has nothing to build on (measured; test/bench/RESULTS.md).
  clone: { levels: 500, steps: 180, batch: 32, lr: 3e-3 },
  optimisation: {
    ...sokobanClass.optimisation,
    iterations: 50,
    minibatch: 32,
    actorLr: 1e-3,
    actorLrWarmup: 10,
    entropyCoef: 0.003,
  },
  evaluation: { ...sokobanClass.evaluation, temperature: 0 },
  recordEpisodes: 3,
};

const PRESETS: Preset[] = [
  {
    name: "nano",
    about:
      "2-layer model (about 0.1M parameters) on 6x6 Sokoban, 128 episodes an iteration: seconds per iteration on a CPU",
    spec: nano,
  },
  {
    name: "sokoban-class",
    about:
      "4-layer model (about 0.9M parameters) on 6x6 Sokoban, 128 episodes an iteration: the class experiment",
    spec: sokobanClass,
  },
];

export const presetNames: string[] = PRESETS.map(({ name }) => name);

/** The presets, one line each. */
export function listPresets(): { name: string; about: string }[] {
  return PRESETS.map(({ name, about }) => ({ name, about }));
}

/** The full spec of a preset (a fresh copy). Throws InputError for an unknown name. */
export function presetSpec(name: string): ExperimentSpec {
  const preset = PRESETS.find((candidate) => candidate.name === name);
  if (!preset) {
    throw new InputError(`preset is ${show(name)}; allowed: ${presetNames.join(", ")}`);
  }
  return structuredClone(preset.spec);
}

/**
 * A full spec from what somebody wrote: absent fields come from the preset it names (default nano).
 * @throws InputError naming field, value and range.
 */
export function toSpec(partial: unknown): ExperimentSpec {
  if (typeof partial !== "object" || partial === null || Array.isArray(partial)) {
    throw new InputError(`the spec is ${show(partial)}; it must be an object`);
  }
  const { preset = "nano" } = partial as PartialSpec;
  if (typeof preset !== "string")
    throw new InputError(`preset is ${show(preset)}; it must be a text`);
  return validateSpec(mergeSpec(presetSpec(preset), partial as PartialSpec));
}
