/**
 * What can stand at the cursor in a cell's body: names of fields and values, from the schemas that check them. What a panel, a
 * metric or an experiment of the notebook is called comes from those who know.
 */
import {
  algorithmNames,
  definedRowName,
  isAlgorithmName,
  settingNames,
} from "../spec/algorithms.ts";
import { wordAxes, type WordAxis } from "../method/axes.ts";
import { ROW_KINDS, type DefinitionKind, type DefinitionRef } from "../spec/definitions.ts";
import { choicesOf, optionalFields, type ExperimentSpec } from "../spec/experiment.ts";
import { fillGroup, groupNames, isGroup } from "../spec/linkGroups.ts";
import { listPresets } from "../spec/presets.ts";
import { flatFields, isOldStyle, readBody } from "./body.ts";
import { computes, hasFact, typedCells, type Cell } from "./cell.ts";
import { fieldChoices, fieldNamesOf } from "./cellFields.ts";
import { hasFields, kindOf, type CellType, type FieldsType } from "./cells/kinds.ts";
import { readExperiment } from "./cells/experiment/experiment.ts";

/** A name, and what it is called. */
type Named = readonly [name: string, title: string];

export interface KnownNames {
  /** Ids of the notebook's experiments. */
  experiments: readonly string[];
  panels: readonly {
    id: string;
    title: string;
    /** Values of each, where it has a list of them. */
    settings: Readonly<Record<string, readonly string[]>>;
  }[];
  metrics: readonly Named[];
  /** Of the notebook's code cells. */
  definitions: readonly DefinitionRef[];
  /** What code reads, see `namesForCode`. */
  code: readonly Named[];
  /** What the cell shows; null for nothing. */
  shown: ExperimentSpec | null;
}

interface Completion {
  label: string;
  /** What is written in place of the word. */
  apply: string;
  kind: "field" | "value";
  /** What it says now, or what it is called. */
  detail?: string;
}

interface Completions {
  /** Place in the body where the word begins. */
  from: number;
  /** Nothing is written of a name that stands in no group: one may not want any. */
  atStart: boolean;
  options: readonly Completion[];
}

/** What code reads by name, with its kind: other code, what readers set, and runs. @param own the cell's own name. */
export function namesForCode(cells: readonly Cell[], own: string | null): Named[] {
  return typedCells(cells)
    .filter((cell) => computes(cell) || hasFact(cell, "given") || hasFact(cell, "hasRun"))
    .filter(({ id }) => id !== own && /^[A-Za-z_$][\w$]*$/.test(id))
    .map(({ id, type }) => [id, kindOf(type).title]);
}

/** Null where nothing is known. @param at characters before the cursor. */
export function completionsAt(
  type: CellType,
  body: string,
  at: number,
  known: KnownNames,
): Completions | null {
  if (kindOf(type).isCode) return null;
  const place = bodyPlaceAt(body, at);
  if (!place) return null;
  const source = hasFields(type) ? cellSource(type, body, known) : experimentSource(body, known);
  const options =
    place.slot === "value"
      ? source.values(place.path).map(([name, title]): Completion => ({
          label: name,
          apply: name,
          kind: "value",
          ...(title !== "" && { detail: title }),
        }))
      : nameOptions(source.names(place.path), body, place);
  const atStart = place.slot === "name" && place.path.length === 0 && place.word === "";
  return options.length === 0 ? null : { from: at - place.word.length, atStart, options };
}

interface Source {
  /** What may stand below a path: dotted names, from there on. */
  names(path: readonly string[]): readonly Named[];
  values(path: readonly string[]): readonly Named[];
}

/** With the groups that the names are in; without those that the body has. */
function nameOptions(names: readonly Named[], body: string, place: BodyPlace): Completion[] {
  const around = place.path.map((name) => `${name}.`).join("");
  const present = new Set(flatFields(readBody(body).fields).map(([name]) => name));
  const free = names.filter(([name]) => !present.has(around + name));
  const sign = isOldStyle(body) ? " = " : ": ";
  const fields = free.map(([name, detail]): Completion => ({
    label: name,
    apply: name + sign,
    kind: "field",
    ...(detail !== "" && { detail }),
  }));
  if (isOldStyle(body)) return fields;
  const heads = new Set(free.flatMap(([name]) => (name.includes(".") ? name.split(".")[0]! : [])));
  const begin = place.isInline ? ": { " : `:\n${place.indent}  `;
  const has = (head: string) => [...present].some((name) => name.startsWith(`${around}${head}.`));
  const groups = [...heads]
    .filter((head) => !has(head))
    .map((head): Completion => ({ label: head, apply: head + begin, kind: "field" }));
  return [...groups, ...fields];
}

