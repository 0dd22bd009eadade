import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { MethodResult, RunResult } from "../../src/cli/sweep/results.ts";
import type { PlannedRun, SweepFile } from "../../src/cli/sweep/sweepFile.ts";
import { mean, tInterval } from "../../src/numeric/statistics.ts";
import { decodeSeeds, encodeSeeds } from "../../src/interchange/columnar/seeds.ts";
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { specOf } from "../../src/spec/schedule.ts";
import { bandOf } from "./recipes/band.ts";
import {
  cellNamed,
  isFound,
  planOfCell,
  readCells,
  recipesOf,
  type Recipe,
} from "./recipes/cells.ts";
import type { Outcome } from "./recipes/search.ts";
import { claimsOf } from "./recipes/claims.ts";
import { keptIn, tableOf } from "./recipes/table.ts";
import { inPaper, verdict } from "./recipes/verdicts.ts";

const shipped = join(import.meta.dirname, "recipes");
const folder = mkdtempSync(join(tmpdir(), "turnbook-table-"));
/** Kept runs, a line each. */
const readLines = (file: string) =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { run: string; methods: MethodResult[] });

afterAll(() => rmSync(folder, { recursive: true, force: true }));
for (const name of [
  "cells",
  "nano",
  "nano-group",
  "nano-further",
  "sokoban-class",
  "webshop-progress",
])
  cpSync(join(shipped, `${name}.json`), join(folder, `${name}.json`));

const outcome = (method: string, actorLr: number): Outcome => ({
  ...{ stage: 3, method, draw: "draw01", settings: { "optimisation.actorLr": actorLr } },
  ...{ set: "validation", iterations: 100, scores: [], mean: 0.3, crashed: 0, kept: true },
});
const found = [outcome("grpo", 3e-4), outcome("turn-ppo", 1e-3)];
const dropped = { ...outcome("token-ppo", 1e-3), kept: false };
writeFileSync(
  join(folder, "nano.jsonl"),
  [...found, dropped].map((one) => `${JSON.stringify(one)}\n`).join(""),
);
const cell = readCells(folder).find(({ name }) => name === "sokoban-qwen3")!;

/** Runs of Turn-PPO end `gap` higher, from the same start. */
function result(run: PlannedRun, gap: number): RunResult {
  const method = run.spec.algorithms[0]!.name;
  const last = 2 + (method === "turn-ppo" ? gap : 0) + run.seed / 100;
  const scores = (reward: number) => ({
    ...{ "val-env/sokoban/reward": reward, "val-env/sokoban/success": reward / 10 },
  });
  return {
    ...{ run, state: "done", fingerprint: run.name, iterations: 100 },
    methods: [
      {
        ...{ method, crashedAt: null, seconds: 60, tokens: 250_000 },
        points: [
          [0, scores(1.5)],
          [100, scores(last)],
        ],
        late: { "critic/vf_explained_var": 0.25, "actor/clip_cut_share": 0.031 },
      },
    ],
  };
}

describe("the recipes of a cell", () => {
  test("are what its search has kept at the end; of the others only the search is known", () => {
    const recipes = recipesOf(folder, cell);
    expect(recipes[0]).toMatchObject({ method: "grpo", search: "nano", reused: false });
    expect(recipes[1]).toEqual({ method: "token-ppo", search: "nano" });
    const think = readCells(folder).find(({ name }) => name === "sokoban-think")!;
    expect(recipesOf(folder, think)[0]).toMatchObject({ method: "grpo", reused: true });
  });

  test("are run with the final seeds on test levels", () => {
    const recipes = recipesOf(folder, cell).filter(isFound);
    const { runs } = planOfCell(folder, cell, recipes);
    expect(runs).toHaveLength(2 * 5);
    for (const { spec } of runs) {
      expect(spec.evaluation.set).toBe("test");
      expect(spec.optimisation).toMatchObject({ iterations: 100 });
    }
    expect(runs.at(-1)!.spec.optimisation.actorLr).toBe(1e-3);
  });
});

