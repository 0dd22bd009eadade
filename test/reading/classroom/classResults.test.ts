import { describe, expect, it } from "vitest";
import {
  countedResults,
  differenceOf,
  isReproducedBy,
  logsOf,
  pinned,
  classOutcome,
  readClass,
  seedOfSeat,
  specOfClass,
  type ClassSetup,
} from "../../../src/reading/classroom/classResults.ts";
import { codeOfRun, readCode, sealed, setupOf } from "../../../src/reading/classroom/resultCode.ts";
import { mean } from "../../../src/numeric/statistics.ts";
import { validateSpec, type ExperimentSpec } from "../../../src/spec/experiment.ts";
import { curveLog, curveSpec } from "../../fixtures/curveRun.ts";

const setup: ClassSetup = { spec: curveSpec({ seed: 500 }), metric: "reward", seats: 40 };
const methods = setup.spec.algorithms.length;
const runOf = (seat: number) => curveLog({ seed: seedOfSeat(setup, seat) });
const codeOf = (seat: number, prediction = 1) => codeOfRun(runOf(seat), "reward", prediction);
/** A code with one part changed, and a check that fits. */
function forged(code: string, part: number, change: (text: string) => string): string {
  const parts = code.split("~").slice(0, -1);
  parts[part] = change(parts[part]!);
  return sealed(parts.join("~"));
}
const kinds = (codes: string[], ...rest: [] | [ReadonlyMap<string, "same" | "different">]) =>
  readClass(setup, codes, null, ...rest).map(({ doubt }) => doubt?.kind ?? "counts");

it("gives each named class seeds of its own, the same on every page", () => {
  const seedsOf = (name: string) => {
    const spec = specOfClass(setup.spec, name);
    return Array.from({ length: setup.seats }, (_, i) => seedOfSeat({ spec }, i + 1));
  };
  const all = ["Tuesday", "Thursday", "class k3f9"].flatMap(seedsOf);
  expect(new Set(all).size).toBe(3 * setup.seats);
  expect(all.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)).toBe(true);
  expect(seedsOf(" Tuesday ")).toEqual(seedsOf("Tuesday"));
  // A link that was handed out names no rule but its seed: what it begins with must not change.
  expect(seedsOf("Tuesday")[0]).toBe(2_106_258_387);
  const other = { ...setup, spec: specOfClass(setup.spec, "Tuesday") };
  expect(readClass(other, [codeOf(3)], null)[0]!.doubt).toEqual({ kind: "noSeat" });
});

it("keeps the desks of a class whose seeds have levels of their own among those that do", () => {
  const spec: ExperimentSpec = { ...setup.spec, revision: 2, seed: 1990 };
  for (const name of ["Tuesday", "Thursday", "class k3f9"]) {
    const own = { spec: specOfClass(spec, name) };
    for (const seat of [1, 200])
      expect(validateSpec({ ...spec, seed: seedOfSeat(own, seat) }).seed).toBeLessThan(2001);
  }
});

