/**
 * An experiment during editing: the last valid spec, plus the texts that are not valid yet, each
 * with a sentence that says why. Plain data and pure functions.
 */
import { numberIn } from "../numeric/typedNumber.ts";
import { optionalFields, validateSpec, type ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../numeric/inputError.ts";
import { MOST_SEED } from "../spec/levelCount.ts";
import { sameSpec } from "../spec/link.ts";
import { withOwn } from "../spec/ownSettings.ts";
import { changedSpec, DROP } from "../spec/specChanges.ts";
import { presetSpec } from "../spec/presets.ts";
import { revised, unrevised } from "../spec/revise.ts";

/** Dotted path of a spec field, `algorithm/setting` of an override, or `algorithm/group.field` of a method's own value. */
type FieldPath = string;

interface Pending {
  text: string;
  problem: string;
}

export interface SpecDraft {
  /** Always valid: the last valid state of the form. */
  spec: ExperimentSpec;
  /** What was opened (a link, a notebook cell): a difference means local edits. */
  opened: ExperimentSpec;
  /** Fields whose text is not valid yet. */
  pending: Readonly<Record<FieldPath, Pending>>;
}

export function openDraft(spec: ExperimentSpec): SpecDraft {
  return { spec, opened: spec, pending: {} };
}

export function hasEdits(draft: SpecDraft): boolean {
  return Object.keys(draft.pending).length > 0 || !sameSpec(draft.spec, draft.opened);
}

/** The text of a field: the typed text if it is not valid, else the spec's value. */
export function fieldText(draft: SpecDraft, path: FieldPath): string {
  return draft.pending[path]?.text ?? textOf(valueAt(draft.spec, path));
}

function textOf(value: unknown): string {
  return value === undefined ? "" : value === null ? "none" : String(value);
}

/** Types a text into a field; other invalid fields are retried, since one change may allow another. */
export function editField(draft: SpecDraft, path: FieldPath, text: string): SpecDraft {
  const { [path]: _old, ...others } = draft.pending;
  let next = tryField({ ...draft, pending: others }, path, text);
  for (const [other, { text: waiting }] of Object.entries(others)) {
    const { [other]: _tried, ...rest } = next.pending;
    next = tryField({ ...next, pending: rest }, other, waiting);
  }
  return next;
}

function tryField(draft: SpecDraft, path: FieldPath, text: string): SpecDraft {
  try {
    return { ...draft, spec: edited(draft, validateSpec(withValue(draft.spec, path, text))) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const problem = { text, problem: error.message };
    return { ...draft, pending: { ...draft.pending, [path]: problem } };
  }
}

/** Applies a preset's values except for the seed, which the reader chooses. */
export function choosePreset(draft: SpecDraft, name: string): SpecDraft {
  const preset = presetSpec(name);
  // The seed of an old link may not be allowed for a new experiment.
  const seed = draft.spec.seed <= MOST_SEED ? draft.spec.seed : preset.seed;
  return { ...draft, spec: revised({ ...preset, seed }, null), pending: {} };
}

/** Adds or removes an algorithm, preserving the order; the last one cannot be removed. */
export function toggleAlgorithm(
  draft: SpecDraft,
  name: string,
  on: boolean,
  order: readonly string[],
): SpecDraft {
  const others = draft.spec.algorithms.filter((row) => row.name !== name);
  const opened = draft.opened.algorithms.find((row) => row.name === name);
  const rows = on ? [...others, opened ?? { name, set: {} }] : others;
  if (rows.length === 0) return draft;
  rows.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const pending = Object.entries(draft.pending).filter(([path]) => !path.startsWith(`${name}/`));
  return {
    ...draft,
    spec: edited(draft, validateSpec({ ...draft.spec, algorithms: rows })),
    pending: Object.fromEntries(pending),
  };
}

/** An edited spec with the revision of a new experiment with its numbers; an opened one keeps its own. */
export function edited({ spec: before, opened }: SpecDraft, spec: ExperimentSpec): ExperimentSpec {
  const next = revised(spec, before);
  return opened.revision === undefined ? unrevised(next) : next;
}

function valueAt(spec: ExperimentSpec, path: FieldPath): unknown {
  const [name, setting] = path.split("/");
  if (setting === undefined) return atPath(spec, path);
  const row = spec.algorithms.find((one) => one.name === name);
  return isOwn(setting) ? atPath(row?.with, setting) : row?.set[setting];
}

/** Settings of the algorithm itself are single words. */
function isOwn(setting: string): boolean {
  return setting.includes(".");
}

function atPath(node: unknown, path: string): unknown {
  return path.split(".").reduce((inner, key) => (inner as SpecRecord | undefined)?.[key], node);
}

type SpecRecord = Record<string, unknown>;

/** Without a rank there are no adapters. */
function withLora(spec: ExperimentSpec, path: FieldPath, text: string): ExperimentSpec {
  const isEmpty = text.trim() === "";
  if (isEmpty && !spec.model.lora) return spec;
  const whole = path.endsWith(".rank") ? "model.lora" : path;
  return changedSpec(spec, [isEmpty ? [whole, DROP] : [path, text.trim()]]);
}

function withValue(spec: ExperimentSpec, path: FieldPath, text: string): unknown {
  if (path.startsWith("model.lora.")) return withLora(spec, path, text);
  const [name, setting] = path.split("/");
  if (setting === undefined) return setPath(spec, path.split("."), text, optionalFields.has(path));
  if (isOwn(setting)) {
    const [group, field] = setting.split(".") as [string, string];
    return withOwn(spec, name!, { group, field, value: numberOrText(text) });
  }
  const algorithms = spec.algorithms.map((row) =>
    row.name === name ? { ...row, set: withSetting(row.set, setting, text) } : row,
  );
  return { ...spec, algorithms };
}

/** An empty text restores the algorithm's own value. */
function withSetting(set: SpecRecord, setting: string, text: string): SpecRecord {
  const { [setting]: _old, ...others } = set;
  const value = numberOrText(text);
  return value === undefined ? others : { ...others, [setting]: value };
}

/** For a field that was absent. */
function newValue(text: string): unknown {
  return text === "true" ? true : text === "false" ? false : numberOrText(text);
}

/** undefined for an empty text. */
function numberOrText(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const number = numberIn(trimmed);
  return Number.isNaN(number) ? trimmed : number;
}

/** An empty text omits an optional field. */
function setPath(
  node: unknown,
  [head, ...rest]: string[],
  text: string,
  optional: boolean,
): unknown {
  if (head === undefined)
    return optional && node === undefined ? newValue(text) : readAs(node, text);
  const { [head]: old, ...others } = node as SpecRecord;
  if (optional && rest.length === 0 && text.trim() === "") return others;
  return { ...(node as SpecRecord), [head]: setPath(old, rest, text, optional) };
}

/** Parses the text as the field's type; a text that does not fit stays a string, and is refused as such. */
function readAs(current: unknown, text: string): unknown {
  const trimmed = text.trim();
  if (typeof current === "boolean") return trimmed === "true";
  if (typeof current !== "number") return trimmed;
  const number = numberIn(trimmed);
  return trimmed === "" || Number.isNaN(number) ? trimmed : number;
}