const plain = (names: Iterable<string>): Named[] => [...names].map((name) => [name, ""]);

/** Fields where an experiment names code, by the kind of code. */
const NAMED_CODE: Readonly<Record<string, DefinitionKind>> = {
  "environment.reward": "reward",
  "environment.prompt": "prompt",
  "environment.definition": "environment",
  "optimisation.segmentation": "segmentation",
  "clone.expert": "expert",
};

function experimentSource(body: string, known: KnownNames): Source {
  const { spec } = readExperiment(body);
  const beside = plain(["preset", "recording", "seeds", "algorithms"]);
  return {
    names: (path) => below([...beside, ...specNames(spec)], path),
    values: (path) => experimentValues(spec, path.join("."), known),
  };
}

function below(names: readonly Named[], path: readonly string[]): Named[] {
  const around = path.map((name) => `${name}.`).join("");
  return names.flatMap(([name, title]): Named[] =>
    name.startsWith(around) ? [[name.slice(around.length), title]] : [],
  );
}

/** Dotted names of all that an experiment can say, each with what it says now. */
export function specNames(spec: ExperimentSpec): Named[] {
  const {
    version: _version,
    preset: _preset,
    definitions: _code,
    algorithms,
    ...whole
  } = groupNames.reduce(fillGroup, spec);
  const now = new Map(flatFields(whole));
  const names = new Set(
    [...now.keys(), ...optionalFields].filter((name) => name !== "definitions"),
  );
  const fields = [...names].map((name): Named => [name, now.get(name) ?? ""]);
  const settings = algorithms.flatMap(({ name, set }) =>
    settingNames.map((one): Named => [`${name}.${one}`, String(set[one] ?? "")]),
  );
  return [...groupNames.map((name): Named => [name, ""]), ...fields, ...settings];
}

function experimentValues(spec: ExperimentSpec, path: string, known: KnownNames): Named[] {
  const codeOf = (kind: DefinitionKind) =>
    known.definitions.filter((one) => one.kind === kind).map(({ name }) => name);
  if (path === "preset") return listPresets().map(({ name, title }) => [name, title]);
  if (path === "algorithms") return plain(rowNames(known.definitions));
  if (isGroup(path)) return plain(["on", "none"]);
  const code = NAMED_CODE[path];
  if (code) return plain(codeOf(code));
  const [row = "", setting = ""] = path.split(".");
  const axes: Readonly<Record<string, WordAxis>> = wordAxes;
  if (isAlgorithmName(row))
    return Object.hasOwn(axes, setting) ? Object.entries(axes[setting]!.values) : [];
  return plain(choicesOf(groupNames.reduce(fillGroup, spec), path));
}

/** Rows of the table, also with what the notebook defines in place of their choices. */
function rowNames(definitions: readonly DefinitionRef[]): string[] {
  const own = ROW_KINDS.flatMap((kind) =>
    definitions
      .filter((one) => one.kind === kind)
      .flatMap(({ name }) => algorithmNames.map((row) => definedRowName(row, kind, name))),
  );
  return [...algorithmNames, ...own];
}

/** Settings of the panel that it shows, and what the experiment that it shows may vary, have no schema. */
function cellSource(type: FieldsType, body: string, known: KnownNames): Source {
  const panel = known.panels.find(({ id }) => id === readBody(body).fields["panel"]);
  const settings = panel?.settings ?? {};
  const varied = known.shown;
  const under = (path: readonly string[], group: string) => path.length > 0 && path[0] === group;
  return {
    names: (path) => {
      if (path.length === 0) return plain(fieldNamesOf(type, body));
      if (under(path, "settings")) return plain(path.length === 1 ? Object.keys(settings) : []);
      return under(path, "over") && varied ? below(specNames(varied), path.slice(1)) : [];
    },
    values: (path) => {
      const name = path.join(".");
      if (name === "panel") return known.panels.map(({ id, title }): Named => [id, title]);
      if (name === "metrics") return known.metrics;
      if (name === "experiments") return plain(known.experiments);
      if (under(path, "settings")) return plain(settings[path[1] ?? ""] ?? []);
      if (under(path, "over") && varied)
        return experimentValues(varied, path.slice(1).join("."), known);
      return plain(fieldChoices(type, path));
    },
  };
}

