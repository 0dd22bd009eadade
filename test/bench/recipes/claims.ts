/** Sentences of pages and README that say who is better: made from a cell's kept runs, so that no text claims more than they show. */
import { mean, tInterval } from "../../../src/numeric/statistics.ts";
import { pairedBySeed } from "../../../src/cli/sweep/seedStatistics.ts";
import type { Cell } from "./cells.ts";
import { entriesOf, percent, type Entry, type FindRun } from "./table.ts";
import { titleOf } from "./verdicts.ts";

const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** Success at the end of each method, best first, and at the start; then Turn-PPO against each other method. */
export function claimsOf(folder: string, cell: Cell, find: FindRun): string[] {
  const entries = entriesOf(folder, cell, find).filter(({ results }) => results.length > 1);
  const turn = entries.find(({ recipe }) => recipe.method === "turn-ppo");
  if (!turn) return [];
  const others = entries.filter((one) => one !== turn);
  return [scores(entries), ...others.map((other) => difference(turn, other))];
}

function scores(entries: readonly Entry[]): string {
  const ranked = [...entries].sort((a, b) => (b.success.mean ?? 0) - (a.success.mean ?? 0));
  const each = ranked.map(
    ({ recipe, success }) => `${titleOf(recipe.method)} ${percent(success.mean)}`,
  );
  const start = ranked[0]!.success.scores[0]!.first;
  return `${each.join(", ")}, from ${percent(start)}`;
}

function difference(turn: Entry, other: Entry): string {
  const gaps = pairedBySeed(turn.reward.scores, other.reward.scores);
  const { low, high } = tInterval(gaps);
  const interval = `95 % interval ${tenth(low)} to ${tenth(high)}`;
  const name = titleOf(other.recipe.method);
  if (low > 0)
    return `Turn-PPO earns ${tenth(mean(gaps))} more per episode than ${name} (${interval}).`;
  if (high < 0)
    return `Turn-PPO earns ${tenth(-mean(gaps))} less per episode than ${name} (${interval}).`;
  const seeds = COUNTS[gaps.length] ?? String(gaps.length);
  return `Turn-PPO minus ${name} is ${tenth(mean(gaps))} (${interval}): ${seeds} seeds cannot tell which is better.`;
}

const tenth = (x: number) => x.toFixed(1).replace("-", "−");
