/**
 * An experiment as changes by dotted path, as in links and notebook cells, applied to a preset:
 * `seed=3`, `optimisation.iterations=20`, `algorithms=grpo,turn-ppo`, `turn-ppo.gamma=0.95`,
 * `preference=on`.
 */
import { isAlgorithmName, settingNames } from "./algorithms.ts";
import { definitionsFromText } from "./definitionsText.ts";
import { isListField, optionalFields, validateSpec, type ExperimentSpec } from "./experiment.ts";
import { InputError, shortenName, show } from "../numeric/inputError.ts";
import { isRecord } from "./jsonText.ts";
import type { Change } from "./linkExtras.ts";
import { fillGroup, isGroup, switchGroup } from "./linkGroups.ts";
import { withOwn } from "./ownSettings.ts";
import { plantsFromText } from "./plants.ts";
import { presetNames, presetSpec } from "./presets.ts";

/** The base of an experiment if no preset, or an unknown one, is named. */
export const DEFAULT_PRESET = "nano";
/** Short names for frequently changed fields. */
const ALIASES: Record<string, string> = {
  iterations: "optimisation.iterations",
  backend: "engine.backend",
};
/** Fields of a spec that changes set in another way, or never. */
export const RESERVED: ReadonlySet<string> = new Set([
  "version",
  "preset",
  "algorithms",
  "definitions",
  "plants",
]);
/** As a value: removes the preset's value. */
export const DROP = "default";

/**
 * A preset with changes applied. Impossible changes are left out, each with a sentence; the rest
 * still counts. Never throws.
 */
export function specFromChanges(
  presetName: string,
  changes: readonly Change[],
): { spec: ExperimentSpec; warnings: string[] } {
  const warnings: string[] = [];
  let preset = presetName;
  if (!presetNames.includes(preset)) {
    preset = DEFAULT_PRESET;
    warnings.push(
      `preset is ${show(presetName)}; allowed: ${presetNames.join(", ")}. Using ${preset}.`,
    );
  }
  const { spec, refused } = applyAll(presetSpec(preset), changes);
  for (const { key, value } of contradictions(changes))
    warnings.push(
      `${shortenName(key)} is given more than once; the last, ${show(value)}, is used.`,
    );
  return { spec, warnings: [...warnings, ...refused.map((reason) => `${reason}. Left out.`)] };
}

/** A spec with all of these changes. @throws InputError for the first that is impossible, or contradicts another. */
export function changedSpec(base: ExperimentSpec, changes: readonly Change[]): ExperimentSpec {
  const twice = contradictions(changes)[0];
  if (twice)
    throw new InputError(`${shortenName(twice.key)} is given more than once; give it once`);
  const { spec, refused } = applyAll(base, changes);
  if (refused.length > 0) throw new InputError(refused[0]!);
  return spec;
}

/** Fields with two values, under any names, and the last of the values. */
function contradictions(changes: readonly Change[]): { key: string; value: string }[] {
  const last = new Map<string, string>();
  const twice = new Set<string>();
  for (const [key, value] of changes) {
    const path = pathOf(key);
    if (last.has(path) && last.get(path) !== value) twice.add(path);
    last.set(path, value);
  }
  return [...twice].map((key) => ({ key, value: last.get(key)! }));
}

const pathOf = (key: string): string => (Object.hasOwn(ALIASES, key) ? ALIASES[key]! : key);

/** Applies every change that leads to a valid spec; their order does not matter. */
function applyAll(
  base: ExperimentSpec,
  changes: readonly Change[],
): { spec: ExperimentSpec; refused: string[] } {
  let spec = base;
  // The list of algorithms first: other changes refer to its entries.
  let waiting = [...changes].sort((a, b) => rank(a) - rank(b));
  let refused: string[] = [];
  // A change may be possible only after another (a larger minibatch after a larger group): repeat
  // while it helps.
  for (;;) {
    const again: Change[] = [];
    refused = [];
    for (const change of waiting) {
      try {
        spec = applyChange(spec, change);
      } catch (error) {
        again.push(change);
        refused.push(sentence(error));
      }
    }
    if (again.length === 0 || again.length === waiting.length) return { spec, refused };
    waiting = again;
  }
}

function rank([key]: Change): number {
  if (key === "definitions") return -1;
  return key === "algorithms" || key === "environment" || isGroup(key) ? 0 : 1;
}

/** The error of a change as a sentence. @throws any other error. */
export function sentence(error: unknown): string {
  if (error instanceof InputError) return error.message;
  throw error;
}

