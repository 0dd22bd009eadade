import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { planSweep } from "../../src/cli/sweep/sweepFile.ts";
import { readResults, studyCells } from "../../src/panels/questions/results.ts";
import { topOf } from "../../src/panels/questions/StartToEnd.tsx";
import { canonicalJson } from "../../src/spec/canonical.ts";
import { ablations } from "../../src/spec/ablations.ts";
import { openQuestions } from "../../src/spec/openQuestions.ts";
import {
  methodsOf,
  RESULTS_FILE,
  seedsPerCell,
  studyCommand,
  sweepFileOf,
  sweepOf,
} from "../../src/spec/study.ts";

const root = resolve(import.meta.dirname, "../..");

const kept = readFileSync(resolve(root, "public", RESULTS_FILE), "utf8");

const studies = [...openQuestions, ...ablations];

describe.each(studies.map((study) => [study.name, study] as const))(
  "the study of %s",
  (name, study) => {
    it("is a question, with a command that names its file", () => {
      expect(study.asks).toMatch(/^[A-Z].*\?$/);
      expect(studyCommand(study)).toContain(`${name}.json --out runs/${name}`);
    });

    it("is kept as the sweep of its conditions and methods, with three seeds", () => {
      const kept = JSON.parse(readFileSync(resolve(root, sweepFileOf(study)), "utf8")) as object;
      expect(kept).toEqual(JSON.parse(JSON.stringify(sweepOf(study))));
      const { runs } = planSweep(kept);
      const all = study.conditions.length * methodsOf(study).length * seedsPerCell;
      expect(runs).toHaveLength(all);
      for (const { spec } of runs) {
        expect(spec.optimisation.iterations).toBe(50);
        expect(spec.evaluation.set).toBe("test");
      }
      // Conditions really differ, in every method.
      const specs = new Set(runs.map(({ spec }) => canonicalJson(spec)));
      expect(specs.size).toBe(all);
    });
  },
);

it("there are twelve questions and seven ablations of three values, and no other sweep files", () => {
  const files = readdirSync(resolve(root, "test/bench/recipes/questions"));
  expect(files.sort()).toEqual(studies.map(({ name }) => `${name}.json`).sort());
  expect(openQuestions).toHaveLength(12);
  expect(ablations.map(({ conditions }) => conditions.length)).toEqual(Array(7).fill(3));
});

describe("results", () => {
  const [question] = openQuestions;
  const line = (seed: number, last: number | null) =>
    JSON.stringify({
      run: `horizon.5-turns.turn-ppo-seed${seed}`,
      methods: [
        {
          method: "turn-ppo",
          points: [
            [0, { "val-env/sokoban/reward": 1, "val-env/sokoban/success": 0.2 }],
            [50, { "val-env/sokoban/reward": 2, "val-env/sokoban/success": last }],
          ],
        },
      ],
    });

  it("are the means of the runs that a cell has; a cell without one has no number", () => {
    const lines = readResults([line(21, 0.3), line(22, 0.5), line(23, null), "{}", ""].join("\n"));
    const cells = studyCells(question!, lines);
    expect(cells).toHaveLength(4);
    expect(cells[0]).toMatchObject({ condition: "5-turns", method: "turn-ppo", n: 2 });
    expect(cells[0]!.first).toBeCloseTo(0.2, 9);
    expect(cells[0]!.last).toBeCloseTo(0.4, 9);
    // Gains of 0.1 and 0.3: mean 0.2, and t at one degree of freedom times the standard error of 0.1.
    expect(cells[0]!.gain!.low).toBeCloseTo(0.2 - 12.706 * 0.1, 3);
    expect(cells[3]).toMatchObject({ n: 0, first: null, last: null, gain: null });
  });

  it("end their pictures at the next tenth, and have none where nothing has run", () => {
    const cells = studyCells(question!, readResults([line(21, 0.3), line(22, 0.33)].join("\n")));
    // Gains of 0.1 and 0.13: their interval ends at 0.2 + 0.115 + 12.706 * 0.015 = 0.506.
    expect(topOf(cells)).toBe(0.6);
    expect(topOf(cells.slice(1))).toBeNull();
    expect(topOf([{ ...cells[0]!, gain: { low: 0, high: 2 } }])).toBe(1);
  });

  it("of the study of the divisor are all in the kept file, as sweep --keep wrote them", () => {
    const divisor = ablations.find(({ name }) => name === "divisor")!;
    const cells = studyCells(divisor, readResults(kept));
    expect(cells.map(({ condition, n }) => [condition, n])).toEqual([
      ["divided", 3],
      ["plain", 3],
      ["free", 3],
    ]);
  });
});
