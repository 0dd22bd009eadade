/**
 * The paper's table in miniature: five seeds a method on test levels that no search has seen, beside the paper's figures. A
 * cell that is not run shows its command and no number. What a difference supports is said with it, and how many seeds would
 * tell.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "../../../src/cli/args.ts";
import { KeptResults } from "../../../src/cli/sweep/keptResults.ts";
import { readResult, type RunResult } from "../../../src/cli/sweep/results.ts";
import { planSweep, type SweepFile } from "../../../src/cli/sweep/sweepFile.ts";
import { summariseRuns, type Summary, type SummaryRow } from "../../../src/cli/sweep/summary.ts";
import { InputError, show } from "../../../src/spec/inputError.ts";
import { mean, std, tInterval, type Interval } from "../../../src/numeric/statistics.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import {
  cellNamed,
  planOfCell,
  readCells,
  recipesOf,
  sweepOfCell,
  type Cell,
  type Recipe,
} from "./cells.ts";

declare const __TURNBOOK_ROOT__: string;

export type FindRun = KeptResults["find"];

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

/** Trains what is not kept yet. */
function runCell(folder: string, asked: Asked): void {
  const keep = join(folder, "cells.runs.jsonl");
  trainSweep(asked, sweepAsked(folder, asked), ["--keep", keep]);
}

/**
 * Trains kept runs anew, those of one seed where it is named, and says whether each ends with the kept fingerprint.
 * @throws InputError where one does not, or where nothing is kept to compare with
 */