function applyChange(spec: ExperimentSpec, [key, text]: Change): ExperimentSpec {
  if (key === "algorithms") return validateSpec(withAlgorithms(spec, text));
  if (key === "definitions") return validateSpec(withDefinitions(spec, text));
  if (key === "plants") return validateSpec(withPlantsOf(spec, text));
  if (key === "environment") return validateSpec(withEnvironment(spec, text));
  if (isGroup(key)) return validateSpec(switchGroup(spec, key, text));
  const dot = key.indexOf(".");
  const head = dot < 0 ? key : key.slice(0, dot);
  if (dot > 0 && isAlgorithmName(head))
    return validateSpec(withOverride(spec, head, key.slice(dot + 1), text));
  const path = pathOf(key);
  return validateSpec(withField(fillGroup(spec, head), path.split("."), text, path));
}

/** Fields that name definitions come after them. */
function withDefinitions({ definitions: _, ...spec }: ExperimentSpec, text: string): unknown {
  return text === DROP ? spec : { ...spec, definitions: definitionsFromText(text) };
}

function withPlantsOf({ plants: _, ...spec }: ExperimentSpec, text: string): unknown {
  return text === DROP ? spec : { ...spec, plants: plantsFromText(text) };
}

/** Only a user-defined environment is written as a whole. */
function withEnvironment(spec: ExperimentSpec, text: string): unknown {
  try {
    const environment: unknown = JSON.parse(text);
    if ((Object(environment) as { kind?: unknown }).kind === "defined")
      return { ...spec, environment };
  } catch {
    // Refused below, like any other text.
  }
  throw new InputError(`environment is ${show(text)}; change one of its fields`);
}

function withAlgorithms(spec: ExperimentSpec, text: string): unknown {
  const algorithms = listedWords(text).map(
    (name) => spec.algorithms.find((row) => row.name === name) ?? { name, set: {} },
  );
  return { ...spec, algorithms };
}

function withOverride(spec: ExperimentSpec, name: string, key: string, text: string): unknown {
  if (!spec.algorithms.some((row) => row.name === name))
    throw new InputError(`${name}.${key} is set, but ${name} is not among the algorithms`);
  const [group, field] = key.split(".");
  if (group !== undefined && field !== undefined)
    return withOwn(spec, name, {
      group,
      field,
      value: text === DROP ? undefined : overrideValue(text),
    });
  // Checked here because the validator silently drops some names, e.g. __proto__.
  if (!settingNames.includes(key))
    throw new InputError(
      `${name}.${shortenName(key)} is not a setting; allowed: ${settingNames.join(", ")}`,
    );
  const algorithms = spec.algorithms.map((row) => {
    if (row.name !== name) return row;
    const others = Object.entries(row.set).filter(([other]) => other !== key);
    return {
      ...row,
      set: Object.fromEntries(text === DROP ? others : [...others, [key, overrideValue(text)]]),
    };
  });
  return { ...spec, algorithms };
}

function overrideValue(text: string): number | string | null {
  if (text === "null") return null;
  return numberOf(text) ?? text;
}

function withField(node: unknown, path: string[], text: string, full: string): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return leafValue(node, text, full);
  const atTop = path.length === full.split(".").length;
  const known = isRecord(node) && (Object.hasOwn(node, head) || optionalFields.has(full));
  if (!known || (atTop && RESERVED.has(head)))
    throw new InputError(`${shortenName(full)} is not a field of the experiment`);
  if (rest.length === 0 && text === DROP && optionalFields.has(full)) {
    const { [head]: _dropped, ...others } = node;
    return others;
  }
  // An optional group begins with its first field.
  const inner = node[head] ?? (rest.length > 0 ? {} : undefined);
  return { ...node, [head]: withField(inner, rest, text, full) };
}

/** Parses the text as the field's current type; a text that does not fit stays a string, and validation names it. */
function leafValue(current: unknown, text: string, full: string): unknown {
  if (text === "null") return null;
  if (current === undefined && isListField(full)) return listedWords(text);
  if (current === undefined) return switchOf(text) ?? numberOf(text) ?? text;
  if (typeof current === "number" || current === null) return numberOf(text) ?? text;
  if (typeof current === "boolean") return switchOf(text) ?? text;
  if (typeof current === "string") return text;
  if (Array.isArray(current)) return listedWords(text);
  throw new InputError(`${full} is a group of fields; change one of them`);
}

function listedWords(text: string): string[] {
  return text === "" ? [] : text.split(",");
}

function switchOf(text: string): boolean | null {
  return text === "true" ? true : text === "false" ? false : null;
}

function numberOf(text: string): number | null {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : null;
}
