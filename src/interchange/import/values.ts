/** Safe access to values of unknown shape. */

import { finite as numberOf } from "../../numeric/finite.ts";
import { isRecord, jsonOrNothing } from "../../spec/jsonText.ts";

export { numberOf };

export type Fields = Readonly<Record<string, unknown>>;

export function listOf(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? (value as unknown[]) : null;
}

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A text that is JSON as its value, any other value as it is. */
export function jsonOrText(value: unknown): unknown {
  return typeof value === "string" ? (jsonOrNothing(value) ?? value) : value;
}

/** Texts and numbers as a name. */
export function nameFrom(...values: readonly unknown[]): string | null {
  for (const value of values) {
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return null;
}

/** The step of a row, else of its file's path, or the file's index. @returns odd what a row has in its place; undefined: nothing */
export function stepFrom(
  { step, iteration }: { step: number | null; iteration: number },
  ...values: readonly unknown[]
): { step: number; isSaid: boolean; odd?: unknown } {
  const said = values.filter((one) => one != null);
  const own = said.map(iterationNumber).find((one) => one !== null);
  const known = own ?? step;
  const odd = own === undefined ? said[0] : undefined;
  return { step: known ?? iteration, isSaid: known !== null, odd };
}

/** Names of unknown members that are not empty. */
export function unknownIn(value: Fields, known: ReadonlySet<string>): string[] {
  return Object.keys(value).filter((name) => !known.has(name) && value[name] != null);
}

/** An integer from 0 that can be an iteration, also as text. */
export function iterationNumber(value: unknown): number | null {
  const step = numberOf(value) ?? spelledNumber(value);
  return step !== null && Number.isInteger(step) && step >= 0 && step <= 10_000_000 ? step : null;
}

const SPELLED = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number that a text is; null for any other. */
function spelledNumber(value: unknown): number | null {
  return typeof value === "string" && SPELLED.test(value.trim()) ? numberOf(Number(value)) : null;
}

/** A number, also as text or as true and false, or numbers by token or part, whose sum it is. */
export function rewardCell(value: unknown): number | null {
  const list = listOf(value);
  if (list) return sumKnown(list.map(numberOf));
  return typeof value === "boolean" ? Number(value) : (numberOf(value) ?? spelledNumber(value));
}

/** True and false, and 1 and 0 in their place. */
export function flagOf(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  return value === 1 ? true : value === 0 ? false : null;
}

/** The numbers among an object's members. */
export function numbersOf(value: unknown): Record<string, number> {
  if (!isRecord(value)) return {};
  const entries = Object.entries(value).map(([name, one]) => [name, numberOf(one)] as const);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => entry[1] !== null),
  );
}

export function sumKnown(values: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return values.length === 0 ? null : sum;
}

export function meanOf(values: readonly (number | null)[]): number | null {
  const sum = sumKnown(values);
  return sum === null ? null : sum / values.length;
}

const SHORT = 40;

/** Numbers distinct keys by order of appearance: "prompt 1", "prompt 2". */
export function namesInOrder(what: string): (key: string) => string {
  const seen = new Map<string, string>();
  return (text) => {
    // A long run has many prompts, each long.
    const key = text.length > SHORT ? digest(text) : text;
    const name = seen.get(key) ?? `${what} ${seen.size + 1}`;
    seen.set(key, name);
    return name;
  };
}

const [FIRST_SEED, SECOND_SEED] = [0x811c9dc5, 0x9e3779b9];
const [FIRST_PRIME, SECOND_PRIME] = [0x01000193, 0x85ebca6b];

/** A short name of a long text: 64 bits of FNV-1a over its code units, twice with other constants. */
export function digest(text: string): string {
  const [a, b] = hashes(text);
  return `${a.toString(36)}-${b.toString(36)}`;
}

/** 53 bits of the same, which take an eighth of the memory. */
export function shortDigest(text: string): number {
  const [a, b] = hashes(text);
  return a * 2 ** 21 + (b >>> 11);
}

function hashes(text: string): readonly [number, number] {
  let [a, b] = [FIRST_SEED, SECOND_SEED];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, FIRST_PRIME);
    b = Math.imul(b ^ code, SECOND_PRIME);
    b ^= b >>> 15;
  }
  return [a >>> 0, b >>> 0];
}

/** An event of Turnbook's own logs. */
export const isOwnEvent = ({ type, chain }: Fields): boolean =>
  typeof type === "string" && typeof chain === "string";