describe("a class of thirty", () => {
  const honest = Array.from({ length: 30 }, (_, i) => codeOf(i + 1, (i % 3) + 1));

  it("counts every honest code once, whoever hands it in twice", () => {
    const handed = readClass(setup, [...honest, honest[4]!, ` ${honest[4]} `], null);
    expect(handed).toHaveLength(30);
    expect(handed.every(({ doubt }) => doubt === null)).toBe(true);
    expect(countedResults(handed).map(({ seed }) => seed)).toEqual(
      Array.from({ length: 30 }, (_, i) => 501 + i),
    );
  });

  it("finds five ways to cheat, two of them only by training again", () => {
    const codes = [...honest];
    // 3: types a better number, and damages the check. 7: gives the neighbour's run as its own. 11: has trained longer.
    codes[2] = honest[2]!.replace(/.$/, (c) => (c === "A" ? "B" : "A"));
    codes[6] = forged(honest[7]!, 2, () => seedOfSeat(setup, 7).toString(36));
    codes[10] = codeOfRun(curveLog({ seed: seedOfSeat(setup, 11), iterations: 60 }), "reward", 1);
    // 15: draws better curves and makes a check that fits. 19: picks the best of many seeds, none of them its own.
    codes[14] = forged(honest[14]!, 5, (text) => text.replace(/..$/, "-9"));
    codes[18] = codeOf(77);
    expect(
      kinds(codes)
        .map((kind, i) => [i + 1, kind] as const)
        .filter(([, kind]) => kind !== "counts"),
    ).toEqual([
      [3, "unreadable"],
      [7, "copied"],
      [8, "copied"],
      [11, "otherExperiment"],
      [19, "noSeat"],
    ]);
    expect(isReproducedBy(readCode(codes[14]!, methods), runOf(15))).toBe(false);
    expect(isReproducedBy(readCode(codes[6]!, methods), runOf(7))).toBe(false);
    expect(isReproducedBy(readCode(codes[7]!, methods), runOf(8))).toBe(true);
    const checks = new Map([
      [codes[14]!, "different"],
      [codes[6]!, "different"],
      [codes[7]!, "same"],
    ] as const);
    const after = readClass(setup, codes, null, checks);
    expect(after[14]!.doubt).toEqual({ kind: "notReproduced" });
    expect(after[6]!.doubt).toEqual({ kind: "notReproduced" });
    expect(after[7]).toMatchObject({ doubt: null, isChecked: true });
    expect(countedResults(after)).toHaveLength(25);
  });

  it("lets neither of two codes count that disagree about a seed, until one is trained again", () => {
    const better = forged(honest[0]!, 5, (text) => text.replace(/..$/, "-9"));
    const codes = [honest[0]!, better, honest[1]!];
    expect(kinds(codes)).toEqual(["contradicted", "contradicted", "counts"]);
    expect(kinds(codes, new Map([[honest[0]!, "same"]]))).toEqual([
      "counts",
      "contradicted",
      "counts",
    ]);
  });

  it("lets the honest code of a desk count once the other one is refuted, and so for a copy", () => {
    const better = forged(honest[0]!, 5, (text) => text.replace(/..$/, "-9"));
    const refuted = new Map([[better, "different"]] as const);
    expect(kinds([better, honest[0]!], refuted)).toEqual(["notReproduced", "counts"]);
    const copy = forged(honest[7]!, 2, () => seedOfSeat(setup, 7).toString(36));
    expect(kinds([copy, honest[7]!], new Map([[copy, "different"]] as const))).toEqual([
      "notReproduced",
      "counts",
    ]);
  });

  it("counts a desk once, as it was handed in first, also where the run was checked", () => {
    const codes = [codeOf(1, 1), codeOf(1, 2), codeOf(2)];
    expect(kinds(codes)).toEqual(["counts", "again", "counts"]);
    const checks = new Map(codes.map((code) => [code, "same"] as const));
    expect(kinds(codes, checks)).toEqual(["counts", "again", "counts"]);
  });

  it("is pinned to the engine that gives the same numbers everywhere", () => {
    const spec: ExperimentSpec = {
      ...curveSpec({}),
      engine: { name: "tfjs", backend: "webgpu" },
    };
    expect(pinned(spec).engine).toEqual({ name: "auto", backend: "wasm" });
    expect(pinned(pinned(spec))).toEqual(pinned(spec));
    // A run's log names the engine that was found.
    const engine = { name: "wasm", backend: "wasm" } as const;
    expect(setupOf({ ...spec, engine })).toBe(setupOf(pinned(spec)));
  });

  it("refuses curves of iterations that no run of the class has", () => {
    const early = forged(honest[0]!, 5, (text) => text.replace(/,1\.1\.20,/, ",1.2.10,"));
    expect(() => readCode(early, methods)).toThrow();
    const points = [5, 10, 15, 20];
    expect(readClass(setup, [honest[0]!], points)[0]!.doubt).toEqual({ kind: "otherCurves" });
  });

  it("says what the class found: means, intervals, who was best, what was predicted", () => {
    const handed = readClass(setup, honest, null);
    const results = countedResults(handed);
    const { n, methods: all, predictions } = classOutcome(setup, results, 3);
    expect(n).toBe(30);
    expect(predictions).toEqual([10, 10, 10]);
    all.forEach(({ mean: value, interval }, m) => {
      const last = results.map(({ curve }) => curve.y[m]!.at(-1)!);
      expect(value).toBeCloseTo(mean(last), 12);
      expect(interval.low).toBeLessThan(value);
      expect(interval.high).toBeGreaterThan(value);
    });
    expect(all.reduce((sum, { best }) => sum + best, 0)).toBeGreaterThanOrEqual(30);
    const { mean: gap, n: pairs } = differenceOf(results, 1, 0);
    expect(gap).toBeCloseTo(all[1]!.mean - all[0]!.mean, 12);
    expect(pairs).toBe(30);
    expect(logsOf(setup, handed)).toHaveLength(30);
  });
});
