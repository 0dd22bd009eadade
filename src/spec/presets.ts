/** Named experiments. A partial spec names one and lists the differences. */
import { DOCTOR_DEFAULTS } from "./doctor.ts";
import {
  mergeSpec,
  SPEC_VERSION,
  validateSpec,
  type ExperimentSpec,
  type PartialSpec,
} from "./experiment.ts";
import { galleryPresets } from "./gallery.ts";
import { gamePresets, type Preset } from "./gamePresets.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { talkerPresets } from "./talkerPresets.ts";
import {
  classFairPreset,
  iterativePreset,
  nanoFairPreset,
  processPreset,
  shopFairPreset,
  shopProgressPreset,
  tdpoPreset,
} from "./methodPresets.ts";

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
  // Stopped while the policy is still uncertain (success about a third), so that RL has room to
  // improve.
  clone: { levels: 50, steps: 70, batch: 32, lr: 1e-3 },
  algorithms: [
    { name: "grpo", set: {} },
    { name: "token-ppo", set: {} },
    { name: "turn-ppo", set: {} },
  ],
  context: "turn",
  // Measured at nano: a head on a trunk that it cannot train explains almost none of the returns.
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
    // The query shows the turns and actions left, so nothing follows the last one.
    bootstrapOnTruncation: false,
  },
  // RAGEN's validation temperature.
  evaluation: { levels: 256, every: 10, temperature: 0.5 },
  doctor: DOCTOR_DEFAULTS,
  recordEpisodes: 16,
  seed: 1,
  engine: { name: "auto", backend: "auto" },
};

const nano: ExperimentSpec = {
  ...sokobanClass,
  preset: "nano",
  model: { preset: "nano", warmStart: "checkpoint" },
  // Many levels, stopped early: a model this small that has seen few levels often knows only those,
  // and RL then has nothing to build on (measured; test/bench/RESULTS.md).
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
  // One whole group, so that it can be compared on screen.
  recordEpisodes: 8,
};

const webshopClass: ExperimentSpec = {
  ...sokobanClass,
  preset: "webshop-class",
  environment: {
    kind: "webshop",
    catalogSeed: 1,
    observation: "text_rich",
    trainLevels: 0,
    // The shortest trip with two options takes five. RAGEN allows 9; with 8 a trip with long pages
    // also fits the smallest model in full context.
    maxTurns: 8,
    formatPenalty: 0,
    think: false,
  },
  model: { preset: "nano", warmStart: "checkpoint" },
  // Stopped early, when it buys more than the first result and less than the expert would.
  clone: { levels: 1400, steps: 240, batch: 16, lr: 4e-3, noise: 0.1 },
  sampling: { ...sokobanClass.sampling, maxTokensPerTurn: 12 },
  optimisation: {
    ...sokobanClass.optimisation,
    iterations: 50,
    minibatch: 32,
    // Rewards are 0 to 1 already.
    rewardScale: 1,
  },
  evaluation: { levels: 128, every: 10, temperature: 0.5 },
};

const webshopThink: ExperimentSpec = {
  ...webshopClass,
  preset: "webshop-think",
  environment: { ...webshopClass.environment, think: true } as ExperimentSpec["environment"],
  sampling: { ...webshopClass.sampling, maxTokensPerTurn: 20 },
};

/** Starts from weights that have seen many levels: weights from few levels know only those (as with nano, below). */
const sokobanMany: ExperimentSpec = {
  ...sokobanClass,
  preset: "sokoban-class-many",
  model: { ...sokobanClass.model, checkpoint: "micro-sokoban-many" },
  clone: { ...sokobanClass.clone, levels: 500, steps: 60 },
  optimisation: { ...sokobanClass.optimisation, actorLrWarmup: 10 },
};

/** The shop in Qwen2.5's architecture. */
const webshopQwen2: ExperimentSpec = {
  ...webshopClass,
  preset: "webshop-qwen2",
  model: { preset: "nano-qwen2", warmStart: "checkpoint" },
};

/** Like nano, in Qwen2.5's architecture. */
const nanoQwen2: ExperimentSpec = {
  ...nano,
  preset: "nano-qwen2",
  model: { preset: "nano-qwen2", warmStart: "checkpoint" },
  // Until it solves as many levels as nano does.
  clone: { ...nano.clone, steps: 310 },
};

const nanoThink: ExperimentSpec = {
  ...nano,
  preset: "nano-think",
  environment: { ...nano.environment, think: true } as ExperimentSpec["environment"],
  // A plan takes longer to learn than two moves.
  clone: { ...nano.clone, steps: 250 },
  // Six planned moves, the end of the thought, two moves with their separator, the turn's end.
  sampling: { ...nano.sampling, maxTokensPerTurn: 12 },
};