describe("the table", () => {
  test("has no number of a cell that is not run, but its command", () => {
    const text = tableOf(folder, () => undefined);
    expect(text).toContain(
      "| GRPO | not run: `node test/bench/recipes/table.mjs --run sokoban-qwen3 --method grpo --work DIR` |",
    );
    expect(text).toContain(
      "| token-PPO | not run: `node test/bench/recipes/search.mjs test/bench/recipes/nano.json --work DIR` |",
    );
    expect(text).not.toContain("Turn-PPO less");
  });

  test("has means, intervals, costs, and what a difference supports", () => {
    const text = tableOf(folder, (run) => result(run, 0.5));
    expect(text).toMatch(
      /\| GRPO \| 5 of 5 \| 2\.03 \(2\.01 to 2\.05\) \| 0\.53 \(0\.51 to 0\.55\) \| 20\.3 % \(20\.1 % to 20\.5 %\) \| 0 \| 0\.25 \| 3\.1 % \| – \| 0\.25 M \| 1 \| – \|/,
    );
    expect(text).toContain("Turn-PPO less GRPO: reward +0.500");
    expect(text).toContain("- GRPO, searched by `nano.json`: `optimisation.actorLr=0.0003`");
  });

  test("says of each cell how the episodes that give its scores are played", () => {
    const [, ...parts] = tableOf(folder, () => undefined).split("\n## ");
    const played = parts.map((part) => /Scores are of .*/.exec(part)?.[0]);
    expect(new Map(parts.map((part, i) => [part.split("\n")[0], played[i]]))).toEqual(
      new Map([
        ["Sokoban, Qwen2.5-style", "Scores are of greedy play."],
        ["Sokoban, Qwen3-style", "Scores are of greedy play."],
        ["Sokoban, Qwen3-style, think", "Scores are of greedy play."],
        [
          "Sokoban, Qwen3-style, class size (0.9 M parameters)",
          "Scores are of play sampled at temperature 0.5.",
        ],
        ["WebShop, Qwen2.5-style", "Scores are of play sampled at temperature 1."],
        ["WebShop, Qwen3-style", "Scores are of play sampled at temperature 1."],
        ["WebShop, Qwen3-style, think", "Scores are of play sampled at temperature 1."],
      ]),
    );
  });

  test("says how many of the runs there are", () => {
    const text = tableOf(folder, (run) => (run.seed < 3 ? result(run, 0.5) : undefined));
    expect(text).toContain("| GRPO | 2 of 5 |");
  });
});

describe("a verdict", () => {
  test("is higher, lower, or that nobody can tell, and how many seeds could", () => {
    expect(verdict("grpo", [0.4, 0.5, 0.6])).toMatch(/: higher\.$/);
    expect(verdict("grpo", [-0.4, -0.5, -0.6])).toMatch(/: lower\.$/);
    // Mean 0.1, standard deviation 0.2: (2.8 * 2)^2 = 31.4.
    expect(verdict("grpo", [-0.1, 0.1, 0.3])).toContain("cannot tell; about 32 seeds would");
    expect(verdict("grpo", [-1, 1])).toContain("more than 10,000 seeds");
  });
});

describe("what the paper has beside it", () => {
  const paper = { model: "Qwen3-1.7B", grpo: "crash", "token-ppo": "0.54", "turn-ppo": "0.55" };
  const row = (crashed: number) => ({ crashed, n: 5 }) as Parameters<typeof inPaper>[1]["reward"];

  test("is its sign, where it has figures of the cell's model", () => {
    const token = { method: "token-ppo", reward: row(0) };
    const figures = " The paper (Qwen3-1.7B) has 0.55 and 0.54";
    expect(inPaper(paper, token, [0.4, 0.5, 0.6])).toBe(`${figures}, the same way.`);
    expect(inPaper(paper, token, [-0.4, -0.5, -0.6])).toBe(`${figures}, the other way.`);
    expect(inPaper(paper, token, [-0.1, 0.1])).toBe(`${figures}.`);
    expect(inPaper(undefined, token, [0.4, 0.5, 0.6])).toBe("");
    expect(inPaper(paper, { method: "rloo", reward: row(0) }, [0.4, 0.5, 0.6])).toBe("");
  });

  test("is which method crashed there, beside how many of ours did", () => {
    const said = inPaper(paper, { method: "grpo", reward: row(0) }, [0.4, 0.5, 0.6]);
    expect(said).toBe(
      " The paper (Qwen3-1.7B) has 0.55 and crash; here none of 5 runs of GRPO crashed.",
    );
  });
});

