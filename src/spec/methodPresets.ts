/** Presets of what stands beside the table of algorithms, made from the one whose model and tasks they share. */
import type { ExperimentSpec } from "./experiment.ts";
import { iterativeDefaults } from "./iterative.ts";
import { processReward } from "./process.ts";

/** Iterative PPO beside the row that it has inside and the row whose critic values turns. */
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

/** Each turn is also paid how much nearer it brought the solution, in a way that leaves the optimum as it is. */
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
