/** An experiment: `preset: nano` and changes in the words of links; and the body as a spec, both ways. */
import type { Definition } from "../../../spec/definitions.ts";
import { definitionsToText } from "../../../spec/definitionsText.ts";
import type { ExperimentSpec } from "../../../spec/experiment.ts";
import { changesOf } from "../../../spec/specDifference.ts";
import { specFromChanges } from "../../../spec/specChanges.ts";
import { changeBody, flatFields, readBody, type FieldChange, type Remark } from "../../body.ts";
import type { CellKind } from "../kind.ts";
import { canonicalJson } from "../../../spec/canonical.ts";
import { jsonOrNothing } from "../../../spec/jsonText.ts";

/** Field that names a recorded run to show until a live one takes over. */
const RECORDING = "recording";
/** Field that names a file of recorded seeds to draw as bands behind the run. */
const SEEDS = "seeds";
/** Field of code as links carry it: a notebook has it in cells of its own. */
const DEFINITIONS = "definitions";
/** Fields that are not part of the experiment. */
const BESIDE = ["preset", RECORDING, SEEDS];

export const experimentKind = {
  title: "Experiment",
  button: "Experiment",
  shows: false,
  blank: "preset: nano",
  remarks: (body, definitions) => readExperiment(body, definitions).remarks,
  hasRun: true,
  starts: true,
  names: "definitions",
  files: (body) => {
    const { recording, seeds } = readExperiment(body);
    return Object.entries({ recording, seeds }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    );
  },
} satisfies CellKind;

interface ExperimentFields {
  spec: ExperimentSpec;
  /** Address relative to the page, or null. */
  recording: string | null;
  /** The same, of recorded seeds. */
  seeds: string | null;
  /** Lines count from the body's first. */
  remarks: Remark[];
}

/** Those that a field's value names. */
function namedIn(
  changes: readonly (readonly [name: string, text: string])[],
  definitions: readonly Definition[],
): Definition[] {
  const words = new Set(changes.flatMap(([, text]) => text.split(/\W+/)));
  return definitions.filter(({ name }) => words.has(name));
}

/**
 * Never throws: what cannot be used becomes a remark and the preset's value.
 * @param definitions of the notebook's code cells; those that the body names become part of the experiment.
 */
export function readExperiment(
  body: string,
  definitions: readonly Definition[] = [],
): ExperimentFields {
  const { fields, remarks } = readBody(body);
  const { preset = "nano", [RECORDING]: recording, [SEEDS]: seeds } = besideOf(fields);
  const own = changesIn(fields);
  const used = own.some(([key]) => key === DEFINITIONS) ? [] : namedIn(own, definitions);
  const code = used.length > 0 ? [[DEFINITIONS, definitionsToText(used)] as const] : [];
  const { spec, warnings } = specFromChanges(preset, [...code, ...own]);
  const paths = [pathOf(RECORDING, recording), pathOf(SEEDS, seeds)];
  const said = [...warnings, ...paths.flatMap(({ warning }) => warning)];
  return {
    spec,
    recording: paths[0]!.path,
    seeds: paths[1]!.path,
    remarks: [...remarks, ...said.map((message) => ({ line: lineOf(body, message), message }))],
  };
}

type BodyFields = ReturnType<typeof readBody>["fields"];

function besideOf(fields: BodyFields): Readonly<Record<string, string>> {
  return Object.fromEntries(flatFields(fields).filter(([key]) => BESIDE.includes(key)));
}

/** In the words of links. */
function changesIn(fields: BodyFields): (readonly [name: string, text: string])[] {
  return withWholeEnvironment(flatFields(fields))
    .filter(([key]) => !BESIDE.includes(key))
    .map(([key, text]) => [key, key === ENVIRONMENT ? text : text.replaceAll(/,\s+/g, ",")]);
}

/** The line that the sentence is about, by the field that it names first; else the first. */
function lineOf(body: string, sentence: string): number {
  const name = /^[\w.-]+/.exec(sentence)?.[0].split(".").at(-1) ?? "";
  const line = body.split("\n").findIndex((one) => name !== "" && one.includes(name));
  return Math.max(0, line) + 1;
}

