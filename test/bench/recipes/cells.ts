/** A cell of the table: an environment, a model, and each method's recipe, found by a search or reused from one. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KeptResults } from "../../../src/cli/sweep/keptResults.ts";
import { planSweep, type SweepFile } from "../../../src/cli/sweep/sweepFile.ts";
import { InputError, show } from "../../../src/numeric/inputError.ts";
import type {
  SearchConfig as Config,
  SearchOutcome as Outcome,
} from "../../../src/cli/study/search.ts";

/** A kept run's result, if there is one. */
export type FindRun = KeptResults["find"];

export interface Cell {
  name: string;
  environment: "Sokoban" | "WebShop";
  model: string;
  preset: string;
  /** Configurations whose searches give the recipes: of the first preset their own, of others reused. */
  searches: string[];
  /** Mean reward of the model it names; the methods it has no figure for are left out. */
  paper?: Record<string, string>;
  /** What another measurement says of the differences. */
  note?: string;
}

export interface Recipe {
  method: string;
  settings: Outcome["settings"];
  /** Configuration that found it. */
  search: string;
  /** Whether it was found for another preset. */
  reused: boolean;
}

/** A method whose search has not ended. */
export interface Missing {
  method: string;
  search: string;
}

export const isFound = (one: Recipe | Missing): one is Recipe => "settings" in one;

/** `folder`: that of the configurations. */
export function readCells(folder: string): Cell[] {
  return JSON.parse(readFileSync(join(folder, "cells.json"), "utf8")) as Cell[];
}

/** @throws InputError naming the cells there are */
export function cellNamed(cells: readonly Cell[], name: string): Cell {
  const cell = cells.find((one) => one.name === name);
  if (cell) return cell;
  const names = cells.map((one) => one.name).join(", ");
  throw new InputError(`option --run is ${show(name)}; allowed: ${names}`);
}

export function configOf(folder: string, search: string): Config {
  return JSON.parse(readFileSync(join(folder, `${search}.json`), "utf8")) as Config;
}

/** Of each method of a cell; those whose search has not ended have no settings yet. */
export function recipesOf(folder: string, { searches, preset }: Cell): (Recipe | Missing)[] {
  return searches.flatMap((search) => {
    const config = configOf(folder, search);
    const outcomes = join(folder, `${search}.jsonl`);
    const lines = existsSync(outcomes) ? readFileSync(outcomes, "utf8").trim().split("\n") : [];
    const last = lines
      .map((line) => JSON.parse(line) as Outcome)
      .filter(({ stage, kept }) => stage === config.stages.length && kept);
    return config.methods.map((method): Recipe | Missing => {
      const found = last.find((one) => one.method === method);
      if (!found) return { method, search };
      const reused = config.base["preset"] !== preset;
      return { method, settings: found.settings, search, reused };
    });
  });
}

/** Five seeds on sealed test levels: for the searched preset itself these are the runs that ended its search. */
export function sweepOfCell(folder: string, cell: Cell, recipes: readonly Recipe[]): SweepFile {
  const { base, final } = configOf(folder, cell.searches[0]!);
  const scores = ["reward", "success"].map(
    (name) => `val-env/${cell.environment.toLowerCase()}/${name}`,
  );
  return {
    base: { ...base, preset: cell.preset },
    variants: recipes.map(({ method, settings }) => ({
      name: method,
      set: { algorithms: [{ name: method, set: {} }] },
      changes: { ...settings, iterations: final.iterations, "evaluation.set": "test" },
    })),
    seeds: final.seeds,
    measures: scores,
  };
}

export const planOfCell = (folder: string, cell: Cell, recipes: readonly Recipe[]) =>
  planSweep(sweepOfCell(folder, cell, recipes));