test("every cell names searches and a preset that there are", () => {
  for (const one of readCells(shipped)) {
    const recipe: Recipe = { method: "grpo", settings: {}, search: "", reused: false };
    expect(planOfCell(shipped, one, [recipe]).runs[0]!.spec.preset).toBe(one.preset);
  }
});

test("the band of a cell has every seed's evaluations, and refuses a cell with a run missing", async () => {
  const runs = bandOf(folder, cell, (run) => result(run, 0.5));
  const { runs: read } = await decodeSeeds(encodeSeeds("command", runs));
  expect(read).toHaveLength(2 * 5);
  expect(read[0]).toMatchObject({
    fingerprint: "grpo-seed1",
    events: [
      { type: "start", spec: { seed: 1 } },
      { type: "eval", algorithm: "grpo", iteration: 0 },
      { type: "eval", iteration: 100, metrics: { "val-env/sokoban/reward": 2.01 } },
      { type: "end", iterations: 100 },
    ],
  });
  const first = (run: PlannedRun) => (run.seed === 1 ? result(run, 0.5) : undefined);
  expect(() => bandOf(folder, cell, first)).toThrow(/run grpo-seed2 of cell .* is not kept/);
});

test.each([
  ["nano", "nano-fair"],
  ["webshop-progress", "webshop-fair"],
  ["sokoban-class-many", "sokoban-class-fair"],
])("of preset %s, preset %s learns as its search chose", (searched, preset) => {
  const own = readCells(shipped).find((cell) => cell.preset === searched)!;
  const recipes = recipesOf(shipped, own).filter(isFound);
  const fair = presetSpec(preset);
  // The cell has further methods, the preset the paper's three.
  const isShown = (name: string) => fair.algorithms.some((one) => one.name === name);
  const runs = planOfCell(shipped, own, recipes).runs.filter(
    ({ seed, spec }) => seed === 1 && isShown(spec.algorithms[0]!.name),
  );
  expect(runs.map(({ spec }) => spec.algorithms[0]!.name)).toEqual(
    fair.algorithms.map(({ name }) => name),
  );
  for (const { spec } of runs) {
    const { name } = spec.algorithms[0]!;
    const mine = specOf(fair, name);
    expect(mine.environment).toEqual(spec.environment);
    expect(mine.processReward).toEqual(spec.processReward);
    expect(mine.optimisation).toEqual(spec.optimisation);
    expect(mine.sampling).toEqual(spec.sampling);
    expect(mine.evaluation).toMatchObject({ levels: 256, every: 10, set: "test" });
    if (name !== "grpo") expect(mine.critic).toEqual(spec.critic);
  }
});

