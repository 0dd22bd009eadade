/**
 * The share link: a preset and what differs from it, readable in the address bar.
 *
 *     #v1/nano?seed=3&optimisation.iterations=20&algorithms=grpo,turn-ppo&turn-ppo.gamma=0.95&fp=9f86...
 *     #v1/nano?view=lens&at=turn-ppo,12,1,4&open=formula,-turns&formula:step=clip
 *
 * The writer is strict, the reader forgiving: whatever it is given, it answers with a valid experiment and
 * says in words what it could not use.
 */
import { isAlgorithmName, settingNames } from "./algorithms.ts";
import { canonicalJson } from "./canonical.ts";
import { optionalFields, validateSpec, type ExperimentSpec } from "./experiment.ts";
import { definitionsFromText, definitionsToText } from "./definitionsText.ts";
import { InputError, shortenName, show } from "./inputError.ts";
import { curvesFromText } from "./linkCurves.ts";
import {
  extraChanges,
  isSettingKey,
  noExtras,
  wholeEntries,
  withExtra,
  type Change,
  type Expectation,
  type Extras,
  type LinkPlace,
} from "./linkExtras.ts";
import { fillGroup, isGroup, switchGroup, withGroups } from "./linkGroups.ts";
import { OWN_GROUPS, withOwn, type OwnSettings } from "./ownSettings.ts";
import { learnerNames } from "./preference.ts";
import { presetNames, presetSpec } from "./presets.ts";

const LINK_VERSION = 1;
const DEFAULT_PRESET = "nano";
/** Longer hashes are not read at all: no honest link comes near. */
const MAX_LENGTH = 4096;
const MAX_CHANGES = 64;
/** Short names for what people change by hand. */
const ALIASES: Record<string, string> = {
  iterations: "optimisation.iterations",
  backend: "engine.backend",
};
/** Fields of a spec that a link states in other ways, or never. */
const RESERVED = new Set(["version", "preset", "algorithms", "definitions"]);
/** As a value: drop what the preset has here. */
const DROP = "default";

export interface DecodedLink extends Extras {
  spec: ExperimentSpec;
  /** One sentence for each thing that could not be used. */
  warnings: string[];
}

/** Hex digits that a trace keeps of each chain: enough to see where two runs part, short enough for a link. */
export const TRACE_DIGITS = 2;
const MAX_MARKS = 20;

/** Iterations between two marks of a trace: the smallest power of two that keeps the trace short. */
export function traceStride(iterations: number): number {
  let stride = 1;
  while (iterations / stride > MAX_MARKS) stride *= 2;
  return stride;
}

/** A `#v1/...` hash for an experiment, for what came out of it when that is known, and for a place in the page. */
export function encodeLink(spec: ExperimentSpec, extras: Expectation & LinkPlace = {}): string {
  const { preset, changes } = changesOf(spec);
  const head = `#v${LINK_VERSION}/${preset}`;
  const parts = partsThatFit([...changes, ...extraChanges(extras)], MAX_LENGTH - head.length);
  return parts.length === 0 ? head : `${head}?${parts.join("&")}`;
}

/** The address of a place in the page under another head, such as a notebook's, which says the experiment itself. */
export function encodePlace(head: string, place: LinkPlace): string {
  const parts = partsThatFit(extraChanges(place), MAX_LENGTH - head.length);
  return parts.length === 0 ? head : `${head}?${parts.join("&")}`;
}

/** Reads the place of any address, after its first question mark. Never throws. */
export function decodePlace(hash: string): Extras & { warnings: string[] } {
  const warnings: string[] = [];
  const mark = hash.indexOf("?");
  const { extras, changes } = readParts(mark < 0 ? "" : hash.slice(mark + 1, MAX_LENGTH), warnings);
  const unread = changes.map(([name]) => `${shortenName(name)} is no place in the page. Left out.`);
  return { ...extras, warnings: [...warnings, ...unread] };
}

/** The preset that an experiment is nearest to, and what differs: `specFromChanges` makes the experiment of it. */
export function changesOf(spec: ExperimentSpec): { preset: string; changes: Change[] } {
  const { base: preset, switches } = withGroups(baseOf(spec), spec);
  const { base, code } = withCode(preset, spec);
  const changes = [
    ...switches,
    ...code,
    ...fieldChanges(base, spec, ""),
    ...algorithmChanges(base, spec),
  ];
  return { preset: base.preset, changes };
}

/** Definitions go as one word, and an environment of theirs as a whole: it has nothing in common with the preset's. */
function withCode(base: ExperimentSpec, spec: ExperimentSpec) {
  const { definitions = [], environment } = spec;
  const code: Change[] = [];
  if (definitions.length > 0) code.push(["definitions", definitionsToText(definitions)]);
  if (environment.kind !== "defined") return { base, code };
  code.push(["environment", JSON.stringify(environment)]);
  return { base: { ...base, environment }, code };
}

