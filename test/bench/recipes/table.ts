/**
 * The paper's table in miniature: five seeds a method on test levels that no search has seen, with the policies' health, beside
 * the paper's figures. A cell that is not run shows its command and no number. What a difference supports is said with it.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "../../../src/cli/args.ts";
import { KeptResults } from "../../../src/cli/sweep/keptResults.ts";
import { readResult, type RunResult } from "../../../src/cli/sweep/results.ts";
import { planSweep, type SweepFile } from "../../../src/cli/sweep/sweepFile.ts";
import { summariseRuns, type Summary, type SummaryRow } from "../../../src/cli/sweep/summary.ts";
import { InputError, show } from "../../../src/numeric/inputError.ts";
import { toSpec } from "../../../src/spec/presets.ts";
import { mean, quantile, type Interval } from "../../../src/numeric/statistics.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import {
  cellNamed,
  configOf,
  isFound,
  planOfCell,
  readCells,
  recipesOf,
  sweepOfCell,
  type Cell,
  type FindRun,
  type Missing,
  type Recipe,
} from "./cells.ts";
import { contrastsOf, sidesOf, titleOf, type Contrast } from "./contrasts.ts";
import { HEALTH_COLUMNS, healthOf } from "../../../src/cli/sweep/health.ts";
import { edges } from "../../../src/cli/study/search.ts";
import { stabilityOf, stabilityTable } from "./stability.ts";
import { contrastTable, verdicts } from "./verdicts.ts";

declare const __TURNBOOK_ROOT__: string;

/** Of one method in one cell. */
export interface Entry {
  recipe: Recipe;
  /** Of the runs that are there. */
  reward: SummaryRow;
  success: SummaryRow;
  results: RunResult[];
  planned: number;
}

export function main(argv: string[]): void {
  const args = parseArgs(argv, {
    run: { type: "string" },
    again: { type: "string" },
    method: { type: "string" },
    seed: { type: "integer", min: 0 },
    work: { type: "string" },
    jobs: { type: "integer", min: 1 },
    nice: { type: "integer", min: 0, max: 19 },
  });
  const folder = join(__TURNBOOK_ROOT__, "test", "bench", "recipes");
  const [run, again] = [args.string("run"), args.string("again")];
  if (run !== undefined || again !== undefined) {
    const work = args.string("work");
    if (!work) throw new InputError("table --run or --again CELL needs --work DIR, for its runs");
    const flags = (["jobs", "nice"] as const).flatMap((key) =>
      args.number(key) === undefined ? [] : [`--${key}`, String(args.number(key))],
    );
    const asked = {
      name: (again ?? run)!,
      method: args.string("method"),
      work: resolve(work),
      flags,
    };
    if (again === undefined) runCell(folder, asked);
    else return runAgain(folder, asked, args.number("seed"));
  }
  const text = tableOf(folder, keptIn(folder));
  writeFileSync(join(folder, "TABLE.md"), text);
  console.log(text);
}

interface Asked {
  name: string;
  method: string | undefined;
  work: string;
  flags: string[];
}

/** Trains what is not kept yet, by a search or by an earlier call. */
function runCell(folder: string, asked: Asked): void {
  const keep = join(folder, "cells.runs.jsonl");
  const find = keptIn(folder);
  const cell = cellNamed(readCells(folder), asked.name);
  const missing = recipesAsked(folder, asked).filter((recipe) =>
    planOfCell(folder, cell, [recipe]).runs.some((run) => find(run) === undefined),
  );
  if (missing.length === 0)
    return console.log("all runs are kept already; --again instead of --run trains them again");
  trainSweep(asked, sweepOfCell(folder, cell, missing), ["--keep", keep]);
}

/**
 * Trains kept runs again, those of one seed if it is given, and says whether each ends with the kept fingerprint.
 * @throws InputError where one does not, or where nothing is kept to compare with
 */
