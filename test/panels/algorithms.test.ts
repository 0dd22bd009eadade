import fc from "fast-check";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { algorithmsHashOf, pickedOf } from "../../src/app/algorithmsAddress.ts";
import { routeOf } from "../../src/app/route.ts";
import { columns, matches, valuesIn } from "../../src/panels/algorithms/columns.ts";
import { differences, diffLines, sideBySide } from "../../src/panels/algorithms/differences.ts";
import { fileOf, readableText, READ_ROWS } from "../../src/panels/algorithms/sources.ts";
import { outsideNames } from "../../src/spec/algorithmDocs/docs.ts";
import { algorithmNames, resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { estimators } from "../../src/method/estimators.ts";
import { isExperimentHash } from "../../src/store/links.ts";

const configs = algorithmNames.map((name) => resolveAlgorithm(name));
const named = (name: string) => configs.find((config) => config.name === name)!;

describe("the address", () => {
  it("names up to two algorithms, none of which is taken for an experiment", () => {
    const all = [...algorithmNames, ...outsideNames];
    for (const a of all)
      for (const b of all) {
        const hash = algorithmsHashOf(a, b);
        expect(pickedOf(hash)).toEqual([a, b]);
        expect(routeOf(hash)).toBe("algorithms");
        expect(isExperimentHash(hash)).toBe(false);
      }
    expect(pickedOf(algorithmsHashOf("turn-ppo"))).toEqual(["turn-ppo"]);
    expect(pickedOf("#algorithms")).toEqual([]);
    expect(pickedOf("#shop-1-5")).toEqual([]);
    expect(routeOf("#algorithms2")).toBe("notebook");
  });
});

describe("the table", () => {
  it("filters by what each column shows", () => {
    for (const column of columns) {
      const values = valuesIn(column, configs);
      const counts = values.map(
        (value) => configs.filter((config) => matches(config, { [column.id]: value })).length,
      );
      expect(values.length, column.title).toBeGreaterThan(1);
      expect(counts.reduce((a, b) => a + b)).toBe(configs.length);
    }
  });

  it.each([
    ["rloo", "D", "none"],
    ["grpo", "D", "group std"],
    ["turn-ppo", "B", "turn-critic at state-end"],
    ["turn-ppo", "F", "range ±0.2, dual 3"],
    ["dapo", "F", "range −0.2 +0.28"],
    ["reinforce", "F", "none"],
    ["starpo", "H", "k1 in reward 0.001"],
    ["gigpo", "H", "k3 in loss 0.01"],
    ["starpo-s", "I", "reward-std 0.25"],
    ["st-ppo", "I", "clipping bias max-one, minibatch"],
  ])("tells %s's choice on axis %s", (name, id, text) => {
    expect(columns.find((column) => column.id === id)!.cell(named(name)).text).toBe(text);
  });
});

describe("differences", () => {
  it("are none with oneself, and the settings that matter with others", () => {
    for (const config of configs) expect(differences(config, config)).toEqual([]);
    const found = differences(named("grpo"), named("dr-grpo"));
    expect(found.map(({ name, values }) => [name, ...values])).toEqual([
      ["std", "sample", "none"],
      ["aggregation", "seq-mean-token-mean", "seq-mean-token-sum-norm"],
      ["horizon", "–", "256"],
    ]);
  });

  it("of texts lead from one to the other with as few lines as need be", () => {
    expect(diffLines("a\nb\nc", "a\nx\nc").map(({ sign, text }) => sign + text)).toEqual([
      " a",
      "-b",
      "+x",
      " c",
    ]);
    const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 8 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [from, to] = [a.join("\n"), b.join("\n")];
        const lines = diffLines(from, to);
        const without = (sign: string) =>
          lines.filter((line) => line.sign !== sign).map((line) => line.text);
        expect(without("+").join("\n")).toBe(from);
        expect(without("-").join("\n")).toBe(to);
        if (from === to) expect(lines.every(({ sign }) => sign === " ")).toBe(true);
      }),
    );
  });

  it("of texts are side by side in stretches that are equal and different by turns", () => {
    expect(sideBySide(diffLines("a\nb\nc", "a\nx\ny\nc"))).toEqual([
      { left: ["a"], right: ["a"], isSame: true },
      { left: ["b"], right: ["x", "y"], isSame: false },
      { left: ["c"], right: ["c"], isSame: true },
    ]);
    const text = fc.array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const stretches = sideBySide(diffLines(a.join("\n"), b.join("\n")));
        expect(stretches.flatMap(({ left }) => left)).toEqual(a);
        expect(stretches.flatMap(({ right }) => right)).toEqual(b);
        stretches.forEach(({ left, right, isSame }, i) => {
          expect(isSame).toBe(i % 2 === (stretches[0]!.isSame ? 0 : 1));
          if (isSame) expect(left).toEqual(right);
        });
      }),
    );
  });

  it("have three algorithms to read, each the one that its row runs", () => {
    const folder = join(import.meta.dirname, "..", "..", "src", "algorithm", "reading");
    const files = readdirSync(folder);
    expect(READ_ROWS.map(fileOf).toSorted()).toEqual(files.toSorted());
    const texts = Object.fromEntries(
      files.map((file) => [
        `../../algorithm/reading/${file}`,
        readFileSync(join(folder, file), "utf8"),
      ]),
    );
    for (const row of READ_ROWS) expect(readableText(row, texts)).toContain(`as row "${row}"`);
  });

  it("can show a file of every row", () => {
    const folder = join(import.meta.dirname, "..", "..", "src", "method", "estimator");
    for (const name of algorithmNames)
      expect(existsSync(join(folder, fileOf(name))), fileOf(name)).toBe(true);
    expect(fileOf("gspo")).toBe(fileOf("grpo"));
    // The file that is shown is the one that runs.
    for (const { lesson } of Object.values(estimators)) {
      const shown = readFileSync(join(folder, `${lesson}.ts`), "utf8");
      expect(shown).toContain(`export const ${lesson}: EstimatorFacts`);
      expect(shown).toContain(`  lesson: "${lesson}",`);
    }
  });
});