/** Every change but settings of panels that would make the link longer than what is read. */
function partsThatFit(changes: readonly Change[], room: number): string[] {
  const parts: string[] = [];
  for (const [key, value] of changes) {
    let text = encodeValue(value);
    room -= `?${key}=`.length;
    if (isSettingKey(key)) text = wholeEntries(text, parts.length < MAX_CHANGES ? room : 0);
    if (text === "" && isSettingKey(key)) room += `?${key}=`.length;
    else parts.push(`${key}=${text}`);
    room -= text.length;
  }
  return parts;
}

/** The preset that a spec names; where that is none, or of another environment, the first that has its fields. */
function baseOf({ preset, environment }: ExperimentSpec): ExperimentSpec {
  const names = [preset, DEFAULT_PRESET, ...presetNames].filter((name) =>
    presetNames.includes(name),
  );
  // An environment of code is nobody's: it goes as a whole.
  const fits = names
    .map(presetSpec)
    .find((base) => [base.environment.kind, "defined"].includes(environment.kind));
  return fits ?? presetSpec(DEFAULT_PRESET);
}

/** These are legal in a hash and far easier to read than %2C, %3A and %2F. */
function encodeValue(value: string): string {
  return encodeURIComponent(value).replace(/%(2C|3A|2F)/g, decodeURIComponent);
}

function fieldChanges(base: unknown, spec: unknown, path: string): Change[] {
  if (!isRecord(base) || !isRecord(spec)) {
    const same = Array.isArray(base) ? String(base) === String(spec) : Object.is(base, spec);
    return same ? [] : [[path, spec === undefined ? DROP : String(spec)]];
  }
  // Groups that only one of them has are switched on and off by a change of their own.
  const keys = path === "" ? Object.keys(base) : Object.keys({ ...base, ...spec });
  return keys
    .filter((key) => path !== "" || !RESERVED.has(key))
    .flatMap((key) => fieldChanges(base[key], spec[key], path === "" ? key : `${path}.${key}`));
}

function algorithmChanges(base: ExperimentSpec, spec: ExperimentSpec): Change[] {
  const names = spec.algorithms.map(({ name }) => name).join(",");
  const changes: Change[] = [];
  if (names !== base.algorithms.map(({ name }) => name).join(","))
    changes.push(["algorithms", names]);
  for (const { name, set, with: own } of spec.algorithms) {
    const row = base.algorithms.find((other) => other.name === name);
    const before = row?.set ?? {};
    for (const key of Object.keys(before))
      if (!Object.hasOwn(set, key)) changes.push([`${name}.${key}`, DROP]);
    for (const [key, value] of Object.entries(set))
      if (!Object.is(before[key], value)) changes.push([`${name}.${key}`, String(value)]);
    for (const change of ownChanges(row?.with, own, name)) changes.push(change);
  }
  return changes;
}

/** What a method has for itself: method.group.field, the field named as in the experiment. */
function ownChanges(base: OwnSettings = {}, own: OwnSettings = {}, name: string): Change[] {
  return OWN_GROUPS.flatMap((group) =>
    fieldChanges(base[group] ?? {}, own[group] ?? {}, `${name}.${group}`),
  );
}

