import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { KeptResults } from "../../src/cli/sweep/keptResults.ts";
import type { RunResult } from "../../src/cli/sweep/results.ts";
import { planSweep, type PlannedRun } from "../../src/cli/sweep/sweepFile.ts";
import { missingRuns, readResults, studyCells } from "../../src/panels/questions/results.ts";
import { topOf } from "../../src/panels/questions/QuestionsPanel.tsx";
import { canonicalJson } from "../../src/spec/canonical.ts";
import { ablations } from "../../src/spec/studies/ablations.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { openQuestions } from "../../src/spec/studies/openQuestions.ts";
import { specHash } from "../../src/spec/specHash.ts";
import {
  experimentOf,
  methodsOf,
  recipeOf,
  RESULTS_FILE,
  seedsPerCell,
  specsOf,
  STUDY_MEASURES,
  sweepCommandOf,
  sweepFileOf,
  sweepOf,
  type Study,
} from "../../src/spec/studies/study.ts";
import { criticAt } from "../../src/spec/studies/conditions.ts";
import { startsOf, startsSweep } from "../bench/recipes/questions.ts";

const root = resolve(import.meta.dirname, "../..");

const kept = readFileSync(resolve(root, "public", RESULTS_FILE), "utf8");

const [SUCCESS] = STUDY_MEASURES;

const studies = [...openQuestions, ...ablations];

describe.each(studies.map((study) => [study.name, study] as const))(
  "the study of %s",
  (name, study) => {
    it("is a question, with a command that names its file", () => {
      expect(study.asks).toMatch(/^[A-Z].*\?$/);
      expect(sweepCommandOf(study)).toContain(`${name}.json --out runs/${name}`);
    });

    it("opens each condition as an experiment by a link", () => {
      for (const condition of study.conditions) {
        const experiment = experimentOf(study, condition);
        const { spec, warnings } = decodeLink(encodeLink(experiment));
        expect(warnings).toEqual([]);
        expect(spec).toEqual(experiment);
        expect(spec.algorithms.map(({ name }) => name)).toEqual(methodsOf(study));
        // It trains as the sweep's runs do.
        const [swept] = specsOf(study, condition, methodsOf(study)[0]!);
        const { algorithms, recordEpisodes: _, engine: __, ...rest } = spec;
        expect(swept).toMatchObject({ ...rest, algorithms: algorithms.slice(0, 1) });
      }
    });

    it("is kept as the sweep of its conditions and methods, with three seeds", () => {
      const kept = JSON.parse(readFileSync(resolve(root, sweepFileOf(study)), "utf8")) as object;
      expect(kept).toEqual(JSON.parse(JSON.stringify(sweepOf(study))));
      const { runs } = planSweep(kept);
      const all = study.conditions.length * methodsOf(study).length * seedsPerCell;
      expect(runs).toHaveLength(all);
      for (const { spec } of runs) {
        // Of the actor: the critic's own come before.
        expect(spec.optimisation.iterations - spec.critic.warmup).toBe(48);
        expect(spec.evaluation.set).toBe("test");
      }
      const cells = study.conditions.flatMap((condition) =>
        methodsOf(study).flatMap((method) => specsOf(study, condition, method)),
      );
      expect(cells).toEqual(runs.map(({ spec }) => spec));
      // Conditions really differ, in every method.
      const specs = new Set(runs.map(({ spec }) => canonicalJson(spec)));
      expect(specs.size).toBe(all);
    });
  },
);

it("one rate of the critic is a multiple of both PPOs' actor rate", () => {
  const [turn, token] = ["turn-ppo", "token-ppo"].map((name) => recipeOf(name).optimisation);
  expect(token!.actorLr).toBe(turn!.actorLr);
  expect(criticAt(10).critic!.lr).toBeCloseTo(10 * turn!.actorLr!, 5);
});

it("there are twelve questions and seven ablations of three values, and no other sweep files", () => {
  const files = readdirSync(resolve(root, "test/bench/recipes/questions"));
  expect(files.sort()).toEqual(studies.map(({ name }) => `${name}.json`).sort());
  expect(openQuestions).toHaveLength(12);
  expect(ablations.map(({ conditions }) => conditions.length)).toEqual(Array(7).fill(3));
});

/** A finished run's result, as a sweep reads it from a log. */
const resultOf = (run: PlannedRun, last: number | null = 0.5): RunResult => ({
  run,
  state: "done",
  fingerprint: canonicalJson(run.spec),
  iterations: run.spec.optimisation.iterations,
  methods: run.spec.algorithms.map(({ name: method }) => ({
    method,
    points: [
      [0, { "val-env/sokoban/reward": 1, "val-env/sokoban/success": 0.2 }],
      [50, { "val-env/sokoban/reward": 2, "val-env/sokoban/success": last }],
    ],
    crashedAt: last === null ? 30 : null,
    seconds: 100,
    tokens: 60_000,
    late: {},
  })),
});