function runAgain(folder: string, asked: Asked, seed: number | undefined): void {
  const cell = cellNamed(readCells(folder), asked.name);
  const file = sweepOfCell(folder, cell, recipesAsked(folder, asked));
  if (seed !== undefined) file.seeds = [seed];
  const { runs } = planSweep(file);
  const find = keptIn(folder);
  const kept = runs.map((run) => ({ run, fingerprint: find(run)?.fingerprint }));
  const missing = kept.filter(({ fingerprint }) => fingerprint === undefined);
  if (missing.length > 0)
    throw new InputError(`nothing is kept of ${missing.map(({ run }) => run.name).join(", ")}`);
  const directory = trainSweep(asked, file, []);
  const differing = kept.filter(({ run, fingerprint }) => {
    const now = readResult(directory, run).fingerprint;
    console.log(`${run.name}: kept ${fingerprint}, now ${now}`);
    return now !== fingerprint;
  });
  if (differing.length > 0) throw new InputError(`${differing.length} of ${kept.length} differ`);
  console.log(`${kept.length} of ${kept.length} the same`);
}

/** @throws InputError where no search has found one */
function recipesAsked(folder: string, { name, method }: Asked): Recipe[] {
  const cell = cellNamed(readCells(folder), name);
  const found = recipesOf(folder, cell).filter(isFound);
  const recipes = found.filter((one) => method === undefined || one.method === method);
  if (recipes.length > 0) return recipes;
  throw new InputError(
    `no recipe of ${show(method ?? name)} is found yet; run the searches of ${cell.searches.join(" and ")} first`,
  );
}

/** As processes; returns the folder with the runs. */
function trainSweep({ name, work, flags }: Asked, sweep: SweepFile, more: string[]): string {
  mkdirSync(work, { recursive: true });
  const [file, folder] = [join(work, `${name}.json`), join(work, name)];
  writeFileSync(file, `${JSON.stringify(sweep, null, 1)}\n`);
  const launcher = join(__TURNBOOK_ROOT__, "src", "cli", "turnbook.mjs");
  const words = ["sweep", file, "--out", folder, ...more, ...flags];
  execFileSync(process.execPath, [launcher, ...words], { stdio: ["ignore", "ignore", "inherit"] });
  return folder;
}

/** All results that are kept, of searches and cells. */
export function keptIn(folder: string): FindRun {
  const files = readdirSync(folder).filter((name) => name.endsWith(".runs.jsonl"));
  const all = files.map((name) => new KeptResults(join(folder, name)));
  return (run) => all.map((one) => one.find(run)).find((result) => result !== undefined);
}

export function tableOf(folder: string, find: FindRun): string {
  const contrasts = contrastsOf(folder, find);
  const cells = readCells(folder).map((cell) => {
    const entries = recipesOf(folder, cell).map((recipe) =>
      isFound(recipe) ? entryOf(folder, cell, recipe, find) : recipe,
    );
    const title = `## ${cell.environment}, ${cell.model}`;
    const own = rows(folder, cell, entries, contrasts);
    return [title, "", playedAs(folder, cell), "", ...own, ""].join("\n");
  });
  const parts = [
    ["## Studies beside the cells", STUDIES, studyRows(folder, find)],
    ["## What the differences support", SUPPORT, contrastTable(contrasts)],
    [
      "## Settings that end below their start",
      BELOW,
      stabilityTable(stabilityOf(folder, SEARCHES)),
    ],
  ] as const;
  const rest = parts.map(([title, said, lines]) => [title, "", said, ...lines, ""].join("\n"));
  return `${HEAD}\n${[...cells, ...rest].join("\n")}`;
}