const PRESETS: Preset[] = [
  {
    name: "nano",
    title: "Sokoban, small",
    seconds: 14,
    about: "Three methods on 6×6 Sokoban, a 2-layer model of 0.1 M parameters.",
    spec: nano,
  },
  {
    name: "nano-fair",
    title: "Sokoban, small, an equal search",
    // Measured on an idle machine: 493 s for 100 iterations, including evaluations
    // (test/bench/RESULTS.md).
    seconds: 4.9,
    about: "Small Sokoban; settings from equal searches, scored on sealed test levels.",
    spec: nanoFairPreset(nano),
  },
  {
    name: "sokoban-class",
    title: "Sokoban, class size",
    seconds: 67,
    about: "The same three methods with a 4-layer model of 0.9 M parameters.",
    spec: sokobanClass,
  },
  {
    name: "webshop-class",
    title: "Shop",
    seconds: 65,
    about: "A 2-layer model searches and buys in a generated WebShop.",
    spec: webshopClass,
  },
  {
    name: "webshop-think",
    title: "Shop, thinking first",
    seconds: 70,
    about: "The shop, with a think block before each action.",
    spec: webshopThink,
  },
  {
    name: "nano-qwen2",
    title: "Sokoban, Qwen2.5 architecture",
    seconds: 14,
    about: "Small Sokoban with biases on queries, keys and values, and no QK-norm.",
    spec: nanoQwen2,
  },
  {
    name: "nano-think",
    title: "Sokoban, thinking first",
    seconds: 17,
    about: "Small Sokoban; the model writes its planned moves before each answer.",
    spec: nanoThink,
  },
  {
    name: "nano-tdpo",
    title: "Learning from pairs: DPO and TDPO",
    seconds: 14,
    about: "DPO, TDPO1 and TDPO2 learn from pairs of the first policy's rollouts.",
    spec: tdpoPreset(nano),
  },
  {
    name: "nano-iterative",
    title: "Iterative PPO",
    seconds: 14,
    about: "Fits Q over turns; here it ignores actions, so the policy worsens.",
    spec: iterativePreset(nano),
  },
  {
    name: "nano-process",
    title: "Process rewards on Sokoban",
    seconds: 9.6,
    about: "The solver also rewards each turn for progress (potential-based).",
    spec: processPreset(nano),
  },
  {
    name: "webshop-progress",
    title: "Process rewards in the shop",
    seconds: 37,
    about: "An unseen shop, where each turn is also rewarded for progress (potential-based).",
    spec: shopProgressPreset(webshopClass),
  },
  {
    name: "webshop-fair",
    title: "Shop, an equal search",
    seconds: 8,
    about: "An unseen shop; settings from equal searches, scored on sealed test goals.",
    spec: shopFairPreset(shopProgressPreset(webshopClass)),
  },
  {
    name: "sokoban-class-many",
    title: "Sokoban, class size, many levels cloned",
    about: "The 4-layer model, started from 500 cloned levels, not 50.",
    spec: sokobanMany,
  },
  {
    name: "sokoban-class-fair",
    title: "Class size, an equal search",
    about: "The 4-layer model; settings from equal searches, scored on sealed test levels.",
    spec: classFairPreset(sokobanMany),
  },
  {
    name: "webshop-qwen2",
    title: "Shop, Qwen2.5 architecture",
    about: "The shop with biases on queries, keys and values, and no QK-norm.",
    spec: webshopQwen2,
  },
  {
    name: "webshop-qwen2-progress",
    title: "Pay for progress, Qwen2.5 architecture",
    about: "An unseen shop that pays for progress, with Qwen2.5's architecture.",
    spec: shopProgressPreset(webshopQwen2, "webshop-qwen2-progress"),
  },
  {
    name: "webshop-think-progress",
    title: "Pay for progress, thinking first",
    about: "An unseen shop pays for progress; a think block before each action.",
    spec: shopProgressPreset(webshopThink, "webshop-think-progress"),
  },
  ...talkerPresets(nano),
  ...gamePresets(nano),
  ...galleryPresets(nano),
];

export const presetNames: string[] = PRESETS.map(({ name }) => name);

const gallery = galleryPresets(nano).map(({ name }) => name);
/** Presets for learning: all except the gallery of collapses. */
export const classPresetNames: string[] = presetNames.filter((name) => !gallery.includes(name));

/** Names and descriptions of the presets. */
export function listPresets(): Pick<Preset, "name" | "title" | "about">[] {
  return PRESETS.map(({ name, title, about }) => ({ name, title, about }));
}

/** Seconds per iteration, by preset, for those that were measured (`Preset.seconds`). */
export const presetSeconds: Readonly<Record<string, number>> = Object.fromEntries(
  PRESETS.flatMap(({ name, seconds }) => (seconds === undefined ? [] : [[name, seconds]])),
);

/** The full spec of a preset (a fresh copy). Throws InputError for an unknown name. */
export function presetSpec(name: string): ExperimentSpec {
  const preset = PRESETS.find((candidate) => candidate.name === name);
  if (!preset) {
    throw new InputError(`preset is ${show(name)}; allowed: ${presetNames.join(", ")}`);
  }
  return structuredClone(preset.spec);
}

/**
 * A full spec from a partial one: absent fields come from the preset it names (default nano).
 * @throws InputError naming field, value and range.
 */
export function toSpec(partial: unknown): ExperimentSpec {
  if (typeof partial !== "object" || partial === null || Array.isArray(partial)) {
    throw new InputError(`the spec is ${show(partial)}; it must be an object`);
  }
  const { preset = "nano" } = partial as PartialSpec;
  if (typeof preset !== "string")
    throw new InputError(`preset is ${show(preset)}; it must be a text`);
  const base = presetSpec(preset);
  checkKind(base, partial as PartialSpec);
  // Fields of another environment do not apply to a user-defined one.
  const { kind } = Object((partial as PartialSpec).environment) as { kind?: unknown };
  const { environment: _, ...others } = base;
  const from = kind === "defined" && base.environment.kind !== kind ? others : base;
  return validateSpec(mergeSpec(from as ExperimentSpec, partial as PartialSpec));
}

/** Fields of one environment do not apply to another: its preset must be named. */
function checkKind({ preset, environment }: ExperimentSpec, partial: PartialSpec): void {
  const { kind } = Object(partial.environment) as { kind?: unknown };
  const others = PRESETS.filter(({ spec }) => spec.environment.kind === kind);
  if (kind === environment.kind || others.length === 0) return;
  const names = others.map(({ name }) => name).join(" or ");
  throw new InputError(
    `environment.kind is ${show(kind)}; preset ${preset} plays ${environment.kind}, take preset ${names}`,
  );
}
