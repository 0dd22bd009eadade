import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { planSweep } from "../../src/cli/sweep/sweepFile.ts";
import { questionCells, readResults } from "../../src/panels/questions/results.ts";
import { canonicalJson } from "../../src/spec/canonical.ts";
import {
  questionCommand,
  openQuestions,
  sweepFileOf,
  sweepOf,
} from "../../src/spec/openQuestions.ts";

const root = resolve(import.meta.dirname, "../..");

describe.each(openQuestions.map((question) => [question.name, question] as const))(
  "the question of %s",
  (name, question) => {
    it("is a question, with a command that names its file", () => {
      expect(question.asks).toMatch(/^[A-Z].*\?$/);
      expect(questionCommand(question)).toContain(`${name}.json --out runs/${name}`);
    });

    it("is kept as the sweep of two conditions, two methods and three seeds", () => {
      const kept = JSON.parse(readFileSync(resolve(root, sweepFileOf(question)), "utf8")) as object;
      expect(kept).toEqual(JSON.parse(JSON.stringify(sweepOf(question))));
      const { runs } = planSweep(kept);
      expect(runs).toHaveLength(12);
      for (const { spec } of runs) {
        expect(spec.optimisation.iterations).toBe(50);
        expect(spec.evaluation.set).toBe("test");
      }
      // Both conditions really differ, in every method.
      const specs = new Set(runs.map(({ spec }) => canonicalJson(spec)));
      expect(specs.size).toBe(12);
    });
  },
);

it("there are twelve, and no other sweep files", () => {
  const files = readdirSync(resolve(root, "test/bench/recipes/questions"));
  expect(files.sort()).toEqual(openQuestions.map(({ name }) => `${name}.json`).sort());
  expect(openQuestions).toHaveLength(12);
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
            [0, [0.2, 1]],
            [50, [last, 2]],
          ],
        },
      ],
    });

  it("are the means of the runs that a cell has; a cell without one has no number", () => {
    const lines = readResults([line(21, 0.3), line(22, 0.5), line(23, null), "{}", ""].join("\n"));
    const cells = questionCells(question!, lines);
    expect(cells).toHaveLength(4);
    expect(cells[0]).toMatchObject({ condition: "5-turns", method: "turn-ppo", n: 2 });
    expect(cells[0]!.first).toBeCloseTo(0.2, 9);
    expect(cells[0]!.last).toBeCloseTo(0.4, 9);
    expect(cells[3]).toMatchObject({ n: 0, first: null, last: null });
  });
});
