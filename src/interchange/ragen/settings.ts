/**
 * Every field of a spec except its algorithms as keys of RAGEN, or the reason why there are none.
 */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { hasPages } from "../../env/descriptors.ts";
import { environmentSettings, environmentTag } from "./environment.ts";
import type { MappedSetting } from "./setting.ts";
import type { Sizes } from "./sizes.ts";
import { actor, ROLLOUT } from "./axis.ts";

export interface ExportOptions {
  /** A model on the Hugging Face hub, or a folder. */
  model: string;
  gpus: number;
}

export const EXPORT_DEFAULTS: ExportOptions = { model: "Qwen/Qwen2.5-0.5B-Instruct", gpus: 1 };

/** RAGEN's rates for pretrained models. */
const ACTOR_LR = 1e-6;
const CRITIC_LR = 1e-5;

/** RAGEN's first level seeds; runs with other seeds are this far apart, as in training here. */
const SEEDS = { train: 10_000, val: 123, stride: 1_000_000 };

/** Tokens of a response, of a whole trajectory, and of a prefill batch: RAGEN's defaults. */
const LENGTHS = {
  pictures: { response: 400, model: 3600, batch: 8192 },
  pages: { response: 400, model: 15_000, batch: 15_000 },
};

/** The name of a run in files and logs. */
export function runName(config: AlgorithmConfig): string {
  return `turnbook-${config.name}`;
}

/** In the order of a spec. */
export function specSettings(
  spec: ExperimentSpec,
  config: AlgorithmConfig,
  sizes: Sizes,
  options: ExportOptions,
): MappedSetting[] {
  return [
    ...environmentSettings(spec.environment),
    ...modelSettings(options),
    contextSetting(spec),
    ...criticSettings(spec, config),
    ...samplingSettings(spec),
    ...sizeSettings(spec, sizes),
    ...optimisationSettings(spec),
    ...evaluationSettings(spec),
    ...runSettings(spec, options),
    ...absentThere(spec),
  ];
}

/** Parts of a spec that change what every algorithm learns. */
export const CHANGES_ALL = {
  definitions:
    "code that the experiment defines does not travel: write it anew there, or results differ",
  processReward: "rewards come from the environment alone",
  schedule: "settings do not change during a run",
  plants: "settings do not change during a run",
} as const;

/** Learners other than the algorithms. */
const OTHER_LEARNERS = {
  preference: "nothing learns from preference pairs",
  iterative: "there is no outer loop that fits Q to logged outcomes",
} as const;

function absentThere(spec: ExperimentSpec): MappedSetting[] {
  return Object.entries({ ...CHANGES_ALL, ...OTHER_LEARNERS }).flatMap(([from, why]) =>
    spec[from as keyof ExperimentSpec] === undefined ? [] : [{ from, why }],
  );
}

function modelSettings({ model }: ExportOptions): MappedSetting[] {
  return [
    {
      from: "model",
      keys: { model_path: model },
      why: "Turnbook's small models read boards as single tokens; RAGEN's pretrained models read text",
    },
    { from: "clone", why: "a pretrained model is not cloned from demonstrations first" },
  ];
}

function contextSetting({ context }: ExperimentSpec): MappedSetting {
  const mode = "agent_proxy.context_window_mode";
  const window = "agent_proxy.max_context_window";
  if (context === "full") return { from: "context", keys: { [mode]: "full", [window]: -1 } };
  return {
    from: "context",
    keys: { [mode]: "single_turn", [window]: 1 },
    why: "each turn becomes a row of its own, and minibatches count rows",
  };
}

function criticSettings(
  { critic, optimisation }: ExperimentSpec,
  config: AlgorithmConfig,
): MappedSetting[] {
  if (config.critic === "none") return [{ from: "critic", keys: {}, why: "there is no critic" }];
  const { warmup, epochs } = critic;
  return [
    { from: "critic.kind", why: "RAGEN's critic is a second network" },
    ...(critic.size === undefined
      ? []
      : [{ from: "critic.size", why: "RAGEN's critic starts as the actor's model" }]),
    {
      from: "critic.coef",
      why: "the critic has its own optimiser, so its loss has no weight",
    },
    {
      from: "critic.lr",
      keys: { "critic.optim.lr": CRITIC_LR },
      why: `${critic.lr} is for a small model; this is RAGEN's rate for pretrained ones`,
    },
    // The actor learns from the step with this number on.
    { from: "critic.warmup", keys: { "trainer.critic_warmup": warmup > 0 ? warmup + 1 : 0 } },
    {
      from: "critic.epochs",
      keys: { "critic.ppo_epochs": Math.max(epochs, optimisation.epochs) },
    },
  ];
}

function samplingSettings({ sampling, environment }: ExperimentSpec): MappedSetting[] {
  const { response, model, batch } = LENGTHS[hasPages(environment) ? "pages" : "pictures"];
  return [
    { from: "sampling.temperature", keys: { [`${ROLLOUT}.temperature`]: sampling.temperature } },
    { from: "sampling.topK", keys: { [`${ROLLOUT}.top_k`]: sampling.topK || -1 } },
    { from: "sampling.topP", keys: { [`${ROLLOUT}.top_p`]: sampling.topP } },
    {
      from: "sampling.maxTokensPerTurn",
      keys: {
        [`${ROLLOUT}.response_length`]: response,
        [`${ROLLOUT}.max_model_len`]: model,
        [`${ROLLOUT}.max_num_batched_tokens`]: batch,
      },
      why: `${sampling.maxTokensPerTurn} tokens suffice at one per word; text needs more`,
    },
  ];
}

