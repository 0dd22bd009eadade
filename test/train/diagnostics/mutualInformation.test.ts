import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dependence } from "../../../src/train/diagnostics/crossScoring.ts";

const file = resolve(import.meta.dirname, "../../golden/formulas.json");
const golden = JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, number>>;
const table = (...rows: number[][]) => rows.map((row) => Float64Array.from(row));

test("G18: information, its bound, both entropies and retrieval", () => {
  const found = dependence(table([-2, -5], [-6, -1]));
  const want = golden["G18_mi"]!;
  expect(found.information).toBeCloseTo(want["mi"]!, 6);
  expect(found.bound).toBeCloseTo(want["upper"]!, 6);
  expect(found.conditional).toBeCloseTo(want["H(Z|X)"]!, 6);
  expect(found.marginal).toBeCloseTo(want["H(Z)"]!, 6);
  expect(found.retrieval).toBe(want["retrieval_acc"]);
});

test("G18: responses that no prompt makes likelier carry no information", () => {
  const found = dependence(table([-2, -2], [-3, -3]));
  expect(found.information).toBeCloseTo(golden["G18_mi_collapsed"] as unknown as number, 12);
  expect(found.retrieval).toBe(0);
});

test("information is at most log N, H(Z) - H(Z|X) is it, and very unlikely responses do not underflow", () => {
  const row = (N: number) =>
    fc.array(fc.double({ min: -2000, max: 0, noNaN: true }), { minLength: N, maxLength: N });
  const tables = fc
    .integer({ min: 1, max: 8 })
    .chain((N) => fc.array(row(N), { minLength: N, maxLength: N }));
  fc.assert(
    fc.property(tables, (rows) => {
      const { information, bound, conditional, marginal } = dependence(table(...rows));
      expect(information).toBeLessThanOrEqual(bound + 1e-9);
      expect(marginal - conditional).toBeCloseTo(information, 6);
    }),
    { seed: 18 },
  );
});