/** Reads any text as a link. Never throws; what it cannot use becomes a warning and a default. */
export function decodeLink(hash: string): DecodedLink {
  const text = typeof hash === "string" ? hash.replace(/^#/, "") : "";
  if (text === "") return plain([]);
  if (text.length > MAX_LENGTH)
    return plain([`The link is ${text.length} characters long; at most ${MAX_LENGTH} are read.`]);
  const parts = /^v(\d{1,9})\/([^?]*)(?:\?(.*))?$/s.exec(text);
  if (!parts) return plain([`The link ${show(text)} does not have the form #v1/preset?changes.`]);
  if (Number(parts[1]) !== LINK_VERSION)
    return plain([
      `The link has version ${Number(parts[1])}; this Turnbook reads version ${LINK_VERSION}.`,
    ]);
  return readQuery(parts[2]!, parts[3] ?? "");
}

function plain(warnings: string[]): DecodedLink {
  const spec = presetSpec(DEFAULT_PRESET);
  return { spec, ...noExtras(), warnings };
}

function readQuery(presetText: string, query: string): DecodedLink {
  const warnings: string[] = [];
  const { extras, changes } = readParts(query, warnings);
  const preset = percentDecode(presetText) ?? presetText;
  const { spec, warnings: refused } = specFromChanges(preset, changes);
  const all = [...warnings, ...refused];
  return { spec, ...extras, curves: readableCurves(extras, spec, all), warnings: all };
}

/** The curves of a link where they are of its experiment; else null, with a sentence. */
function readableCurves({ curves }: Extras, spec: ExperimentSpec, warnings: string[]) {
  if (curves === null) return null;
  try {
    curvesFromText(curves, learnerNames(spec).length);
    return curves;
  } catch (error) {
    warnings.push(`The sender’s curves are not shown: ${sentence(error)}.`);
    return null;
  }
}

/** The parts that speak of the page, and those that speak of the experiment. */
function readParts(query: string, warnings: string[]): { extras: Extras; changes: Change[] } {
  const pairs = query.split("&").filter((pair) => pair !== "");
  if (pairs.length > MAX_CHANGES)
    warnings.push(`The link has ${pairs.length} changes; only the first ${MAX_CHANGES} are read.`);
  const changes: Change[] = [];
  let extras = noExtras();
  for (const pair of pairs.slice(0, MAX_CHANGES)) {
    const change = readPair(pair, warnings);
    if (!change) continue;
    const more = withExtra(extras, change, warnings);
    if (more) extras = more;
    else changes.push(change);
  }
  return { extras, changes };
}

function readPair(pair: string, warnings: string[]): Change | null {
  const eq = pair.indexOf("=");
  const key = percentDecode(eq < 0 ? pair : pair.slice(0, eq));
  const value = percentDecode(eq < 0 ? "" : pair.slice(eq + 1));
  if (key !== null && value !== null && eq > 0) return [key, value];
  warnings.push(`The part ${show(pair)} does not have the form name=value.`);
  return null;
}

function percentDecode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * A preset with dotted-path changes applied, as links and notebook cells write them. Changes that are not
 * possible are left out, each with a sentence; the rest still counts. Never throws.
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
  return { spec, warnings: [...warnings, ...refused.map((reason) => `${reason}. Left out.`)] };
}

/** A spec with all of these changes. @throws InputError for the first that is not possible. */
export function changedSpec(base: ExperimentSpec, changes: readonly Change[]): ExperimentSpec {
  const { spec, refused } = applyAll(base, changes);
  if (refused.length > 0) throw new InputError(refused[0]!);
  return spec;
}

/** Applies every change that leads to a valid spec; the order in which they are written does not matter. */
function applyAll(
  base: ExperimentSpec,
  changes: readonly Change[],
): { spec: ExperimentSpec; refused: string[] } {
  let spec = base;
  // The list of algorithms first: the other changes speak of its entries.
  let waiting = [...changes].sort((a, b) => rank(a) - rank(b));
  let refused: string[] = [];
  // A change may be possible only after another (a larger minibatch after a larger group): repeat while it helps.
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

function sentence(error: unknown): string {
  if (error instanceof InputError) return error.message;
  throw error;
}

function applyChange(spec: ExperimentSpec, [key, text]: Change): ExperimentSpec {
  if (key === "algorithms") return validateSpec(withAlgorithms(spec, text));
  if (key === "definitions") return validateSpec(withDefinitions(spec, text));
  if (key === "environment") return validateSpec(withEnvironment(spec, text));
  if (isGroup(key)) return validateSpec(switchGroup(spec, key, text));
  const dot = key.indexOf(".");
  const head = dot < 0 ? key : key.slice(0, dot);
  if (dot > 0 && isAlgorithmName(head))
    return validateSpec(withOverride(spec, head, key.slice(dot + 1), text));
  const path = Object.hasOwn(ALIASES, key) ? ALIASES[key]! : key;
  return validateSpec(withField(fillGroup(spec, head), path.split("."), text, path));
}

/** What names definitions comes after them. */
function withDefinitions({ definitions: _, ...spec }: ExperimentSpec, text: string): unknown {
  return text === DROP ? spec : { ...spec, definitions: definitionsFromText(text) };
}

/** Only one that definitions play is written as a whole. */
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
  const algorithms = listOf(text).map(
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
  // Checked here because the validator silently drops some names, __proto__ for one.
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
  return { ...node, [head]: withField(node[head], rest, text, full) };
}

/** Reads the text as what the field now holds; a text that does not fit stays one, and validation names it. */
function leafValue(current: unknown, text: string, full: string): unknown {
  if (text === "null") return null;
  if (current === undefined) return flagOf(text) ?? numberOf(text) ?? text;
  if (typeof current === "number" || current === null) return numberOf(text) ?? text;
  if (typeof current === "boolean") return flagOf(text) ?? text;
  if (typeof current === "string") return text;
  if (Array.isArray(current)) return listOf(text);
  throw new InputError(`${full} is a group of fields; change one of them`);
}

function listOf(text: string): string[] {
  return text === "" ? [] : text.split(",");
}

function flagOf(text: string): boolean | null {
  return text === "true" ? true : text === "false" ? false : null;
}

function numberOf(text: string): number | null {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two experiments are the same in every field. */
export function sameSpec(a: ExperimentSpec, b: ExperimentSpec): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b);
}
