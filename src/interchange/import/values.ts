/** Safe access to values of unknown shape. */

import { finite as numberOf } from "../../numeric/finite.ts";
import { isRecord } from "../../spec/jsonText.ts";

export { numberOf };

export type Fields = Readonly<Record<string, unknown>>;

export function listOf(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? (value as unknown[]) : null;
}

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Names of unknown members that are not empty. */
export function unknownIn(value: Fields, known: ReadonlySet<string>): string[] {
  return Object.keys(value).filter((name) => !known.has(name) && value[name] != null);
}

/** An integer from 0 that can be an iteration. */
export function iterationNumber(value: unknown): number | null {
  const step = numberOf(value);
  return step !== null && Number.isInteger(step) && step >= 0 && step <= 10_000_000 ? step : null;
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

/** Numbers distinct keys by order of appearance: "prompt 1", "prompt 2". */
export function namesInOrder(what: string): (key: string) => string {
  const seen = new Map<string, string>();
  return (key) => {
    const name = seen.get(key) ?? `${what} ${seen.size + 1}`;
    seen.set(key, name);
    return name;
  };
}