function sizeSettings(
  { optimisation, environment }: ExperimentSpec,
  sizes: Sizes,
): MappedSetting[] {
  const { tasks, groupSize, minibatch, microBatch } = sizes;
  const update: MappedSetting = {
    from: "optimisation.minibatch",
    keys: {
      ppo_mini_batch_size: minibatch,
      micro_batch_size_per_gpu: microBatch,
      log_prob_micro_batch_size_per_gpu: microBatch,
    },
  };
  if (minibatch !== optimisation.minibatch) update.why = "a filter leaves no more trajectories";
  return [
    {
      from: "optimisation.tasksPerIteration",
      keys: {
        "es_manager.train.env_groups": tasks,
        "es_manager.train.env_configs.tags": [environmentTag(environment)],
        "es_manager.train.env_configs.n_groups": [tasks],
      },
    },
    { from: "optimisation.groupSize", keys: { "es_manager.train.group_size": groupSize } },
    update,
  ];
}

function optimisationSettings({ optimisation }: ExperimentSpec): MappedSetting[] {
  const { iterations, epochs, actorLr, actorLrWarmup, weightDecay } = optimisation;
  const { maxGradNorm, entropyCoef, rewardScale, bootstrapOnTruncation, grouping } = optimisation;
  const grouped = { from: "optimisation.grouping", keys: {}, why: "the group size sets it" };
  return [
    ...(grouping === undefined ? [] : [grouped]),
    { from: "optimisation.iterations", keys: { "trainer.total_training_steps": iterations } },
    { from: "optimisation.epochs", keys: { [`${actor}.ppo_epochs`]: epochs } },
    {
      from: "optimisation.actorLr",
      keys: { [`${actor}.optim.lr`]: ACTOR_LR },
      why: `${actorLr} is for a small model; this is RAGEN's rate for pretrained ones`,
    },
    {
      from: "optimisation.actorLrWarmup",
      keys: { [`${actor}.optim.lr_warmup_steps`]: actorLrWarmup },
    },
    {
      from: "optimisation.weightDecay",
      keys: {
        [`${actor}.optim.weight_decay`]: weightDecay,
        "critic.optim.weight_decay": weightDecay,
      },
    },
    {
      from: "optimisation.maxGradNorm",
      keys: { [`${actor}.grad_clip`]: maxGradNorm, "critic.grad_clip": maxGradNorm },
    },
    { from: "optimisation.entropyCoef", keys: { [`${actor}.entropy_coeff`]: entropyCoef } },
    {
      from: "optimisation.rewardScale",
      ...(rewardScale === 1
        ? { keys: {}, why: "neither scales rewards" }
        : {
            why: "RAGEN does not scale rewards; unnormalised advantages grow with them",
          }),
    },
    {
      from: "optimisation.bootstrapOnTruncation",
      ...(bootstrapOnTruncation
        ? { why: "RAGEN treats a truncated episode as ended" }
        : { keys: {}, why: "both treat a truncated episode as ended" }),
    },
  ];
}

/** RAGEN always creates its validation environments: a single one means none. */
function evaluationSettings({ evaluation, environment }: ExperimentSpec): MappedSetting[] {
  const { levels, every, temperature, set } = evaluation;
  const groups = Math.max(levels, 1);
  const sampled = temperature > 0;
  return [
    {
      from: "evaluation.levels",
      keys: {
        "es_manager.val.env_groups": groups,
        "es_manager.val.group_size": 1,
        "es_manager.val.env_configs.tags": [environmentTag(environment)],
        "es_manager.val.env_configs.n_groups": [groups],
        "trainer.val_before_train": levels > 0,
      },
    },
    { from: "evaluation.every", keys: { "trainer.test_freq": levels > 0 ? every : -1 } },
    {
      from: "evaluation.temperature",
      keys: {
        [`${ROLLOUT}.val_kwargs.do_sample`]: sampled,
        [`${ROLLOUT}.val_kwargs.temperature`]: temperature,
      },
    },
    ...(set === undefined ? [] : [{ from: "evaluation.set", why: NO_SETS }]),
  ];
}

const NO_SETS =
  "RAGEN has no sets of held-out levels that share none: it draws its validation levels by seed";

function runSettings(
  { seed, environment }: ExperimentSpec,
  { gpus }: ExportOptions,
): MappedSetting[] {
  const run = (seed + 999) % 1000;
  return [
    {
      from: "seed",
      keys: {
        "seed.train": SEEDS.train + run * SEEDS.stride,
        "seed.val": SEEDS.val,
      },
      why: hasPages(environment)
        ? "goals come in another order; RAGEN's sampling has no seed"
        : "level seeds start at the same number but come in another order, and none is held out; RAGEN's sampling has no seed",
    },
    { from: "recordEpisodes", why: "trajectories are logged by RAGEN's own settings" },
    {
      from: "doctor",
      why: "RAGEN stops collapsed runs by its own rules, which no setting turns off",
    },
    {
      from: "engine",
      keys: {
        "system.CUDA_VISIBLE_DEVICES": Array.from({ length: gpus }, (_, i) => i).join(","),
        "trainer.n_gpus_per_node": gpus,
        "trainer.project_name": "turnbook",
        "trainer.logger": ["console"],
      },
      why: "it runs on CUDA",
    },
  ];
}