describe("what pages say of who is better", () => {
  const nano = readCells(shipped).find(({ name }) => name === "sokoban-qwen3")!;
  const claims = claimsOf(shipped, nano, keptIn(shipped));
  const lesson = readFileSync(join(shipped, "../../../public/notebooks/first.md"), "utf8");

  test.each(claims)("the first notebook says: %s", (claim) => {
    expect(lesson).toContain(claim);
  });

  /** Scores at the end of the runs of a method, seed by seed. */
  const endsOf = (file: string, method: string, score: string, seeds = "[1-5]") =>
    readLines(join(shipped, file))
      .filter(({ run }) => new RegExp(`^${method}-seed${seeds}$`).test(run))
      .sort((a, b) => a.run.localeCompare(b.run))
      .map(({ methods }) => methods[0]!.points.at(-1)![1][`val-env/sokoban/${score}`]!);
  const percentSolved = (file: string, method: string, seeds?: string) =>
    endsOf(file, method, "success", seeds).map((x) => 100 * x);
  const tenths = (x: number) => x.toFixed(1).replace("-", "−");
  const said = (x: number[], digits = 1) => {
    const { low, high } = tInterval(x);
    const [m, a, b] = [mean(x), low, high].map((one) => one.toFixed(digits).replace("-", "−"));
    return { mean: m, range: `${a} to ${b}` };
  };

  describe("the larger model", () => {
    const file = "sokoban-class.runs.jsonl";
    const same = percentSolved("sokoban-class-same.runs.jsonl", "token-ppo-same");
    const [turn, token, grpo] = ["turn-ppo-draw03", "token-ppo-draw05", "grpo-draw03"].map((name) =>
      percentSolved(file, name),
    ) as [number[], number[], number[]];
    const read = (path: string) => readFileSync(join(shipped, path), "utf8").replaceAll("\n", " ");
    const [readme, results, kept] = ["../../../README.md", "../RESULTS.md", "README.md"].map(
      read,
    ) as [string, string, string];
    const inWords = (x: number[], unit = "") => {
      const { mean: middle, range } = said(x);
      return `${middle}${unit} (${range})`;
    };
    const lessOf = (x: number[]) => turn.map((one, i) => one - x[i]!);

    test("has the scores, and Turn-PPO's leads, that its runs show", () => {
      expect([turn, token, grpo, same].map(({ length }) => length)).toEqual([5, 5, 5, 5]);
      for (const x of [turn, token, grpo, same])
        expect(results).toContain(`| ${inWords(x, " %")} |`);
      for (const x of [token, grpo, same])
        expect(results.replaceAll(" points (", " (")).toContain(`| ${inWords(lessOf(x))} |`);
      for (const [x, name] of [
        [turn, "Turn-PPO"],
        [grpo, "GRPO"],
        [token, "token-PPO"],
      ] as const) {
        const { mean: middle, range } = said(x);
        expect(readme).toContain(`to ${middle} % with ${name} (${range})`);
        expect(kept).toContain(`${name} ${inWords(x, " %")}`);
      }
      expect(readme).toContain(`ahead of token-PPO by ${said(lessOf(token)).mean} points (`);
      expect(readme).toContain(
        `(${said(lessOf(token)).range}); over GRPO, ${inWords(lessOf(grpo))}`,
      );
    });

    test("says what token-PPO does with the settings that Turn-PPO's search chose", () => {
      const recipes = recipesOf(shipped, cellNamed(readCells(shipped), "sokoban-class"));
      const settings = (name: string) =>
        recipes.filter(isFound).find(({ method }) => method === name)!.settings;
      expect(settings("grpo")).toEqual(settings("turn-ppo"));
      const sweep = readFileSync(join(shipped, "sokoban-class-same.json"), "utf8");
      const { variants } = JSON.parse(sweep) as SweepFile;
      const { with: own } = (variants![0]!.set as Pick<ExperimentSpec, "algorithms">)
        .algorithms[0]!;
      const flat = Object.entries(own!).flatMap(([part, values]) =>
        Object.entries(values!).map(([name, value]) => [`${part}.${name}`, String(value)]),
      );
      expect(Object.fromEntries(flat)).toEqual(settings("turn-ppo"));
      expect(readme).toContain(`token-PPO solves ${inWords(same, " %")}`);
      expect(readme).toContain(`ahead by ${inWords(lessOf(same), " points")}`);
      const gained = same.map((one, i) => one - token[i]!);
      expect(results).toContain(`it ends ${inWords(gained, " points")} above its own result`);
      const all = same.map(tenths);
      const list = `${all.slice(0, 4).join(", ")} and ${all[4]} %`;
      for (const text of [results, read("../../../public/notebooks/teacher/table.md")])
        expect(text).toContain(list);
    });

    test("says how much of the variance critics explain", () => {
      const late = (of: string, method: string) =>
        readLines(join(shipped, of))
          .filter(({ run }) => new RegExp(`^${method}-seed[1-5]$`).test(run))
          .map(({ methods }) => methods[0]!.late["critic/vf_explained_var"]!);
      const [own, its, lent] = [
        late(file, "turn-ppo-draw03"),
        late(file, "token-ppo-draw05"),
        late("sokoban-class-same.runs.jsonl", "token-ppo-same"),
      ].map((x) => mean(x).toFixed(2));
      expect(readme).toContain(
        `explains ${own} of the variance at this size, token-PPO's ${its} with its own settings and ${lent} with Turn-PPO's`,
      );
      expect(kept).toContain(`reaches ${its} with its own settings and ${lent} (`);
    });
  });

  test("what GRPO's divisor costs is what its runs show, with the seeds of the others", () => {
    const plain = percentSolved("nano-divisor.runs.jsonl", "grpo-plain");
    const divided = percentSolved("nano.runs.jsonl", "grpo-draw08");
    const turn = percentSolved("nano.runs.jsonl", "turn-ppo-draw04");
    expect([plain, divided, turn].map(({ length }) => length)).toEqual([5, 5, 5]);
    const alone = said(plain);
    const cost = said(plain.map((x, i) => x - divided[i]!));
    const rest = said(plain.map((x, i) => turn[i]! - x));
    const page = (name: string) =>
      readFileSync(join(shipped, "../../../public/notebooks", `${name}.md`), "utf8");
    const readme = readFileSync(join(shipped, "../../../README.md"), "utf8").replaceAll("\n", " ");
    for (const text of [readme, page("table")])
      expect(text).toContain(`solves ${alone.mean} % (${alone.range})`);
    for (const text of [readme, page("teacher/table")]) {
      expect(text.replace("points more ", "")).toContain(`${cost.mean} (${cost.range})`);
      expect(text).toContain(`minus that is ${rest.mean} points (${rest.range})`);
    }
    expect(page("table")).toContain(
      `: ${plain.slice(0, 4).map(tenths).join(", ")} and ${tenths(plain[4]!)} % with seeds 1 to 5.`,
    );
    for (const text of [page("grpo"), page("first"), page("table")])
      expect(text).toContain(`${alone.mean} %`);
    // Dr.GRPO with GRPO's settings, in the first stage of its own search.
    const [early] = percentSolved("nano-group.runs.jsonl", "dr-grpo-draw08", "11");
    expect(readme).toContain(`Dr.GRPO solved ${tenths(early!)} % of the validation levels`);
    // And in full.
    const drGrpo = percentSolved("nano-drgrpo.runs.jsonl", "dr-grpo-grpos-settings");
    expect(drGrpo).toHaveLength(5);
    const more = said(drGrpo.map((x, i) => x - divided[i]!));
    const less = said(plain.map((x, i) => x - drGrpo[i]!));
    expect(readme).toContain(`Dr.GRPO solves ${said(drGrpo).mean} % (${said(drGrpo).range})`);
    expect(readme).toContain(`${more.mean} points more than GRPO (${more.range})`);
    expect(readme).toContain(`is ${less.mean} above that (${less.range}): five seeds cannot tell`);
    // In the larger model.
    const [large, larger] = ["no-std", "grpo"].map((name) =>
      percentSolved("sokoban-class-grpo.runs.jsonl", name, "1[123]"),
    );
    const between = said(large!.map((x, i) => x - larger![i]!));
    const text = readFileSync(join(shipped, "../RESULTS.md"), "utf8");
    expect(text).toContain(`${between.mean} (${between.range}) in the third`);
    // On GRPO's boards.
    const here = percentSolved("nano-boards.runs.jsonl", "turn-ppo-16-boards");
    const token = percentSolved("nano-boards.runs.jsonl", "token-ppo-16-boards");
    const lead = said(here.map((x, i) => x - divided[i]!));
    const behind = said(here.map((x, i) => plain[i]! - x));
    const lost = said(here.map((x, i) => turn[i]! - x));
    expect(readme).toContain(`solves ${said(here).mean} % (${said(here).range})`);
    expect(readme).toContain(`${lost.mean} points less (${lost.range})`);
    expect(readme).toContain(`token-PPO ${said(token).mean} % (${said(token).range})`);
    const all = tenths(mean(turn) - mean(divided));
    expect(readme).toContain(`then ${lead.mean} points (${lead.range}), not ${all}.`);
    expect(readme).toContain(`ahead of Turn-PPO by ${behind.mean} points (${behind.range})`);
    expect(page("first")).toContain(`Turn-PPO solves ${said(here).mean} %`);
    expect(page("first")).toContain(`Token-PPO solves ${said(token).mean} %`);
    expect(page("first")).toContain(`${behind.mean} points (95 % interval ${behind.range})`);
    expect(page("grpo")).toContain(`${cost.mean} points (95 % interval ${cost.range})`);
    expect(page("grpo")).toContain(`${mean(divided).toFixed(1)} % of new boards`);
  });
});
