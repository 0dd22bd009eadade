/** What is equal between the methods of an experiment, and what is not, according to its spec. */
import { canonicalJson } from "./canonical.ts";
import { specAlgorithm, specAlgorithms, validateSpec, type ExperimentSpec } from "./experiment.ts";
import {
  conditionRows,
  fairMethod,
  valuesOf,
  type FairMethod,
  type FairnessRow,
} from "./fairnessRows.ts";
import { InputError } from "../numeric/inputError.ts";
import { recipeSearches, type RecipeSearch } from "./methodPresets.ts";
import { learnerNames } from "./preference.ts";
import { presetSpec } from "./presets.ts";

/** Differences that invalidate a comparison of the curves, or hide what a method can do. */
export type FairnessWarning =
  /** Methods that compare groups see fewer tasks than the others, each `repeats` times. */
  | { id: "tasks"; fewer: string[]; more: string[]; few: number; many: number; repeats: number }
  /** One method takes at least twice as many of the actor's optimiser steps as another. */
  | { id: "steps"; fewer: string[]; more: string[] }
  /**
   * Potential-based rewards, which a critic can learn as a baseline, and which cancel within a
   * group.
   */
  | { id: "pay"; critics: string[]; groups: string[] }
  /** One learning rate for all: it was not tuned for each method. */
  | { id: "oneRate" }
  /** Methods with their own loops, which this card does not cover. */
  | { id: "outside"; methods: string[] };

export interface Fairness {
  /** The methods' environment, which determines what a task is called. */
  kind: ExperimentSpec["environment"]["kind"];
  /** The equal search that chose the settings of all methods; null if none is recorded. */
  search: RecipeSearch | null;
  /** The search first. */
  rows: FairnessRow[];
  warnings: FairnessWarning[];
}

/** For a log's spec: also null if that is incomplete, as in old logs and other programs'. */
export function fairnessOfLogged(logged: unknown): Fairness | null {
  try {
    return fairnessOf(validateSpec(logged));
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

/** Null if there is only one method. */
export function fairnessOf(spec: ExperimentSpec): Fairness | null {
  const methods = specAlgorithms(spec).map((row) => fairMethod(spec, row));
  const outside = learnerNames({ ...spec, algorithms: [] });
  if (methods.length + outside.length < 2) return null;
  const search = outside.length > 0 ? null : searchOf(methods);
  return {
    kind: spec.environment.kind,
    search,
    rows: methods.length === 0 ? [] : [searchRow(methods, search), ...conditionRows(methods)],
    warnings: warningsOf(methods, outside, search),
  };
}

function searchRow(methods: readonly FairMethod[], search: RecipeSearch | null): FairnessRow {
  const budget = search && `${search.draws} draws, ${search.stages} stages`;
  const status = search ? "equal" : "unknown";
  return { id: "search", status, values: valuesOf(methods, () => budget) };
}

/** The search that chose these settings, for every method. */
function searchOf(methods: readonly FairMethod[]): RecipeSearch | null {
  const chose = ({ preset }: RecipeSearch) => {
    const searched = presetSpec(preset);
    return methods.every((one) => {
      const row = searched.algorithms.find(({ name }) => name === one.name);
      if (!row) return false;
      return (
        learnsBy(one) === learnsBy(fairMethod(searched, specAlgorithm(searched, row.name, row.set)))
      );
    });
  };
  return recipeSearches.find(chose) ?? null;
}

/** Everything that determines a method's learning, as one string: not its length, its seed, nor its evaluation. */
function learnsBy({ config, spec, hasCritic }: FairMethod): string {
  const { environment, model, clone, definitions, processReward, context, schedule, plants } = spec;
  const { sampling } = spec;
  const { iterations: _, grouping = "each-own", ...optimisation } = spec.optimisation;
  const critic = hasCritic ? spec.critic : null;
  const plays = { environment, model, clone, definitions, processReward, context };
  return canonicalJson({
    config,
    plays,
    schedule,
    plants,
    sampling,
    optimisation,
    grouping,
    critic,
  });
}

function warningsOf(
  methods: readonly FairMethod[],
  outside: string[],
  search: RecipeSearch | null,
): FairnessWarning[] {
  const steps = extremes(methods, ({ actorSteps }) => actorSteps);
  const rates = new Set(methods.map(({ spec }) => spec.optimisation.actorLr));
  const oneRate = methods.length > 1 && rates.size === 1 && !search;
  return [
    ...taskWarnings(methods),
    ...(steps.ratio >= 2 ? [{ id: "steps" as const, fewer: steps.fewer, more: steps.more }] : []),
    ...payWarnings(methods),
    ...(oneRate ? [{ id: "oneRate" as const }] : []),
    ...(outside.length > 0 ? [{ id: "outside" as const, methods: outside }] : []),
  ];
}

function taskWarnings(methods: readonly FairMethod[]): FairnessWarning[] {
  const { ratio, low: few, high: many, fewer, more } = extremes(methods, ({ tasks }) => tasks);
  if (ratio <= 1) return [];
  const repeats = methods.find(({ name }) => name === fewer[0])!.groupSize;
  return [{ id: "tasks", fewer, more, few, many, repeats }];
}

/**
 * A potential's rewards sum to a term of the start and end states, which rollouts of one task
 * share: only critics benefit. Source: Ng, Harada and Russell 1999.
 */
function payWarnings(methods: readonly FairMethod[]): FairnessWarning[] {
  const paid = methods.filter(({ spec: { processReward } }) => {
    const { provider, shaping, eta = 0 } = processReward ?? {};
    return provider === "exact" && shaping === "potential" && eta > 0;
  });
  const critics = paid.filter(({ hasCritic }) => hasCritic).map(({ name }) => name);
  const groups = paid
    .filter(({ hasCritic, groupSize }) => !hasCritic && groupSize > 1)
    .map(({ name }) => name);
  return critics.length > 0 && groups.length > 0 ? [{ id: "pay", critics, groups }] : [];
}

/** The methods with the minimum and the maximum of a quantity. */
function extremes(methods: readonly FairMethod[], of: (method: FairMethod) => number) {
  const values = methods.map(of);
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), 0);
  const names = (value: number) =>
    methods.filter((_, i) => values[i] === value).map(({ name }) => name);
  const ratio = methods.length === 0 ? 1 : high / low;
  return { ratio, low, high, fewer: names(low), more: names(high) };
}