/** Mean share solved before any training, of every start that is kept, by condition. */
function startsIn(study: Study): number[] {
  const kept = new KeptResults(resolve(root, "test/bench/recipes/starts.runs.jsonl"));
  const { runs } = planSweep(startsOf(study));
  return study.conditions.map(({ name }) => {
    const own = runs.filter(({ setting }) => setting === `${study.name}.${name}`);
    const scores = own.map((run) => kept.find(run)?.methods[0]?.points[0]?.[1][SUCCESS]);
    return scores.reduce<number>((sum, score) => sum + score! / own.length, 0);
  });
}

describe("starts", () => {
  it("are measured by the sweep that is kept", () => {
    const file = readFileSync(resolve(root, "test/bench/recipes/starts.json"), "utf8");
    expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(startsSweep())));
  });

  it.each(studies.map((study) => [study.name, study] as const))(
    "of %s leave room both ways, and are alike unless imitation is what is asked for",
    (name, study) => {
      const starts = startsIn(study);
      const [least, most] = [Math.min(...starts), Math.max(...starts)];
      expect(least).toBeGreaterThan(0.1);
      if (name === "sft") return expect(most - least).toBeGreaterThan(0.2);
      expect(most).toBeLessThan(0.3);
      // Three clones' means: seeds of one condition differ by more.
      expect(most - least).toBeLessThan(0.07);
    },
  );
});

describe("results of all commands", () => {
  const folder = mkdtempSync(join(tmpdir(), "turnbook-questions-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What `sweep --keep` leaves: a run whose spec is there is not run again, under whatever name. */
  function kept(order: readonly Study[]): string {
    const path = join(folder, `${order.map(({ name }) => name[0]).join("")}.jsonl`);
    const results = new KeptResults(path);
    for (const study of order)
      for (const run of planSweep(sweepOf(study)).runs)
        if (!results.find(run)) results.add(resultOf(run));
    return readFileSync(path, "utf8");
  }

  it.each([
    ["as listed", studies],
    ["backwards", studies.toReversed()],
    ["from the middle", [...studies.slice(9), ...studies.slice(0, 9)]],
  ])("fill every cell of every study, %s", (_, order) => {
    const lines = readResults(kept(order));
    const planned = studies.flatMap((study) => planSweep(sweepOf(study)).runs);
    // Several studies have the same run.
    expect(lines.length).toBeLessThan(planned.length);
    for (const study of studies)
      for (const cell of studyCells(study, lines))
        expect({ study: study.name, ...cell }).toMatchObject({
          ...{ n: seedsPerCell, last: 0.5, tokens: 60_000, seconds: 100 },
        });
  });
});

describe("results", () => {
  const [question] = openQuestions;
  const runs = planSweep(sweepOf(question!)).runs;
  /** Of the first cell. */
  const line = (seed: number, last: number | null) => {
    const run = runs.find((one) => one.seed === seed)!;
    return JSON.stringify({ ...resultOf(run, last), run: run.name, spec: specHash(run.spec) });
  };

  it("count for the spec that made them alone", () => {
    const lines = readResults([line(21, 0.3), line(22, 0.5)].join("\n"));
    const changed = { ...question!, base: { ...question!.base, context: "full" } };
    expect(studyCells(question!, lines)[0]).toMatchObject({ n: 2 });
    expect(studyCells(changed, lines)[0]).toMatchObject({ n: 0, last: null });
  });

  it("say how many runs an answer still needs, none where all are there", () => {
    const cells = studyCells(question!, readResults([line(21, 0.3), line(22, 0.5)].join("\n")));
    expect(missingRuns(question!, cells)).toEqual({ runs: 10, of: 12, iterations: 500 });
    const all = runs.map((run) =>
      JSON.stringify({ ...resultOf(run), run: run.name, spec: specHash(run.spec) }),
    );
    const done = studyCells(question!, readResults(all.join("\n")));
    expect(missingRuns(question!, done)).toEqual({ runs: 0, of: 12, iterations: 0 });
  });

  it("are the means of the runs that a cell has; a cell without one has no number", () => {
    const lines = readResults([line(21, 0.3), line(22, 0.5), line(23, null), "{}", ""].join("\n"));
    const cells = studyCells(question!, lines);
    expect(cells).toHaveLength(4);
    expect(cells[0]).toMatchObject({
      condition: "5-turns",
      method: "turn-ppo",
      n: 3,
      collapsed: 1,
    });
    expect(cells[0]!.first).toBeCloseTo(0.2, 9);
    // The crashed one counts with its last finite score, which is the first: as in the sweep's own summary.
    expect(cells[0]!.last).toBeCloseTo(1 / 3, 9);
    // Gains of 0.1, 0.3 and 0: t at two degrees of freedom times the standard error.
    const half = 4.303 * Math.sqrt(0.07 / 9);
    expect(cells[0]!.gain!.low).toBeCloseTo(0.4 / 3 - half, 3);
    const nothing = { first: null, last: null, gain: null, tokens: null, seconds: null };
    expect(cells[3]).toMatchObject({ n: 0, ...nothing });
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
