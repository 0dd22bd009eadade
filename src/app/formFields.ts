/** The form's fields of a spec, with labels. Paths, options and ranges are the spec's own. */
import type { EnvironmentField, FieldPart } from "../env/descriptor.ts";
import { descriptors } from "../env/descriptors.ts";
import type { EnvironmentSpec } from "../spec/experiment.ts";

/** The form shows what is allowed if the field has a unit, including `""`. */
export type FormField = Omit<EnvironmentField, "part">;

const choices = (...values: string[]) => values.map((value) => ({ value, label: value }));

export const mainFields: readonly FormField[] = [
  { path: "seed", label: "Seed", hint: "Random seed for levels and sampling" },
  { path: "optimisation.iterations", label: "Iterations" },
  {
    path: "engine.backend",
    label: "Backend",
    options: [
      { value: "auto", label: "automatic" },
      { value: "webgpu", label: "WebGPU" },
      { value: "wasm", label: "WebAssembly" },
      { value: "cpu", label: "plain JavaScript" },
    ],
  },
];

export interface FieldGroup {
  title: string;
  /** The environment that has these fields; absent if all have them. */
  kind?: EnvironmentSpec["kind"];
  fields: readonly FormField[];
}

const PARTS: Readonly<Record<FieldPart, string>> = {
  world: "What is played",
  turns: "Turns and actions",
  reward: "Rewards",
  chance: "Chance and noise",
};

/** For each environment, under its headings. */
export const environmentFields: readonly FieldGroup[] = descriptors.flatMap(({ kind, fields }) =>
  (Object.keys(PARTS) as FieldPart[])
    .map((part) => ({
      title: PARTS[part],
      kind,
      fields: fields
        .filter((field) => field.part === part)
        .map((field) => ({ ...field, unit: field.unit ?? "" })),
    }))
    .filter((group) => group.fields.length > 0),
);

export const moreFields: readonly FieldGroup[] = [
  {
    title: "Episodes",
    fields: [
      { path: "optimisation.tasksPerIteration", label: "Tasks per iteration" },
      {
        path: "environment.trainLevels",
        label: "Training levels",
        hint: "0 = new level every time",
      },
      { path: "optimisation.groupSize", label: "Group size G", hint: "Episodes per task" },
      {
        path: "optimisation.grouping",
        label: "Groups",
        options: [
          { value: "", label: "only methods that need groups" },
          { value: "all", label: "all methods: same tasks, G times" },
        ],
      },
      {
        path: "context",
        label: "Context",
        options: [
          { value: "turn", label: "turn: the current board or page only" },
          { value: "full", label: "full: all turns so far" },
        ],
      },
      { path: "sampling.temperature", label: "Temperature" },
      { path: "recordEpisodes", label: "Episodes recorded", hint: "Shown turn by turn" },
    ],
  },
  {
    title: "Learning",
    fields: [
      { path: "optimisation.minibatch", label: "Minibatch", hint: "Episodes per update" },
      { path: "optimisation.epochs", label: "Epochs" },
      { path: "optimisation.actorLr", label: "Learning rate, model" },
      { path: "critic.lr", label: "Learning rate, critic" },
      {
        path: "critic.kind",
        label: "Critic",
        options: choices("head-detached", "head-shared", "separate"),
      },
      {
        path: "critic.size",
        label: "Size of a separate critic",
        options: [
          { value: "", label: "the model's own, with its weights" },
          { value: "nano", label: "nano, random" },
          { value: "micro", label: "micro, random" },
        ],
      },
      { path: "critic.warmup", label: "Critic warm-up", hint: "Iterations" },
      { path: "optimisation.entropyCoef", label: "Entropy bonus" },
      {
        path: "optimisation.rewardScale",
        label: "Reward scale",
        hint: "Panels show unscaled rewards",
      },
    ],
  },
  {
    title: "Adapters (LoRA)",
    fields: [
      {
        path: "model.lora.rank",
        label: "Rank",
        hint: "Trains adapters alone; empty: every weight",
      },
      { path: "model.lora.alpha", label: "Alpha", hint: "Empty: 2 × rank" },
      {
        path: "model.lora.targets",
        label: "Layers",
        options: [
          { value: "", label: "all linear layers" },
          { value: "q_proj,v_proj", label: "queries and values" },
          { value: "q_proj,k_proj,v_proj,o_proj", label: "attention" },
        ],
      },
    ],
  },
  {
    title: "Start and evaluation",
    fields: [
      {
        path: "model.warmStart",
        label: "Starting weights",
        options: [
          { value: "checkpoint", label: "shipped checkpoint" },
          { value: "clone", label: "imitate a solver first" },
          { value: "none", label: "random" },
        ],
      },
      { path: "evaluation.levels", label: "Held-out levels", hint: "0 = no evaluation" },
      { path: "evaluation.every", label: "Evaluate every", hint: "Iterations" },
      {
        path: "evaluation.set",
        label: "Level set",
        options: [
          { value: "", label: "all held-out levels" },
          { value: "validation", label: "validation: to tune settings" },
          { value: "test", label: "test: to report" },
        ],
      },
      {
        path: "evaluation.alignment",
        label: "Measure alignment",
        hint: "Correlation of advantages with later log-ratios; 10 % slower",
        options: [
          { value: "", label: "no" },
          { value: "true", label: "yes" },
        ],
      },
    ],
  },
];

/** Methods whose boxes are always visible. */
export const mainMethods: readonly string[] = ["grpo", "token-ppo", "turn-ppo"];

/** Overrides shown for the algorithms that use them. */
export const algorithmSettings = [
  { key: "gamma", label: "γ (discount)" },
  { key: "lambda", label: "λ (GAE)" },
  { key: "gammaTurn", label: "Γ (discount per turn)" },
  { key: "alpha", label: "α (weight)" },
  { key: "omega", label: "ω (weight)" },
  { key: "epsLow", label: "clip ε, low" },
  { key: "epsHigh", label: "clip ε, high" },
  { key: "filterKeep", label: "share of groups kept" },
] as const;

/** A method's own settings, as the form shows them. */
export const ownSettings = [
  { path: "optimisation.actorLr", label: "learning rate, model" },
  { path: "critic.lr", label: "learning rate, critic" },
  { path: "optimisation.minibatch", label: "minibatch" },
  { path: "optimisation.epochs", label: "epochs" },
  { path: "sampling.temperature", label: "temperature" },
] as const;
