/** The preset of methods on preference pairs, made from the one whose model and tasks it shares. */
import type { ExperimentSpec } from "./experiment.ts";
import { preferenceDefaults } from "./preference.ts";

/** Offline: pairs of the first policy's rollouts only, trained on again and again. */
export function tdpoPreset(nano: ExperimentSpec): ExperimentSpec {
  return {
    ...nano,
    preset: "nano-tdpo",
    algorithms: [],
    preference: {
      ...preferenceDefaults(),
      methods: ["dpo", "tdpo1", "tdpo2"],
      // 1024 episodes. A gap of 1 is far more than steps and penalties make: solved against not solved.
      collect: 8,
      pairsPerTask: 4,
      minGap: 1,
      heldOut: 0.1,
      // With the papers' 0.1 and so few tokens a response, margins grow until the policy has left the reference far behind.
      beta: 0.5,
      lr: 3e-4,
      minibatch: 32,
    },
    optimisation: { ...nano.optimisation, iterations: 8 },
    evaluation: { ...nano.evaluation, every: 2 },
  };
}
