import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { MethodResult, RunResult } from "../../src/cli/sweep/results.ts";
import type { PlannedRun, SweepFile } from "../../src/cli/sweep/sweepFile.ts";
import { knownOnly } from "../../src/numeric/finite.ts";
import { max, mean, min, tInterval } from "../../src/numeric/statistics.ts";
import { decodeSeeds, encodeSeeds } from "../../src/interchange/columnar/seeds.ts";
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { specOf } from "../../src/spec/schedule.ts";
import { recordedRun } from "../fixtures/lesson.ts";
import { bandOf } from "./recipes/band.ts";
import {
  cellNamed,
  isFound,
  planOfCell,
  readCells,
  recipesOf,
  type Recipe,
} from "./recipes/cells.ts";
import type { SearchOutcome as Outcome } from "../../src/cli/study/search.ts";
import { claimsOf } from "./recipes/claims.ts";
import { contrastsOf, judged, survives, type Contrast } from "./recipes/contrasts.ts";
import { HEALTH_COLUMNS } from "../../src/cli/sweep/health.ts";
import { stabilityOf, stabilityTable } from "./recipes/stability.ts";
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
    expect(text).not.toContain("Turn-PPO minus");
  });

  test("has means, intervals, costs, and what a difference supports", () => {
    const text = tableOf(folder, (run) => result(run, 0.5));
    expect(text).toMatch(
      /\| GRPO \| 5 of 5 \| 2\.03 \(2\.01 to 2\.05\) \| 0\.53 \(0\.51 to 0\.55\) \| 20\.3 % \(20\.1 % to 20\.5 %\) \| not kept \| not kept \| not kept \| 0 of 5 \| 0\.25 \| 3\.1 % \| – \| 0\.25 M \| 1 \| – \|/,
    );
    expect(text).toContain("Turn-PPO minus GRPO: reward +0.500");
    expect(text).toContain("- GRPO, searched by `nano.json`: `optimisation.actorLr=0.0003`");
  });

  test("says of each cell how the episodes that give its scores are played", () => {
    const [, ...all] = tableOf(folder, () => undefined).split("\n## ");
    const parts = all.slice(0, readCells(folder).length);
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

/** Turn-PPO's differences from a method, in reward, as if no other contrast stood beside it. */
const alone = (method: string, differences: number[]): Contrast => {
  const own = judged(differences);
  const methods: [string, string] = ["turn-ppo", method];
  return { a: "Turn-PPO", b: method, cell: "c", measure: "reward", ...own, methods, holm: own.p };
};

describe("a verdict", () => {
  test("is higher, lower, or open, and how many seeds would tell by the noncentral t", () => {
    expect(verdict(alone("grpo", [0.4, 0.5, 0.6]))).toMatch(/: higher\.$/);
    expect(verdict(alone("grpo", [-0.4, -0.5, -0.6]))).toMatch(/: lower\.$/);
    // Mean 0.1, standard deviation 0.2: an effect of a half, of which G*Power says 34 pairs.
    expect(verdict(alone("grpo", [-0.1, 0.1, 0.3]))).toContain("open; about 34 seeds would");
    expect(verdict(alone("grpo", [-1, 1]))).toContain("more than 10,000 seeds");
  });

  test("is open where it does not survive Holm, whatever its own interval", () => {
    const one = { ...alone("grpo", [0.4, 0.5, 0.6]), holm: 0.2 };
    expect(one.p).toBeLessThan(0.05);
    expect(verdict(one)).toMatch(/by Holm 0\.20: open, since it does not survive Holm\.$/);
  });
});

describe("what the paper has beside it", () => {
  const paper = { model: "Qwen3-1.7B", grpo: "crash", "token-ppo": "0.54", "turn-ppo": "0.55" };

  test("is its sign, where it has figures of the cell's model, and agrees only where ours survives", () => {
    const figures = " The paper (Qwen3-1.7B) has 0.55 and 0.54";
    const said = (x: number[]) => inPaper(paper, alone("token-ppo", x));
    expect(said([0.4, 0.5, 0.6])).toBe(`${figures}, the same way.`);
    expect(said([-0.4, -0.5, -0.6])).toBe(`${figures}, the other way.`);
    expect(said([-0.1, 0.1])).toBe(`${figures}.`);
    expect(inPaper(undefined, alone("token-ppo", [0.4, 0.5, 0.6]))).toBe("");
    expect(inPaper(paper, alone("rloo", [0.4, 0.5, 0.6]))).toBe("");
  });

  test("is nothing where it has a crash: that is another event than any here", () => {
    expect(inPaper(paper, alone("grpo", [0.4, 0.5, 0.6]))).toBe("");
  });
});

describe("the stated differences", () => {
  const contrasts = contrastsOf(shipped, keptIn(shipped));
  const of = (a: string, b: string, cell: string | null = null) =>
    contrasts.find((one) => one.a === a && one.b === b && one.cell === cell)!;
  const text = (name: string) =>
    readFileSync(join(shipped, name), "utf8").replaceAll(/\s+/g, " ").replaceAll("(-", "(−");
  const readme = text("../../../README.md");
  const results = text("../RESULTS.md");
  const shown = (x: number, digits: number) => x.toFixed(digits).replace("-", "−");
  const range = ({ interval: { low, high } }: Contrast, digits = 1) =>
    `${shown(low, digits)} to ${shown(high, digits)}`;

  test("are in TABLE.md as its program writes it", () => {
    const table = readFileSync(join(shipped, "TABLE.md"), "utf8");
    expect(table).toBe(tableOf(shipped, keptIn(shipped)));
  });

  test("are counted where Holm's correction is named, and what survives is listed", () => {
    const count = contrasts.length;
    expect(readme).toContain(`by Holm over all ${count} differences`);
    expect(results).toContain(`${count} differences between finals of five seeds`);
    for (const name of ["first", "table"])
      expect(text(`../../../public/notebooks/${name}.md`)).toContain(`${count} `);
    const words = ["Four", "Five", "Six", "Seven"];
    expect(results).toContain(`${words[contrasts.filter(survives).length - 4]} survive at 5 %`);
    for (const one of contrasts.filter(survives)) {
      const isReward = one.measure === "reward";
      const value = shown(one.mean, isReward ? 3 : 1);
      const by = `${value} ${isReward ? "in reward" : "points"} (${range(one, isReward ? 3 : 1)})`;
      const places = new Map([
        ["sokoban-qwen3", ", nano"],
        ["webshop-qwen3", ", shop"],
      ]);
      const isNano = one.a === "token-PPO" && one.b === "GRPO";
      const nano = isNano ? ", nano" : (places.get(one.cell ?? "") ?? "");
      const p = one.holm.toFixed(one.holm < 0.001 ? 4 : 3);
      expect(results).toContain(`| ${one.a} minus ${one.b}${nano} | ${by} | ${p} |`);
    }
    // One of another family would not: said with it.
    const boards = of("Turn-PPO on 16 levels", "GRPO");
    const rank = contrasts.filter(({ p }) => p < boards.p).length;
    expect(boards.p * (26 - rank)).toBeGreaterThan(0.05);
  });

  test("are README's, each with its interval", () => {
    const grpo = of("Turn-PPO", "GRPO", "sokoban-qwen3");
    expect(readme).toContain(
      `by ${shown(grpo.mean, 1)} in reward (${range(grpo)}; p ${grpo.holm.toFixed(3)} by Holm`,
    );
    const boards = of("Turn-PPO on 16 levels", "GRPO");
    expect(readme).toContain(
      `Turn-PPO's lead is ${shown(boards.mean, 1)} points of success (${range(boards)}; p ${boards.holm.toFixed(3)})`,
    );
    const divisor = of("GRPO, not divided", "GRPO");
    expect(readme).toContain(
      `${shown(divisor.mean, 1)} points (${range(divisor)}; p ${divisor.holm.toFixed(3)})`,
    );
    const both = of("token-PPO", "GRPO");
    expect([grpo, both, boards, divisor].every(survives)).toBe(true);
    expect(survives(of("token-PPO on 16 levels", "GRPO"))).toBe(false);
    const isLarge = ({ a, cell }: Contrast) => cell === "sokoban-class" || a.includes("class size");
    expect(contrasts.filter(isLarge).some(survives)).toBe(false);
    const token = of("Turn-PPO", "token-PPO", "sokoban-qwen3");
    expect(readme).toContain(
      `is ${shown(token.mean, 1)} in reward (${range(token)}; about ${token.seeds} seeds would tell)`,
    );
    const large = of("Turn-PPO, class size", "token-PPO with Turn-PPO's settings, class size");
    expect(readme).toContain(`token-PPO is ${shown(large.mean, 1)} points (${range(large)})`);
    expect([token, large].some(survives)).toBe(false);
    // What was read off a normal distribution before: 106 and 6.
    expect([token.seeds, of("Turn-PPO", "GRPO", "sokoban-class").seeds]).toEqual([108, 9]);
  });

  test("README's table has each method's scores and health as TABLE.md has them", () => {
    const table = readFileSync(join(shipped, "TABLE.md"), "utf8");
    const [, nano] = /## Sokoban, Qwen3-style\n([^]*?)\n## /.exec(table)!;
    const [head, , ...lines] = nano!.split("\n").filter((line) => line.startsWith("|"));
    const names = head!.split("|").map((name) => name.trim());
    const wanted = ["Method", "Success", "Reward", "Gain", ...HEALTH_COLUMNS];
    const known = lines.filter((line) => !line.includes("not run"));
    expect(known).toHaveLength(5);
    for (const line of known) {
      const cells = line.split("|").map((cell) => cell.trim());
      const [method, success, reward, gain, valid, entropy, length, collapsed] = wanted.map(
        (name) => cells[names.indexOf(name)],
      );
      const short = success!.replace(/ \(.*/, "");
      expect(readme).toContain(
        `| ${method} | ${short} | ${reward} | ${gain} | ${valid} | ${entropy} | ${collapsed} |`,
      );
      expect(length).toBe("not kept");
    }
  });

  test("RESULTS.md has the health of class size, and counts what collapsed", () => {
    const table = readFileSync(join(shipped, "TABLE.md"), "utf8");
    const [, large] = /class size \(0\.9 M parameters\)\n([^]*?)\n## /.exec(table)!;
    for (const method of ["GRPO", "token-PPO", "Turn-PPO"]) {
      const line = large!.split("\n").find((one) => one.startsWith(`| ${method} |`))!;
      const [valid, entropy, , collapsed] = line.split(" | ").slice(5, 9);
      expect(results).toContain(`| class size, ${method} | ${valid} | ${entropy} | ${collapsed} |`);
    }
    expect(large).toContain("| 17.6 to 99.7 % | 0.75 to 1.95 | not kept | 2 of 5 |");
  });

  test("turns are as short as README says: 2 to 5 trained tokens", async () => {
    const all = await Promise.all(
      ["nano", "class", "shop"].map(async (name) => {
        const run = await recordedRun(name);
        return run.algorithms.flatMap((method) => [
          ...knownOnly([...run.series(method, "response_length/mean").y]),
        ]);
      }),
    );
    const ends = all.map((x) => [min(x), max(x)].map((one) => one.toFixed(1)));
    expect(results).toContain(
      `are ${ends[0]!.join(" to ")} in nano's recorded run, ${ends[1]!.join(" to ")} at class size, ${ends[2]!.join(" to ")} in the shop`,
    );
    expect(min(all.flat())).toBeGreaterThanOrEqual(2);
    expect(max(all.flat())).toBeLessThan(5);
  });
});

describe("settings that end below their start", () => {
  const below = (search: string) =>
    stabilityOf(shipped, [search]).map(({ all }) => `${all.below} of ${all.of}`);

  test("are counted by method, from what the searches have kept", () => {
    expect(below("nano")).toEqual(["11 of 12", "0 of 12", "0 of 12"]);
    expect(below("nano-grouped")).toEqual(["11 of 12", "5 of 12", "7 of 12"]);
    expect(below("sokoban-class")).toEqual(["7 of 8", "0 of 8", "0 of 8"]);
    const results = readFileSync(join(shipped, "../RESULTS.md"), "utf8");
    for (const [search, said] of [
      ["nano", "| nano | 16; the PPOs 128"],
      ["nano-wide", "| nano, widened ranges | 16; the PPOs 128"],
      ["nano-grouped", "| nano, equal levels | 16"],
      ["sokoban-class", "| class size | 16; the PPOs 128"],
      ["webshop-progress", "| shop, by reward | 16 goals"],
    ] as const)
      expect(results).toContain(`${said} | ${below(search).join(" | ")} |`);
  });

  test("have the boards of an iteration, and the minibatches apart", () => {
    const [grpo, token] = stabilityOf(shipped, ["nano"]);
    expect([grpo!.tasks, token!.tasks]).toEqual([16, 128]);
    expect(stabilityOf(shipped, ["nano-grouped"]).map(({ tasks }) => tasks)).toEqual([16, 16, 16]);
    const sum = [...grpo!.byMinibatch.values()].reduce((n, { below: x }) => n + x, 0);
    expect(sum).toBe(grpo!.all.below);
    expect(stabilityTable([grpo!])[0]).toContain("minibatch 16 | minibatch 32");
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
    const [results, kept] = ["../RESULTS.md", "README.md"].map(read) as [string, string];
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
      ] as const)
        expect(kept).toContain(`${name} ${inWords(x, " %")}`);
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
      expect(kept).toContain(`Turn-PPO minus that is ${inWords(lessOf(same), " points")}`);
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
      expect(kept).toContain(`explains ${own} of the rewards to come`);
      expect(kept).toContain(`reaches ${its} with its own settings and ${lent} (`);
    });
  });

  describe("studies beside the cells", () => {
    const plain = percentSolved("nano-divisor.runs.jsonl", "grpo-plain");
    const divided = percentSolved("nano.runs.jsonl", "grpo-draw08");
    const turn = percentSolved("nano.runs.jsonl", "turn-ppo-draw04");
    const page = (name: string) =>
      readFileSync(join(shipped, "../../../public/notebooks", `${name}.md`), "utf8");
    const read = (name: string) =>
      readFileSync(join(shipped, name), "utf8")
        .replaceAll(/\s+/g, " ")
        .replaceAll(/([ (|])-(?=\d)/g, "$1−");
    const [readme, results, kept] = ["../../../README.md", "../RESULTS.md", "README.md"].map(
      read,
    ) as [string, string, string];
    const minus = (a: number[], b: number[]) => said(a.map((x, i) => x - b[i]!));
    const scored = (x: number[]) => `${said(x).mean} % (${said(x).range}`;

    test("what GRPO's divisor costs is what its runs show, with the seeds of the others", () => {
      expect([plain, divided, turn].map(({ length }) => length)).toEqual([5, 5, 5]);
      for (const text of [readme, page("table")])
        expect(text).toContain(`solves ${scored(plain)})`);
      const cost = minus(plain, divided);
      const rest = minus(turn, plain);
      for (const text of [results, page("teacher/table")])
        expect(text.replaceAll("points ", "")).toContain(`${cost.mean} (${cost.range}`);
      expect(page("teacher/table")).toContain(`minus that is ${rest.mean} points (${rest.range})`);
      expect(results).toContain(`${rest.mean} points (${rest.range}) and`);
      expect(page("table")).toContain(
        `: ${plain.slice(0, 4).map(tenths).join(", ")} and ${tenths(plain[4]!)} % with seeds 1 to 5.`,
      );
      for (const text of [page("grpo"), page("first"), page("table")])
        expect(text).toContain(`${said(plain).mean} %`);
      expect(page("grpo")).toContain(`${cost.mean} points (95 % interval ${cost.range})`);
      expect(page("grpo")).toContain(`${mean(divided).toFixed(1)} % of new levels`);
      // In the larger model.
      const [large, larger] = ["no-std", "grpo"].map((name) =>
        percentSolved("sokoban-class-grpo.runs.jsonl", name, "1[123]"),
      );
      const between = minus(large!, larger!);
      expect(results).toContain(`${between.mean} (${between.range}) in the third`);
    });

    test("Dr.GRPO's numbers are its runs', at every place that has them", () => {
      const own = percentSolved("nano-group.runs.jsonl", "dr-grpo-draw02");
      const lent = percentSolved("nano-drgrpo.runs.jsonl", "dr-grpo-grpos-settings");
      const [early] = percentSolved("nano-group.runs.jsonl", "dr-grpo-draw08", "11");
      expect([own.length, lent.length]).toEqual([5, 5]);
      expect(results).toContain(`left Dr.GRPO at ${tenths(early!)} % of the validation levels`);
      expect(results).toContain(`on test levels ${scored(own)}) and`);
      expect(results).toContain(`Dr.GRPO solves ${scored(lent)};`);
      const [more, better, less] = [minus(lent, divided), minus(lent, own), minus(plain, lent)];
      expect(results).toContain(`${more.mean} points more than GRPO (${more.range})`);
      expect(results).toContain(`${better.mean} more than with its own settings (${better.range})`);
      expect(results).toContain(`${less.mean} less than GRPO not divided (${less.range})`);
      expect(kept).toContain(`Dr.GRPO ${said(own).mean} %`);
      const constant = percentSolved("nano-drgrpo-constant.runs.jsonl", "dr-grpo-own-settings");
      expect(constant).toHaveLength(5);
      for (const text of [readme, results, kept]) expect(text).toContain(`${scored(constant)})`);
      const borrowed = percentSolved("nano-drgrpo-constant.runs.jsonl", "dr-grpo-grpos-settings");
      expect(borrowed).toHaveLength(5);
      for (const text of [results, kept]) expect(text).toContain(`${scored(borrowed)})`);
      expect(kept).toContain(`${scored(lent)}), with its own settings ${said(own).mean} %`);
    });

    test("on GRPO's boards the PPOs' numbers are their runs', and no order of them is claimed", () => {
      const here = percentSolved("nano-boards.runs.jsonl", "turn-ppo-16-boards");
      const token = percentSolved("nano-boards.runs.jsonl", "token-ppo-16-boards");
      const all = percentSolved("nano.runs.jsonl", "token-ppo-draw04");
      for (const [name, wide, few] of [
        ["Turn-PPO", turn, here],
        ["token-PPO", all, token],
      ] as const) {
        const [lost, lead, behind] = [minus(wide, few), minus(few, divided), minus(few, plain)];
        const scores = `| ${name} | ${scored(wide)}) | ${scored(few)})`;
        const differences = [lead, behind].map((one) => `${one.mean} (${one.range})`).join(" | ");
        expect(results).toContain(
          `${scores} | ${lost.mean} points (${lost.range}) | ${differences} |`,
        );
      }
      const lead = minus(here, divided).mean;
      const whole = tenths(mean(turn) - mean(divided));
      expect(page("first")).toContain(`Turn-PPO solves ${said(here).mean} %`);
      expect(page("first")).toContain(`lead over GRPO is ${lead} points, not ${whole}.`);
      expect(page("first")).toContain(`Token-PPO solves ${said(token).mean} %`);
      for (const text of [readme, page("first")])
        expect(text).not.toContain("is ahead of Turn-PPO by");
    });
  });
});
