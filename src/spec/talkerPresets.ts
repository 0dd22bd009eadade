/** Presets of the models that speak: Sokoban as RAGEN's chat, one model at every length of thought. */
import type { ExperimentSpec } from "./experiment.ts";
import type { Preset } from "./gamePresets.ts";
import { processReward } from "./process.ts";
import type { ThoughtLength } from "./thoughts.ts";

/** Tokens that a turn may have: the thought with room to ramble, the tags and the answer. */
const MOST_TOKENS: Readonly<Record<ThoughtLength, number>> = {
  0: 10,
  8: 24,
  24: 48,
  64: 104,
  128: 184,
};

function talkerNano(nano: ExperimentSpec, preset: string, thought: ThoughtLength): ExperimentSpec {
  return {
    ...nano,
    preset,
    environment: { ...nano.environment, thought } as ExperimentSpec["environment"],
    model: { preset: "talker-nano", warmStart: "checkpoint" },
    context: "full",
    // Slips keep the policy uncertain, and show how an episode goes on after one.
    // The language first, from games of random moves, then the solver's play, stopped early. What the
    // model reads is learned too: without that it hardly learns to copy its thought's moves into its
    // answer.
    clone: {
      levels: 8000,
      steps: 1300,
      batch: 8,
      lr: 3e-3,
      noise: 0.05,
      misread: 0.02,
      reading: 1,
      language: 1000,
      thoughts: [0, 8, 24, 64],
    },
    sampling: { ...nano.sampling, maxTokensPerTurn: MOST_TOKENS[thought] },
    // At nano's rate the policy falls within 20 iterations.
    critic: { ...nano.critic, kind: "separate", lr: 1e-3, warmup: 3 },
    optimisation: { ...nano.optimisation, tasksPerIteration: 8, actorLr: 3e-4 },
    evaluation: { ...nano.evaluation, levels: 128, every: 10 },
  };
}

/**
 * The same model after more games of random moves, paid for progress: it starts lower, and learns
 * within 20 iterations, as the others do not.
 */
function progress(start: ExperimentSpec): ExperimentSpec {
  const clone = { levels: 2400, steps: 300, language: 300, batch: 8, lr: 1e-3 };
  return {
    ...start,
    preset: "talker-nano-progress",
    model: { ...start.model, checkpoint: "talker-nano-random" },
    clone: { ...clone, misread: 0.02, reading: 1, grow: "talker-nano", thoughts: [8] },
    algorithms: [
      { name: "grpo", set: {} },
      { name: "token-ppo", set: {} },
      // The pay for a turn says more about it than a critic that has just begun.
      { name: "turn-ppo", set: { lambda: 0.3 } },
    ],
    processReward: processReward.parse({ eta: 1 }),
    critic: { ...start.critic, warmup: 2 },
    optimisation: {
      ...start.optimisation,
      tasksPerIteration: 32,
      groupSize: 2,
      minibatch: 64,
      actorLrWarmup: 3,
      entropyCoef: 0,
    },
    evaluation: { ...start.evaluation, every: 5 },
  };
}

export function talkerPresets(nano: ExperimentSpec): Preset[] {
  const small = (preset: string, thought: ThoughtLength) => talkerNano(nano, preset, thought);
  return [
    {
      name: "talker-nano",
      title: "Sokoban in words, short thoughts",
      about: "A model of 0.4 M parameters reads RAGEN's prompts and thinks briefly.",
      spec: small("talker-nano", 8),
    },
    {
      name: "talker-nano-24",
      title: "Sokoban in words, 24 tokens",
      about: "The same model names the box and where it must stand.",
      spec: small("talker-nano-24", 24),
    },
    {
      name: "talker-nano-64",
      title: "Sokoban in words, 64 tokens",
      about: "The same model tells its whole plan before each answer.",
      spec: small("talker-nano-64", 64),
    },
    {
      name: "talker-nano-progress",
      title: "Sokoban in words, paid for progress",
      about: "The same model, cloned from random moves; pay for progress teaches it.",
      spec: progress(small("talker-nano", 8)),
    },
    {
      name: "talker",
      title: "Sokoban in words, 6 layers",
      about: "A model of 2.2 M parameters explains each of its answers.",
      spec: {
        ...small("talker", 64),
        model: { preset: "talker", warmStart: "checkpoint" },
        // Grown it plays as the small one does: few and gentle updates on the solver's play, or its
        // thoughts lose the board.
        clone: {
          levels: 1000,
          steps: 40,
          batch: 8,
          lr: 3e-5,
          noise: 0.05,
          misread: 0.02,
          reading: 1,
          grow: "talker-nano",
          thoughts: [24, 64],
        },
      },
    },
  ];
}
