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
      // 512 episodes; about 200 pairs.
      collect: 4,
      pairsPerTask: 4,
      heldOut: 0.2,
      lr: 3e-4,
    },
    optimisation: { ...nano.optimisation, iterations: 10 },
    evaluation: { ...nano.evaluation, every: 2 },
  };
}