function runAgain(folder: string, asked: Asked, seed: number | undefined): void {
  const file = sweepAsked(folder, asked);
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

function sweepAsked(folder: string, { name, method }: Asked): SweepFile {
  const cell = cellNamed(readCells(folder), name);
  const found = recipesOf(folder, cell).filter((one) => typeof one !== "string");
  const recipes = found.filter((one) => method === undefined || one.method === method);
  if (recipes.length > 0) return sweepOfCell(folder, cell, recipes);
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
  const cells = readCells(folder).map((cell) => {
    const entries = recipesOf(folder, cell).map((recipe) =>
      typeof recipe === "string" ? recipe : entryOf(folder, cell, recipe, find),
    );
    return [`## ${cell.environment}, ${cell.model}`, "", ...rows(cell, entries), ""].join("\n");
  });
  return `${HEAD}\n${cells.join("\n")}`;
}

const HEAD = `# The paper's table in miniature

Made by \`node test/bench/recipes/table.mjs\` from the results kept beside it. Each method has the settings that its own search
chose on validation levels; every figure here is from 256 test levels that no search has seen, over new seeds, on wasm (the same
fingerprint on every machine). Intervals are 95 %, Student's t over seeds. Clip share, explained variance: mean of the last ten
iterations. Preset: see \`cells.json\`.
`;

/** Of the methods whose search has ended. */
export function entriesOf(folder: string, cell: Cell, find: FindRun): Entry[] {
  return recipesOf(folder, cell).flatMap((recipe) =>
    typeof recipe === "string" ? [] : [entryOf(folder, cell, recipe, find)],
  );
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

function rows(cell: Cell, entries: readonly (Entry | string)[]): string[] {
  const paper = cell.paper ? `Paper (${cell.paper["model"]})` : "Paper";
  const known = entries.filter(
    (one): one is Entry => typeof one !== "string" && one.results.length > 0,
  );
  return [
    `| Method | Runs | Reward | Gain | Success | Crashed | Explained variance | Clip share | Tokens | ${paper} |`,
    "|---|---|---|---|---|---|---|---|---|---|",
    ...entries.map((entry) => rowOf(cell, entry)),
    "",
    ...verdicts(known),
    ...recipeLines(known),
  ];
}

function rowOf(cell: Cell, entry: Entry | string): string {
  const method = typeof entry === "string" ? entry : entry.recipe.method;
  const paper = cell.paper?.[method] ?? "";
  const title = titleOf(method);
  if (typeof entry === "string")
    return `| ${title} | not run: its search has not ended ||||||||${paper} |`;
  if (entry.results.length === 0)
    return `| ${title} | not run: \`${commandOf(cell, method)}\` ||||||||${paper} |`;
  const { reward, success, results, planned } = entry;
  const own = results.flatMap(({ methods }) => methods);
  const late = (name: string) => average(own.map((one) => one.late[name] ?? null));
  const cells = [
    `${results.length} of ${planned}`,
    withInterval(reward.mean, reward.tInterval, 2),
    withInterval(reward.gain.mean, reward.gain.tInterval, 2),
    percent(success.mean),
    String(reward.crashed),
    fixed(late("critic/vf_explained_var"), 2),
    percent(late("actor/clip_cut_share")),
    `${(mean(own.map(({ tokens }) => tokens)) / 1e6).toFixed(2)} M`,
    paper,
  ];
  return `| ${title} | ${cells.join(" | ")} |`;
}

export function commandOf({ name }: Cell, method: string): string {
  return `node test/bench/recipes/table.mjs --run ${name} --method ${method} --work DIR`;
}

/** Turn-PPO against the others, paired by seed: what the runs support, and how many would tell. */
function verdicts(entries: readonly Entry[]): string[] {
  const turn = entries.find(({ recipe }) => recipe.method === "turn-ppo");
  const others = entries.filter((one) => one !== turn);
  if (!turn) return [];
  const lines = others.flatMap((other) => {
    const differences = paired(turn.reward, other.reward);
    return differences.length < 2 ? [] : [`- ${verdict(other.recipe.method, differences)}`];
  });
  return lines.length > 0 ? [...lines, ""] : [];
}

/** By seed: the first's last score less the second's. */
export function paired(a: SummaryRow, b: SummaryRow): number[] {
  return a.scores.flatMap(({ seed, last }) => {
    const other = b.scores.find((score) => score.seed === seed)?.last;
    return last === null || other === null || other === undefined ? [] : [last - other];
  });
}

/** What the paper compares Turn-PPO with. */
const IN_PAPER = ["grpo", "token-ppo"];

/** @param differences Turn-PPO's reward less the other's, a seed each; at least two. */
export function verdict(method: string, differences: readonly number[]): string {
  const { low, high } = tInterval(differences);
  const by = `${signed(mean(differences))} (${signed(low)} to ${signed(high)}, ${differences.length} seeds)`;
  const start = `Turn-PPO less ${titleOf(method)}: reward ${by}: `;
  const isInPaper = IN_PAPER.includes(method);
  if (low > 0) return `${start}higher${isInPaper ? ", as the paper reports" : ""}.`;
  if (high < 0) return `${start}lower${isInPaper ? ", unlike the paper" : ""}.`;
  return `${start}cannot tell; about ${seedsToTell(differences)} seeds would, were this the true difference.`;
}

/** Normal approximation, two-sided 5 %, power 80 %. */
function seedsToTell(differences: readonly number[]): number | string {
  const gap = Math.abs(mean(differences));
  const n = ((1.96 + 0.84) * std(differences)) / gap;
  return n * n < 10_000 ? Math.max(differences.length + 1, Math.ceil(n * n)) : "more than 10,000";
}

function recipeLines(entries: readonly Entry[]): string[] {
  return entries.map(({ recipe: { method, settings, search, reused } }) => {
    const values = Object.entries(settings).map(([field, value]) => `\`${field}=${value}\``);
    const from = reused ? `reused from \`${search}.json\`` : `searched by \`${search}.json\``;
    return `- ${titleOf(method)}, ${from}: ${values.join(", ")}`;
  });
}

function average(x: readonly (number | null)[]): number | null {
  const known = x.filter((one) => one !== null);
  return known.length > 0 ? mean(known) : null;
}

export const titleOf = (method: string) => resolveAlgorithm(method).title;
const fixed = (x: number | null, digits: number) => (x === null ? "–" : x.toFixed(digits));
export const percent = (x: number | null) => (x === null ? "–" : `${(100 * x).toFixed(1)} %`);
const signed = (x: number) => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(3)}`;

function withInterval(x: number | null, interval: Interval | null, digits: number): string {
  if (x === null) return "–";
  const range = interval
    ? ` (${fixed(interval.low, digits)} to ${fixed(interval.high, digits)})`
    : "";
  return fixed(x, digits) + range;
}
