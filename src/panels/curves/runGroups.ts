/** Runs that differ only in their seed, together; and the letter that each run goes by. */
import { greatest, least } from "../../numeric/lists.ts";
import type { CurvesView } from "../../store/curvesView.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import type { NamedRun } from "../../store/runs.ts";

export interface RunGroup {
  id: string;
  /** Each with a seed of its own. */
  runs: NamedRun[];
  /** The same experiment with the same seed once more: a line of its own, because it is no further evidence. */
  again: boolean;
}

/** A, B, ..., Z, A2, B2, ...: in the order in which the page came to know the runs, which is the table's. */
export function letterOf(place: number): string {
  const round = Math.floor(place / 26);
  return String.fromCharCode(65 + (place % 26)) + (round === 0 ? "" : String(round + 1));
}

/** Letters of places in a line: "A, C", or "B–F" where more than three follow each other. */
export function lettersOf(places: readonly number[]): string {
  const [first, last] = [places[0]!, places.at(-1)!];
  const isRow = places.length > 3 && places.every((place, i) => place === first + i);
  return isRow ? `${letterOf(first)}–${letterOf(last)}` : places.map(letterOf).join(", ");
}

const ids = new Map<string, string>();

/** Whether nobody but the reader can say that a run differs from others only in its seed. */
export function lacksSeed({ spec }: NamedRun): boolean {
  return typeof spec?.seed !== "number";
}

/** What runs go by that the reader takes for seeds of one another. */
const TOGETHER = "together";

/** The same for runs that differ only in their seed. */
function configId(run: NamedRun, together: readonly string[]): string {
  if (lacksSeed(run)) return together.includes(run.id) ? TOGETHER : run.id;
  const rest = JSON.stringify(sorted({ ...run.spec, seed: null }));
  const known = ids.get(rest) ?? `config${ids.size + 1}`;
  ids.set(rest, known);
  return known;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

export function groupRuns(
  runs: readonly NamedRun[],
  { seeds, together }: Pick<CurvesView, "seeds" | "together">,
): RunGroup[] {
  if (seeds === "each") return runs.map((run) => ({ id: run.id, runs: [run], again: false }));
  const groups = new Map<string, RunGroup>();
  for (const run of runs) {
    const id = configId(run, together);
    const group = groups.get(id);
    const again = group?.runs.some((other) => isSameSeed(other, run)) ?? false;
    if (group && !again) group.runs.push(run);
    else groups.set(again ? run.id : id, { id: again ? run.id : id, runs: [run], again });
  }
  return [...groups.values()];
}

function isSameSeed(a: NamedRun, b: NamedRun): boolean {
  return !lacksSeed(a) && a.spec?.seed === b.spec?.seed;
}

/** How many iterations every method (that has not crashed) has; a foreign run's numbers need not begin at 1. */
export function finishedIterations(log: RunLog): number {
  const crashed = new Set(log.crashes.map(({ algorithm }) => algorithm));
  const counts = log.algorithms.map((name) => ({ name, n: log.iterations(name).length }));
  const going = counts.filter(({ name }) => !crashed.has(name));
  if (going.length === 0) return greatest([0, ...counts.map(({ n }) => n)]);
  return least(going.map(({ n }) => n));
}
