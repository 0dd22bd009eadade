/** The fields of a spec that the form shows, in words. Paths, options and ranges are the spec's own. */
import { descriptors } from "../env/descriptors.ts";
import type { EnvironmentSpec } from "../spec/experiment.ts";
import { presetNames } from "../spec/presets.ts";

export interface FormField {
  /** Dotted path in the spec. */
  path: string;
  label: string;
  hint?: string;
  /** A select instead of a text input. */
  options?: readonly { value: string; label: string }[];
}

const choices = (...values: string[]) => values.map((value) => ({ value, label: value }));

/** Chosen separately, because it replaces everything else. */
export const presetOptions = choices(...presetNames);

export const mainFields: readonly FormField[] = [
  { path: "seed", label: "Seed", hint: "Picks levels and draws" },
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
  /** The environment whose fields these are; absent where they are everybody's. */
  kind?: EnvironmentSpec["kind"];
  fields: readonly FormField[];
}

export const moreFields: readonly FieldGroup[] = [
  {
    title: "Episodes",
    fields: [
      { path: "optimisation.tasksPerIteration", label: "Tasks per iteration" },
      {
        path: "environment.trainLevels",
        label: "Training levels",
        hint: "0: ever new ones, or all goals",
      },
      { path: "optimisation.groupSize", label: "Group size G", hint: "Episodes per task" },
      {
        path: "optimisation.grouping",
        label: "Groups",
        options: [
          { value: "", label: "only methods that compare them" },
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
  ...descriptors.map(({ kind, title, fields }) => ({ title, kind, fields })),
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
          { value: "nano", label: "nano, from chance" },
          { value: "micro", label: "micro, from chance" },
        ],
      },
      { path: "critic.warmup", label: "Critic warm-up", hint: "Iterations" },
      { path: "optimisation.entropyCoef", label: "Entropy bonus" },
    ],
  },
  {
    title: "Start and tests",
    fields: [
      {
        path: "model.warmStart",
        label: "First weights",
        options: [
          { value: "checkpoint", label: "shipped checkpoint" },
          { value: "clone", label: "imitate a solver first" },
          { value: "none", label: "random" },
        ],
      },
      { path: "evaluation.levels", label: "Held-out levels", hint: "0 turns the test off" },
      { path: "evaluation.every", label: "Test every", hint: "Iterations" },
      {
        path: "evaluation.set",
        label: "Level set",
        options: [
          { value: "", label: "all held-out levels" },
          { value: "validation", label: "validation: to choose settings by" },
          { value: "test", label: "test: to report" },
        ],
      },
      {
        path: "evaluation.alignment",
        label: "Measure alignment",
        hint: "Correlation of advantages with log-ratios after the update; a tenth slower",
        options: [
          { value: "", label: "no" },
          { value: "true", label: "yes" },
        ],
      },
    ],
  },
];

/** Methods whose boxes are always in sight. */
export const mainMethods: readonly string[] = ["grpo", "token-ppo", "turn-ppo"];

/** Overrides shown for the algorithms that have a use for them. */
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

/** What a method may have for itself, as the form shows it. */
export const ownSettings = [
  { path: "optimisation.actorLr", label: "learning rate, model" },
  { path: "critic.lr", label: "learning rate, critic" },
  { path: "optimisation.minibatch", label: "minibatch" },
  { path: "optimisation.epochs", label: "epochs" },
  { path: "sampling.temperature", label: "temperature" },
] as const;