const HEAD = `# The paper's table in miniature

Made by \`node test/bench/recipes/table.mjs\` from the results kept beside it. Each method has the settings that a search of its own
chose on validation levels, in this cell or, where its line says *reused*, in another one. What a method itself chooses (its discount,
its lambda) is as its row of the table of algorithms has it. Every figure is from 256 test levels that no search has seen, over new
seeds, on wasm (the same fingerprint on every machine). How the episodes that give scores are played stands over each table.
Intervals are 95 %, Student's t over seeds. Health stands beside every score, smallest to largest of the seeds: the share of valid turns at
the last evaluation, entropy per token and tokens of a response over the last ten iterations of training ("not kept" where the results
lack it), and how many runs collapsed: numbers not finite, fewer than half of the turns valid, or less than half of the start solved with
less reward (\`src/spec/collapse.ts\`). Explained variance, clip share, alignment (the correlation of a turn's advantage with what
the update did to its log-ratio): means of the last ten iterations. Minutes: of one run, the median, on two shared cores that
often had other work, so that they rank nothing. Preset: see \`cells.json\`.
`;

const STUDIES = `Sweeps with the seeds and test levels of the cells, each of the file it names (\`contrasts.json\`).
`;

const SUPPORT = `Every difference between finals that README, this table or \`RESULTS.md\` states, paired by seed: a t test, and Holm's correction over
all of these rows. What does not survive at 5 % is open. Seeds for 80 % power: by the noncentral t, were this the true difference. A
difference that survives is one between *settings*: levels, critic and search differ with the method where its cell says so.
`;

const BELOW = `After a search's first stage (20 iterations, one seed, validation levels), by its own measure: success in Sokoban, reward in the shop.
They say how stable a method is over settings nobody chose. In \`nano-grouped.json\` all methods play 16 levels, eight times each.
`;

/** Whose first stages are kept. */
const SEARCHES = [
  ...["nano", "nano-wide", "nano-grouped", "nano-group", "sokoban-class", "webshop-progress"],
];

/** Of the sides of sweeps that contrasts compare. */
function studyRows(folder: string, find: FindRun): string[] {
  const heads = ["Setting", "File", "Runs", "Success", "Reward", ...HEALTH_COLUMNS];
  const lines = [...sidesOf(folder, find).values()]
    .filter(({ sweep }) => sweep !== null)
    .map(({ title, sweep, runs, results, success, reward }) => {
      const file = `\`${sweep}.json\``;
      if (results.length === 0) return `| ${title} | ${file} | not run |${" |".repeat(6)}`;
      const scores = [scoreOf(success!, percent), scoreOf(reward!, (x) => fixed(x, 2))];
      const cells = [title, file, `${results.length} of ${runs.length}`, ...scores];
      return `| ${[...cells, ...healthOf(results)].join(" | ")} |`;
    });
  return [`| ${heads.join(" | ")} |`, `|${"---|".repeat(heads.length)}`, ...lines];
}

const scoreOf = ({ mean: x, tInterval }: SummaryRow, of: (x: number | null) => string) =>
  withInterval(x, tInterval, of);

function playedAs(folder: string, cell: Cell): string {
  const { temperature } = toSpec(sweepOfCell(folder, cell, []).base).evaluation;
  return temperature === 0
    ? "Scores are of greedy play."
    : `Scores are of play sampled at temperature ${temperature}.`;
}

/** Of the methods whose search has ended. */
export function entriesOf(folder: string, cell: Cell, find: FindRun): Entry[] {
  return recipesOf(folder, cell)
    .filter(isFound)
    .map((recipe) => entryOf(folder, cell, recipe, find));
}

function entryOf(folder: string, cell: Cell, recipe: Recipe, find: FindRun): Entry {
  const { runs, measures } = planOfCell(folder, cell, [recipe]);
  const results = runs.flatMap((run) => find(run) ?? []);
  const summary: Summary = summariseRuns(results, measures);
  const of = (measure: string) => summary.rows.find((row) => row.measure === measure)!;
  return {
    ...{ recipe, results, planned: runs.length },
    ...{ reward: of(measures[0]!), success: of(measures[1]!) },
  };
}

const COLUMNS = [
  ...["Method", "Runs", "Reward", "Gain", "Success", ...HEALTH_COLUMNS],
  ...["Explained variance", "Clip share", "Alignment", "Tokens", "Minutes"],
];

