/** The study of kernels without one of their barriers or bounds: complete, and nothing unnoticed without a reason. */
import { expect, test } from "vitest";
import { placeWords, sites } from "../../gpus/mutation.ts";
import { mutantsOf } from "../../gpus/mutants.ts";
import { recordsOf, STUDIED } from "../../gpus/records.ts";
import { UNNOTICED, whyUnnoticed } from "../../gpus/unnoticed.ts";

const places = sites().map(placeWords);
const records = STUDIED.flatMap(recordsOf);
const noticed = new Set(
  records.filter(({ noticedBy }) => noticedBy !== null).map((one) => placeWords(one)),
);

test("each barrier and each bound has been studied; else: npm run test:gpus -- mutation", () => {
  expect(places.length).toBeGreaterThan(300);
  const studied = new Set(records.map(placeWords));
  expect(places.filter((place) => !studied.has(place))).toEqual([]);
});

test("what no adapter notices has a reason", () => {
  const silent = places.filter((place) => !noticed.has(place));
  expect(silent.filter((place) => whyUnnoticed(place) === null)).toEqual([]);
});

test("each reason is one for a place that no adapter notices", () => {
  const silent = places.filter((place) => !noticed.has(place));
  const idle = UNNOTICED.filter((one) => !silent.some((place) => one.places.test(place)));
  expect(idle.map(({ why }) => why)).toEqual([]);
});

test("a mutant lacks one place: a barrier, a guard, a bound, a condition; what nothing calls has none", () => {
  const code = `
fn idle(i: u32) -> u32 { return min(i, 3u); }
fn used(i: u32) -> u32 { return min(i, last(d.size)); }
fn main(@builtin(workgroup_id) wid: vec3u) {
  if (i >= d.size) { return; }
  x[i] = used(i);
  workgroupBarrier();
  if (i < 4u) { y[i] = select(0.0, x[used(i)], i < d.size); }
}`;
  const found = mutantsOf(code);
  expect(found.map(({ site }) => site)).toEqual([
    "barrier: after x[i] = used(i)",
    "guard: if (i >= d.size) { return; }",
    "condition: if (i < #u) {",
    "used, bound: min(i, last(d.size))",
    "choice: select(#.#, x[used(i)], i < d.size)",
  ]);
  expect(found[3]!.code).toContain("return (i);");
  expect(found[4]!.code).toContain("y[i] = (x[used(i)]);");
  expect(found.every((one) => one.code !== code)).toBe(true);
});
