/**
 * All differences between finals that README, TABLE.md and RESULTS.md state, as one table: paired by seed, with the p-value of a
 * paired t test, and the same by Holm over all of them. What does not survive that is open.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pairedBySeed } from "../../../src/cli/sweep/seedStatistics.ts";
import type { RunResult } from "../../../src/cli/sweep/results.ts";
import { summariseRuns, type SummaryRow } from "../../../src/cli/sweep/summary.ts";
import { planSweep, type PlannedRun, type SweepFile } from "../../../src/cli/sweep/sweepFile.ts";
import { holm, tTest, valuesFor } from "../../../src/numeric/significance.ts";
import { mean, std, tInterval, type Interval } from "../../../src/numeric/statistics.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { InputError } from "../../../src/numeric/inputError.ts";
import {
  cellNamed,
  isFound,
  planOfCell,
  readCells,
  recipesOf,
  type Cell,
  type FindRun,
} from "./cells.ts";

/** Runs of one setting: of a cell's method, or of a sweep beside it. */
export interface Side {
  title: string;
  runs: PlannedRun[];
  results: RunResult[];
  reward: SummaryRow | undefined;
  success: SummaryRow | undefined;
  /** The sweep's file, without its ending; null for a cell's. */
  sweep: string | null;
}

export interface Contrast {
  a: string;
  b: string;
  /** Of a cell's; null for studies beside the cells. */
  methods: [a: string, b: string] | null;
  /** That both sides are runs of; null for studies beside the cells. */
  cell: string | null;
  /** Success in points, reward in its own units. */
  measure: "success" | "reward";
  /** a minus b, a seed each; two at least. */
  differences: number[];
  mean: number;
  interval: Interval;
  p: number;
  /** By Holm over all contrasts. */
  holm: number;
  /** Seeds that would find this difference four times in five; null: more than 10,000. */
  seeds: number | null;
}

/** The most that a p-value by Holm may be for a difference to be more than open. */
const LEVEL = 0.05;
export const survives = ({ holm }: Contrast): boolean => holm < LEVEL;

type SideFile = { title: string } & (
  { cell: string; method: string } | { sweep: string; setting: string }
);

interface ContrastsFile {
  sides: Record<string, SideFile>;
  /** Names of two sides: the first minus the second. */
  contrasts: [a: string, b: string][];
}

const readFile = (folder: string, name: string) =>
  JSON.parse(readFileSync(join(folder, name), "utf8")) as unknown;

/** Sides that are compared beside the cells' own methods, by name; empty where a folder has no such table. */
export function sidesOf(folder: string, find: FindRun): Map<string, Side> {
  if (!existsSync(join(folder, "contrasts.json"))) return new Map();
  const { sides } = readFile(folder, "contrasts.json") as ContrastsFile;
  return new Map(
    Object.entries(sides).map(([name, side]) => [name, sideOf(folder, side, find)] as const),
  );
}

/** All contrasts with two shared seeds or more: Turn-PPO against each other method of a cell in reward, then the studies in success. */
export function contrastsOf(folder: string, find: FindRun): Contrast[] {
  const cells = readCells(folder).flatMap((cell) => ofCell(folder, cell, find));
  const sides = sidesOf(folder, find);
  const pairs =
    sides.size === 0 ? [] : (readFile(folder, "contrasts.json") as ContrastsFile).contrasts;
  const studies = pairs.flatMap(([a, b]) => {
    const [one, two] = [a, b].map((name) => {
      const side = sides.get(name);
      if (!side) throw new InputError(`contrasts.json compares ${name}, which is no side of it`);
      return side;
    }) as [Side, Side];
    return compared(one, two, "success");
  });
  const all = [...cells, ...studies];
  const adjusted = holm(all.map(({ p }) => p));
  return all.map((one, i) => ({ ...one, holm: adjusted[i]! }));
}

function ofCell(folder: string, cell: Cell, find: FindRun) {
  const methods = recipesOf(folder, cell)
    .filter(isFound)
    .map(({ method }) => method);
  if (!methods.includes("turn-ppo")) return [];
  const side = (method: string) =>
    sideOf(folder, { title: titleOf(method), cell: cell.name, method }, find);
  const turn = side("turn-ppo");
  return methods
    .filter((method) => method !== "turn-ppo")
    .flatMap((method) =>
      compared(turn, side(method), "reward").map((one) => ({
        ...one,
        ...{ cell: cell.name, methods: ["turn-ppo", method] as [string, string] },
      })),
    );
}

function sideOf(folder: string, side: SideFile, find: FindRun): Side {
  const { runs, measures } =
    "cell" in side ? planOfMethod(folder, side) : planOfSweep(folder, side);
  const results = runs.flatMap((run) => find(run) ?? []);
  const { rows } = summariseRuns(results, measures);
  const of = (name: string) => rows.find(({ measure }) => measure.endsWith(`/${name}`));
  const sweep = "sweep" in side ? side.sweep : null;
  return { title: side.title, runs, results, reward: of("reward"), success: of("success"), sweep };
}

function planOfMethod(folder: string, { cell, method }: { cell: string; method: string }) {
  const found = cellNamed(readCells(folder), cell);
  const recipes = recipesOf(folder, found).filter(isFound);
  const own = recipes.filter((one) => one.method === method);
  if (own.length === 0) throw new InputError(`cell ${cell} has no recipe of ${method} yet`);
  return planOfCell(folder, found, own);
}

function planOfSweep(folder: string, { sweep, setting }: { sweep: string; setting: string }) {
  const plan = planSweep(readFile(folder, `${sweep}.json`) as SweepFile);
  const runs = plan.runs.filter((run) => run.setting === setting);
  if (runs.length === 0) throw new InputError(`${sweep}.json has no setting ${setting}`);
  const kind = runs[0]!.spec.environment.kind;
  return { runs, measures: ["reward", "success"].map((name) => `val-env/${kind}/${name}`) };
}

function compared(a: Side, b: Side, measure: Contrast["measure"]): Omit<Contrast, "holm">[] {
  const unit = measure === "success" ? 100 : 1;
  const paired = pairedBySeed(a[measure]?.scores ?? [], b[measure]?.scores ?? []);
  const differences = paired.map((x) => unit * x);
  if (differences.length < 2) return [];
  return [{ a: a.title, b: b.title, cell: null, methods: null, measure, ...judged(differences) }];
}

/** What a seed each of a difference says by itself. */
export function judged(differences: readonly number[]) {
  return {
    differences: [...differences],
    mean: mean(differences),
    interval: tInterval(differences),
    p: tTest(differences),
    seeds: valuesFor(Math.abs(mean(differences)) / std(differences)),
  };
}

export const titleOf = (method: string) => resolveAlgorithm(method).title;