function rows(
  folder: string,
  cell: Cell,
  entries: readonly (Entry | Missing)[],
  contrasts: readonly Contrast[],
): string[] {
  const paper = cell.paper ? `Paper (${cell.paper["model"]})` : "Paper";
  const known = entries.filter((one): one is Entry => "results" in one && one.results.length > 0);
  const lines = verdicts(cell, contrasts);
  const said = [...lines, ...(cell.note && known.length > 0 ? [`- ${cell.note}`] : [])];
  return [
    `| ${COLUMNS.join(" | ")} | ${paper} |`,
    `|${"---|".repeat(COLUMNS.length + 1)}`,
    ...entries.map((entry) => rowOf(cell, entry)),
    "",
    ...(said.length > 0 ? [...said, ""] : []),
    ...recipeLines(folder, known),
  ];
}

function rowOf(cell: Cell, entry: Entry | Missing): string {
  const method = "recipe" in entry ? entry.recipe.method : entry.method;
  const paper = cell.paper?.[method] ?? "–";
  const notRun = (command: string) =>
    `| ${titleOf(method)} | not run: \`${command}\` ${"|".repeat(COLUMNS.length - 1)} ${paper} |`;
  if (!("recipe" in entry)) return notRun(searchCommand(entry.search));
  if (entry.results.length === 0) return notRun(commandOf(cell, method));
  return `| ${titleOf(method)} | ${[...numbersOf(entry), paper].join(" | ")} |`;
}

function numbersOf({ reward, success, results, planned }: Entry): string[] {
  const own = results.flatMap(({ methods }) => methods);
  const late = (name: string) => average(own.map((one) => one.late[name] ?? null));
  return [
    `${results.length} of ${planned}`,
    scoreOf(reward, (x) => fixed(x, 2)),
    withInterval(reward.gain.mean, reward.gain.tInterval, (x) => fixed(x, 2)),
    scoreOf(success, percent),
    ...healthOf(results),
    fixed(late("critic/vf_explained_var"), 2),
    percent(late("actor/clip_cut_share")),
    fixed(late("actor/alignment"), 2),
    `${(mean(own.map(({ tokens }) => tokens)) / 1e6).toFixed(2)} M`,
    (
      quantile(
        own.map(({ seconds }) => seconds),
        0.5,
      ) / 60
    ).toFixed(0),
  ];
}

export function commandOf({ name }: Cell, method: string): string {
  return `node test/bench/recipes/table.mjs --run ${name} --method ${method} --work DIR`;
}

const searchCommand = (search: string) =>
  `node test/bench/recipes/search.mjs test/bench/recipes/${search}.json --work DIR`;

/** The settings, and which of them lie at the edge of what was searched. */
function recipeLines(folder: string, entries: readonly Entry[]): string[] {
  return entries.map(({ recipe: { method, settings, search, reused } }) => {
    const own = Object.entries(settings).filter(([field]) => isUsed(method, field));
    const values = own.map(([field, value]) => `\`${field}=${value}\``);
    const from = reused ? `reused from \`${search}.json\`` : `searched by \`${search}.json\``;
    const ends = edges(configOf(folder, search).space, Object.fromEntries(own));
    const edge = ends.length > 0 ? `; at the edge of its range: ${ends.join(", ")}` : "";
    return `- ${titleOf(method)}, ${from}: ${values.join(", ")}${edge}`;
  });
}

/** A method without a critic has no use for its rate, which is drawn all the same. */
const isUsed = (method: string, field: string) =>
  !field.startsWith("critic.") || resolveAlgorithm(method).critic !== "none";

function average(x: readonly (number | null)[]): number | null {
  const known = x.filter((one) => one !== null);
  return known.length > 0 ? mean(known) : null;
}

const fixed = (x: number | null, digits: number) =>
  x === null ? "–" : x.toFixed(digits).replace("-", "−");
export const percent = (x: number | null) => (x === null ? "–" : `${(100 * x).toFixed(1)} %`);

function withInterval(
  x: number | null,
  interval: Interval | null,
  of: (x: number | null) => string,
): string {
  if (x === null) return "–";
  return of(x) + (interval ? ` (${of(interval.low)} to ${of(interval.high)})` : "");
}