/** Where in a cell's body the cursor stands: among the names of which fields, or in the value of which. Text in, no parser: half of it is not written yet. */
interface BodyPlace {
  /** Names of the fields around the cursor, outermost first; in a value the field's own comes last. */
  path: readonly string[];
  slot: "name" | "value";
  /** What is written of the name or value, up to the cursor. */
  word: string;
  /** Before the line's first word: what goes into a group stands deeper. */
  indent: string;
  /** Whether it stands in braces or brackets, where a line cannot end. */
  isInline: boolean;
}

const NAME = "[\\w.@-]+";

const WORD = /[\w.@-]*$/;

/** Null where nothing could be completed: in a remark, a text in quotes, or behind a finished value. @param at characters before the cursor. */
function bodyPlaceAt(body: string, at: number): BodyPlace | null {
  const lines = body.slice(0, at).split("\n");
  const [, indent = "", dashes = "", rest = ""] = /^(\s*)((?:-\s+)*)(.*)$/s.exec(lines.pop()!)!;
  if (/^#|\s#|["']/.test(rest)) return null;
  const around = namesAround(lines, indent.length, dashes !== "");
  if (!around) return null;
  const key = new RegExp(`^(${NAME})(?::\\s+|\\s*=\\s*)(.*)$`).exec(rest);
  const place = { indent, isInline: false };
  if (dashes === "" && !key)
    return WORD.exec(rest)![0] === rest
      ? { ...place, path: around, slot: "name", word: rest }
      : null;
  const path = key ? [...around, ...key[1]!.split(".")] : around;
  const inValue = valuePlace(key ? key[2]! : rest, path);
  return inValue && { ...place, ...inValue };
}

/** Names of the groups around a line with this indent; null if one of them is not a group. */
function namesAround(above: readonly string[], indent: number, isItem: boolean): string[] | null {
  let names: string[] = [];
  let inside = isItem ? indent + 1 : indent;
  for (const line of above.toReversed()) {
    if (inside === 0) break;
    const [, spaces = "", rest = ""] = /^(\s*)(.*)$/.exec(line)!;
    if (rest === "" || rest.startsWith("#") || spaces.length >= inside) continue;
    const head = new RegExp(`^(${NAME}):\\s*(?:#.*)?$`).exec(rest);
    // An item of the same list.
    if (!head && isItem && rest.startsWith("-")) continue;
    if (!head) return null;
    names = [...head[1]!.split("."), ...names];
    inside = spaces.length;
  }
  return names;
}

type InValue = Pick<BodyPlace, "path" | "slot" | "word" | "isInline">;

/** In what stands behind a field's name: a word, words with commas, or lists and fields in brackets. */
function valuePlace(tail: string, path: readonly string[]): InValue | null {
  const opened: { isMap: boolean; path: readonly string[] }[] = [];
  let here: Omit<InValue, "word" | "isInline"> | null = { path, slot: "value" };
  let end = 0;
  for (const match of tail.matchAll(new RegExp(`[{}[\\],]|(${NAME}):\\s+`, "g"))) {
    const [mark, name] = match;
    const frame = opened.at(-1);
    end = match.index + mark.length;
    if (mark === "{" || mark === "[") {
      const inner: readonly string[] = here?.path ?? path;
      opened.push({ isMap: mark === "{", path: inner });
      here = { path: inner, slot: mark === "{" ? "name" : "value" };
    } else if (mark === "}" || mark === "]") {
      opened.pop();
      here = null;
    } else if (mark === ",")
      here = { path: frame?.path ?? path, slot: frame?.isMap ? "name" : "value" };
    else here = { path: [...(frame?.path ?? path), ...name!.split(".")], slot: "value" };
  }
  const written = tail.slice(end).trimStart();
  if (!here || WORD.exec(written)![0] !== written) return null;
  return { ...here, word: written, isInline: opened.length > 0 };
}
