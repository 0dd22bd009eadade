/**
 * An environment of code in an experiment cell. Links say it as one text of JSON; a cell may, and may also say it by
 * fields, of which it leaves out what is usual:
 *
 *     environment: {kind: defined, definition: corridor, maxTurns: 6}
 */
import { canonicalJson } from "../../../spec/canonical.ts";
import { jsonOrNothing } from "../../../spec/jsonText.ts";
import type { FieldChange } from "../../body.ts";

/** The field as links name it. */
export const ENVIRONMENT = "environment";

/** What it is where the cell does not say. */
const USUAL = { kind: "defined", trainLevels: 0, maxTurns: 10, formatPenalty: -0.1 };

type Flat = readonly (readonly [name: string, text: string])[];

/** Fields in the words of links: an environment of code that is said by fields becomes one text. */
export function withWholeEnvironment(flat: Flat): Flat {
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
export function environmentChanges(
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
export function plainValue(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  return text !== "" && String(Number(text)) === text ? Number(text) : text;
}
