/** Reads golden files and turns masked [B][T] matrices into packed columns. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import type { TrajectoryBatch } from "../../src/method/trajectoryBatch.ts";

export type Matrix = number[][];

export interface GoldenCase<I, O> {
  name: string;
  inputs: I;
  outputs: O;
}

/** The cases of test/golden/rl/NAME.json. */
export function goldenCases<I, O>(name: string): GoldenCase<I, O>[] {
  const file = new URL(`rl/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { cases: GoldenCase<I, O>[] }).cases;
}

/** The worked examples of test/golden/formulas.json. */
export function formula<T>(name: string): T {
  const file = new URL("formulas.json", import.meta.url);
  const all = JSON.parse(readFileSync(file, "utf8")) as Record<string, T>;
  if (!(name in all)) throw new Error(`formulas.json has no ${name}`);
  return all[name]!;
}

/** An entry of test/golden/methods2026.json. */
export function method2026<I, O>(id: string): { inputs: I; expected: O } {
  const file = new URL("methods2026.json", import.meta.url);
  const { entries } = JSON.parse(readFileSync(file, "utf8")) as {
    entries: { id: string; inputs: I; expected: O }[];
  };
  const found = entries.find((entry) => entry.id === id);
  if (!found) throw new Error(`methods2026.json has no ${id}`);
  return found;
}

/** Numbers at mask 1, row by row. [B][T] -> [N] */
export function pack(x: Matrix, mask: Matrix): number[] {
  return x.flatMap((row, b) => row.filter((_, t) => mask[b]![t] === 1));
}

/** Maximal runs of mask 1 in a row, as [from, to) pairs. */
export function spans(row: number[]): [number, number][] {
  const found: [number, number][] = [];
  row.forEach((m, t) => {
    if (m === 1 && row[t - 1] !== 1) found.push([t, t]);
    if (m === 1) found.at(-1)![1] = t + 1;
  });
  return found;
}

type TokenFields = Record<string, Matrix>;

/**
 * A batch of the masked tokens, runs of mask 1 being turns; rows without any are left out.
 * `tokens` gives each token's fields as matrices, `trajectory` further fields of a row.
 */
export function maskedBatch(
  mask: Matrix,
  tokens: TokenFields,
  trajectory: (b: number) => object = () => ({}),
): TrajectoryBatch {
  const trajectories = mask.flatMap((row, b) => {
    const turns = spans(row).map(([from, to]) => ({
      tokens: row.slice(from, to).map((_, i) => fieldsAt(tokens, b, from + i)),
    }));
    return turns.length > 0 ? [{ turns, ...trajectory(b) }] : [];
  });
  return decodeBatch({ trajectories });
}

function fieldsAt(tokens: TokenFields, b: number, t: number): Record<string, number> {
  return Object.fromEntries(Object.entries(tokens).map(([key, x]) => [key, x[b]![t]!]));
}

/** Element by element within an absolute and relative tolerance. */
export function expectClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance = 1e-9,
): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) {
    const error = Math.abs(actual[i]! - expected[i]!);
    const limit = tolerance * (1 + Math.abs(expected[i]!));
    if (!(error <= limit)) expect.fail(`[${i}]: ${actual[i]} is not ${expected[i]}`);
  }
}