/** The body with another experiment; what it says beside, and what stays the same, is left as written. */
export function withExperiment(
  body: string,
  spec: ExperimentSpec,
  definitions: readonly Definition[] = [],
): string {
  const { preset, changes: all } = changesOf(spec);
  const isOfCells = (spec.definitions ?? []).every((one) =>
    definitions.some((other) => JSON.stringify(other) === JSON.stringify(one)),
  );
  const changes = isOfCells ? all.filter(([key]) => key !== DEFINITIONS) : all;
  const now = new Map(changes);
  const { fields } = readBody(body);
  const before = new Map(changesIn(fields));
  const gone = [...before].filter(([key, text]) => !now.has(key) && fieldText(spec, key) !== text);
  const own = ([key]: readonly [string, string]) => key !== ENVIRONMENT;
  const isWhole = typeof fields[ENVIRONMENT] === "string";
  const set: FieldChange[] = [
    ...(besideOf(fields)["preset"] === preset ? [] : [{ path: ["preset"], value: preset }]),
    ...gone.filter(own).map(([key]) => ({ path: key.split("."), value: undefined })),
    ...environmentChanges(before.get(ENVIRONMENT), now.get(ENVIRONMENT), isWhole),
    ...changes
      .filter((one) => own(one) && before.get(one[0]) !== one[1])
      .map(([key, text]) => ({ path: key.split("."), value: valueOf(text) })),
  ];
  return set.length === 0 ? body : changeBody(body, set);
}

/** What the experiment has there; undefined for what is not a field of its own. */
function fieldText(spec: ExperimentSpec, path: string): string | undefined {
  let value: unknown = spec;
  for (const name of path.split("."))
    value =
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined;
  return value === undefined ? undefined : String(value);
}

/** A link's text as YAML says it. */
function valueOf(text: string): unknown {
  return text.includes(",") ? text.split(",") : plainValue(text);
}

function pathOf(
  name: string,
  path: string | undefined,
): { path: string | null; warning: string[] } {
  if (path === undefined || isLocalPath(path)) return { path: path ?? null, warning: [] };
  return { path: null, warning: [`${name} is "${path}"; it must be a path below the page.`] };
}

/** Only files beside the page: a notebook must not make the reader's browser call elsewhere. */
function isLocalPath(path: string): boolean {
  return /^[\w-][\w./-]*$/.test(path) && !path.split("/").includes("..");
}

/** The field as links name it. */
const ENVIRONMENT = "environment";

/** What it is where the cell does not say. */
const USUAL = { kind: "defined", trainLevels: 0, maxTurns: 10, formatPenalty: -0.1 };

type Flat = readonly (readonly [name: string, text: string])[];

/** Fields in the words of links: an environment of code that is said by fields becomes one text. */
function withWholeEnvironment(flat: Flat): Flat {
  const own = flat.filter(([name]) => name.startsWith(`${ENVIRONMENT}.`));
  if (!own.some(([name, text]) => name === `${ENVIRONMENT}.kind` && text === USUAL.kind))
    return flat;
  const said = own.map(([name, text]) => [name.slice(ENVIRONMENT.length + 1), plainValue(text)]);
  const whole = JSON.stringify({ ...USUAL, ...(Object.fromEntries(said) as object) });
  return [...flat.filter((one) => !own.includes(one)), [ENVIRONMENT, whole]];
}

/**
 * What makes one environment of the other, as a cell says them.
 * @param before its text, or undefined where it had none. @param now the same.
 * @param isWhole whether the cell says the one before as one text.
 */
function environmentChanges(
  before: string | undefined,
  now: string | undefined,
  isWhole: boolean,
): FieldChange[] {
  const [old, wanted] = [fieldsOf(before), fieldsOf(now)];
  if (now !== undefined && (isWhole || before === undefined))
    return sameValue(old, wanted) ? [] : [{ path: [ENVIRONMENT], value: wanted }];
  if (isWhole) return [{ path: [ENVIRONMENT], value: undefined }];
  return Object.keys({ ...old, ...wanted })
    .filter((name) => !sameValue(old[name], wanted[name]))
    .map((name) => ({ path: [ENVIRONMENT, name], value: wanted[name] }));
}

function fieldsOf(text: string | undefined): Readonly<Record<string, unknown>> {
  const value = text === undefined ? undefined : jsonOrNothing(text);
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function sameValue(a: unknown, b: unknown): boolean {
  return a === undefined || b === undefined ? a === b : canonicalJson(a) === canonicalJson(b);
}

/** A link's text as YAML says it. */
function plainValue(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  return text !== "" && String(Number(text)) === text ? Number(text) : text;
}
