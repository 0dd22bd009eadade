/** What is equal between the methods of an experiment, and what is not: what its spec says, before anything has run. */
import { resolveAlgorithm, type AlgorithmConfig } from "./algorithms.ts";
import { validateSpec, type ExperimentSpec } from "./experiment.ts";
import { groupSizeOf } from "./groups.ts";
import { InputError } from "./inputError.ts";
import { learnerNames } from "./preference.ts";
import { specOf } from "./schedule.ts";

export type FairnessId =
  | "weights"
  | "tasks"
  | "episodes"
  | "tokens"
  | "actorSteps"
  | "criticSteps"
  | "actorLr"
  | "criticLr"
  | "temperature";

export interface FairnessRow {
  id: FairnessId;
  /** Whether all methods that have this have the same. */
  equal: boolean;
  /** By method; null where a method has nothing of the kind, such as a critic. */
  values: Record<string, string | null>;
}

/** What makes a comparison of the curves moot, or hides what a method can do. */
export type FairnessWarning =
  /** Methods that compare groups see fewer tasks than the others. */
  | { id: "tasks"; fewer: string[]; more: string[] }
  /** Of the actor's optimiser steps one method takes at least twice as many as another. */
  | { id: "steps"; fewer: string[]; more: string[] }
  /** One rate for all: nobody has looked for each method's own. */
  | { id: "oneRate" }
  /** Methods with loops of their own, of which this card says nothing. */
  | { id: "outside"; methods: string[] };

interface Fairness {
  rows: FairnessRow[];
  warnings: FairnessWarning[];
}

/** Of what a log says of its spec: null also where that is no whole one, as in old logs and other programs'. */
export function fairnessOfLogged(logged: unknown): Fairness | null {
  try {
    return fairnessOf(validateSpec(logged));
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

/** Null where there is one method only. */
export function fairnessOf(spec: ExperimentSpec): Fairness | null {
  const methods = spec.algorithms.map(({ name, set }) =>
    methodOf(spec, resolveAlgorithm(name, set)),
  );
  const outside = learnerNames({ ...spec, algorithms: [] });
  if (methods.length + outside.length < 2) return null;
  const rows = ROWS.map(({ id, of }): FairnessRow => {
    const values = Object.fromEntries(methods.map((one) => [one.name, of(one)]));
    const known = new Set(Object.values(values).filter((value) => value !== null));
    return { id, equal: known.size <= 1, values };
  });
  return { rows, warnings: warningsOf(methods, outside) };
}

interface FairMethod {
  name: string;
  spec: ExperimentSpec;
  hasCritic: boolean;
  tasks: number;
  groupSize: number;
  episodes: number;
  actorSteps: number;
  criticSteps: number;
}

function methodOf(whole: ExperimentSpec, config: AlgorithmConfig): FairMethod {
  const spec = specOf(whole, config.name);
  const { tasksPerIteration, groupSize: G, minibatch, epochs } = spec.optimisation;
  const episodes = tasksPerIteration * G;
  const groupSize = groupSizeOf(spec, config);
  const hasCritic = config.critic !== "none";
  const perEpoch = Math.ceil(episodes / minibatch);
  return {
    name: config.name,
    spec,
    hasCritic,
    episodes,
    groupSize,
    tasks: episodes / groupSize,
    actorSteps: perEpoch * epochs,
    criticSteps: hasCritic ? perEpoch * spec.critic.epochs : 0,
  };
}

const ROWS: readonly { id: FairnessId; of: (method: FairMethod) => string | null }[] = [
  { id: "weights", of: ({ spec: { model } }) => `${model.preset}, ${model.warmStart}` },
  { id: "tasks", of: ({ tasks, groupSize }) => `${tasks} × ${groupSize}` },
  { id: "episodes", of: ({ episodes }) => String(episodes) },
  { id: "tokens", of: ({ spec: { sampling } }) => String(sampling.maxTokensPerTurn) },
  { id: "actorSteps", of: ({ actorSteps }) => String(actorSteps) },
  { id: "criticSteps", of: (one) => (one.hasCritic ? String(one.criticSteps) : null) },
  { id: "actorLr", of: ({ spec }) => String(spec.optimisation.actorLr) },
  { id: "criticLr", of: ({ spec, hasCritic }) => (hasCritic ? String(spec.critic.lr) : null) },
  { id: "temperature", of: ({ spec }) => String(spec.sampling.temperature) },
];

function warningsOf(methods: readonly FairMethod[], outside: string[]): FairnessWarning[] {
  const tasks = extremes(methods, ({ tasks }) => tasks);
  const steps = extremes(methods, ({ actorSteps }) => actorSteps);
  const rates = new Set(methods.map(({ spec }) => spec.optimisation.actorLr));
  return [
    ...(tasks.ratio > 1 ? [{ id: "tasks" as const, fewer: tasks.fewer, more: tasks.more }] : []),
    ...(steps.ratio >= 2 ? [{ id: "steps" as const, fewer: steps.fewer, more: steps.more }] : []),
    ...(methods.length > 1 && rates.size === 1 ? [{ id: "oneRate" as const }] : []),
    ...(outside.length > 0 ? [{ id: "outside" as const, methods: outside }] : []),
  ];
}

/** Who has the least and the most of something. */
function extremes(methods: readonly FairMethod[], of: (method: FairMethod) => number) {
  const values = methods.map(of);
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), 0);
  const names = (value: number) =>
    methods.filter((_, i) => values[i] === value).map(({ name }) => name);
  return { ratio: methods.length === 0 ? 1 : high / low, fewer: names(low), more: names(high) };
}
