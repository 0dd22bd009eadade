/** Sentences of pages that say who is better: made from a cell's kept runs, so that no text claims more than they show. */
import type { Cell, FindRun } from "./cells.ts";
import { contrastsOf, survives, titleOf, type Contrast } from "./contrasts.ts";
import { entriesOf, percent, type Entry } from "./table.ts";

/** Success at the end of each method, best first, and at the start; then Turn-PPO against each other method. */
export function claimsOf(folder: string, cell: Cell, find: FindRun): string[] {
  const entries = entriesOf(folder, cell, find).filter(({ results }) => results.length > 1);
  const all = contrastsOf(folder, find);
  const own = all.filter((one) => one.cell === cell.name);
  return own.length === 0 ? [] : [scores(entries), ...own.map((one) => difference(one))];
}

function scores(entries: readonly Entry[]): string {
  const ranked = [...entries].sort((a, b) => (b.success.mean ?? 0) - (a.success.mean ?? 0));
  const each = ranked.map(
    ({ recipe, success }) => `${titleOf(recipe.method)} ${percent(success.mean)}`,
  );
  const start = ranked[0]!.success.scores[0]!.first;
  return `${each.join(", ")}, from ${percent(start)}`;
}

function difference(contrast: Contrast): string {
  const { b, mean, interval } = contrast;
  const range = `95 % interval ${tenth(interval.low)} to ${tenth(interval.high)}`;
  if (!survives(contrast)) return `Turn-PPO minus ${b} is ${tenth(mean)} (${range}): open.`;
  const more = mean > 0 ? "more" : "less";
  return `Turn-PPO earns ${tenth(Math.abs(mean))} ${more} per episode than ${b} (${range}).`;
}

const tenth = (x: number) => x.toFixed(1).replace("-", "−");
