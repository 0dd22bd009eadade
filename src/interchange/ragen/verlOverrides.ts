/**
 * An algorithm of a spec as overrides of verl's own trainer (`python -m verl.trainer.main_ppo`),
 * for those whose loss RAGEN's actor lacks. The environment is left out: verl has none of these, so
 * users must supply an agent loop and its data.
 */
import type { Keys } from "../yaml.ts";
import type { ExportOptions } from "./settings.ts";
import type { Sizes } from "./sizes.ts";

const KEPT = new Set([
  "critic",
  "sampling.temperature",
  "sampling.topK",
  "sampling.topP",
  "optimisation",
  "evaluation.every",
  "evaluation.temperature",
]);

export function verlOverrides(
  settings: readonly { from: string; keys?: Keys }[],
  { tasks, groupSize, minibatch, microBatch }: Sizes,
  algorithm: Keys,
  { model, gpus }: ExportOptions,
): Keys {
  const shared = settings.filter(({ from }) => KEPT.has(from) || KEPT.has(from.split(".")[0]!));
  const rates = Object.assign({}, ...shared.map(({ keys }) => keys)) as Record<
    string,
    Keys[string]
  >;
  const own = Object.entries(rates).filter(([key]) => !isRagenOnly(key));
  return {
    ...algorithm,
    ...Object.fromEntries(own),
    "actor_rollout_ref.model.path": model,
    "critic.model.path": model,
    "data.train_batch_size": tasks,
    "actor_rollout_ref.rollout.n": groupSize,
    // In prompts: verl multiplies it by the number of rollouts of each.
    "actor_rollout_ref.actor.ppo_mini_batch_size": Math.max(1, Math.floor(minibatch / groupSize)),
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": microBatch,
    "critic.ppo_micro_batch_size_per_gpu": microBatch,
    "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu": microBatch,
    "trainer.n_gpus_per_node": gpus,
    "trainer.project_name": "turnbook",
    "trainer.logger": ["console"],
  };
}

function isRagenOnly(key: string): boolean {
  return !key.includes(".") || key.startsWith("es_manager.");
}
