/** What a notebook's code defines, chosen for an experiment: its spec then names it, and includes its code. */
import { definedRowName, inTableOrder, rowNameOf } from "../spec/algorithms.ts";
import {
  findDefinition,
  type Definition,
  type DefinitionKind,
  type RowKind,
} from "../spec/definitions.ts";
import { validateSpec, type ExperimentSpec } from "../spec/experiment.ts";
import { presetSpec } from "../spec/presets.ts";
import { namedUses } from "../spec/specChecks.ts";

/** Kinds of which an experiment names at most one; others make methods. */
export type SingleKind = Exclude<DefinitionKind, RowKind>;

/** Where a spec names one of each kind. */
export const DEFINITION_PATHS: Readonly<Record<SingleKind, string>> = {
  environment: "environment.definition",
  reward: "environment.reward",
  prompt: "environment.prompt",
  segmentation: "optimisation.segmentation",
  expert: "clone.expert",
};

/** The definition of a kind that the experiment names; "" for none. */
export function chosenDefinition(spec: ExperimentSpec, kind: SingleKind): string {
  return namedUses(spec).find(({ field }) => field === DEFINITION_PATHS[kind])?.name ?? "";
}

/**
 * The experiment with another definition of a kind, "" for none. @param known the definitions in
 * the notebook's code.
 * @throws InputError if that conflicts with the rest of the spec.
 */
export function withDefinition(
  spec: ExperimentSpec,
  [kind, name]: readonly [SingleKind, string],
  known: readonly Definition[],
): ExperimentSpec {
  return validateSpec(withUsed(withNamed(spec, kind, name), known));
}

/** Rows that can have user-defined code: those that the experiment trains. */
export function codeRows({ algorithms }: ExperimentSpec): string[] {
  return inTableOrder(algorithms.map(({ name }) => rowNameOf(name).row));
}

/**
 * The experiment with or without a row that has user-defined code. @throws InputError if it
 * has no other row, or if that conflicts with the rest of the spec.
 */
export function withRowCode(
  spec: ExperimentSpec,
  { row, kind, name, on }: { row: string; kind: RowKind; name: string; on: boolean },
  known: readonly Definition[],
): ExperimentSpec {
  const full = definedRowName(row, kind, name);
  const others = spec.algorithms.filter((one) => one.name !== full);
  const rows = on ? [...others, { name: full, set: {} }] : others;
  const order = inTableOrder(rows.map((one) => one.name));
  const algorithms = rows.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return validateSpec(withUsed({ ...spec, algorithms }, known));
}

function withNamed(spec: ExperimentSpec, kind: SingleKind, name: string): ExperimentSpec {
  switch (kind) {
    case "environment":
      return { ...spec, environment: environmentOf(spec, name) };
    case "reward":
    case "prompt":
      return { ...spec, environment: withField(spec.environment, kind, name) };
    case "segmentation":
      return { ...spec, optimisation: withField(spec.optimisation, "segmentation", name) };
    case "expert":
      return { ...spec, clone: withField(spec.clone, "expert", name) };
  }
}

/**
 * A defined environment with only its name, as in a cell; without a name, the preset's environment.
 */
function environmentOf({ preset }: ExperimentSpec, name: string): ExperimentSpec["environment"] {
  if (name === "") return presetSpec(preset).environment;
  return { kind: "defined", definition: name, ...USUAL_ENVIRONMENT };
}

const USUAL_ENVIRONMENT = { trainLevels: 0, maxTurns: 10, formatPenalty: -0.1 };

function withField<T extends object>(group: T, name: string, value: string): T {
  const { [name]: _, ...others } = group as Record<string, unknown>;
  return (value === "" ? others : { ...others, [name]: value }) as T;
}

/**
 * With the code that it names and no other; the notebook's code takes precedence over the spec's.
 */
function withUsed(spec: ExperimentSpec, known: readonly Definition[]): ExperimentSpec {
  const { definitions: before = [], ...rest } = spec;
  const uses = namedUses(spec);
  const isUsed = (one: Definition) =>
    uses.some(({ kind, name }) => one.kind === kind && one.name === name);
  const own = before.filter((one) => !findDefinition(known, one));
  const definitions = [...known, ...own].filter(isUsed);
  return definitions.length === 0 ? rest : { ...rest, definitions };
}
