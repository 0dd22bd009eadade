/**
 * The runs that can be looked at side by side: the one that panels show, the recorded one behind it, and those
 * kept in memory, pinned or imported. Kept runs belong to the page: a reset or another experiment leaves them.
 */
import { createStore } from "zustand/vanilla";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { RunLog, RunView } from "../reading/log/runLog.ts";

export interface NamedRun {
  /** The same for a log as long as the page lives, wherever it stands. */
  id: string;
  /** The how manieth of these runs the page came to know, from 0. */
  place: number;
  label: string;
  /** shared: its curves came with a link. */
  origin: "live" | "recorded" | "kept" | "imported" | "shared";
  /** Null where a log does not say. */
  spec: ExperimentSpec | null;
  log: RunLog;
  /** The log's version when the list was made: a run may still grow. */
  version: number;
}

interface Kept {
  label: string;
  origin: "kept" | "imported";
  log: RunLog;
}

interface RunShelf {
  /** Oldest first. */
  runs: readonly Kept[];
}

/** Episodes of 600 iterations are kept with each; more runs than this would fill the page's memory. */
export const MAX_KEPT = 12;

export const runShelf = createStore<RunShelf>(() => ({ runs: [] }));

/** Keeps a run in memory; false when there is no room, or it is kept already. */
export function keepRun(log: RunLog, label: string, origin: Kept["origin"] = "kept"): boolean {
  const { runs } = runShelf.getState();
  if (runs.length >= MAX_KEPT || runs.some((run) => run.log === log)) return false;
  runShelf.setState({ runs: [...runs, { label, origin, log }] });
  return true;
}

export function dropRun(log: RunLog): void {
  runShelf.setState(({ runs }) => ({ runs: runs.filter((run) => run.log !== log) }));
}

export function renameRun(log: RunLog, label: string): void {
  runShelf.setState(({ runs }) => ({
    runs: runs.map((run) => (run.log === log ? { ...run, label } : run)),
  }));
}

export function isKept(log: RunLog, { runs }: RunShelf = runShelf.getState()): boolean {
  return runs.some((run) => run.log === log);
}

const LABELS = { live: "this run", recorded: "recorded run", imported: "imported run" } as const;

const ownNames = new WeakMap<RunLog, string>();

/** What a run is called before the reader names it: the file that it came in. */
export function nameRun(log: RunLog, name: string): void {
  ownNames.set(log, name);
}

export function ownNameOf(log: RunLog): string | undefined {
  return ownNames.get(log);
}

const numbers = new WeakMap<RunLog, number>();
let known = 0;

/** Each run of the page has its own, in the order in which they came. */
function numberOf(log: RunLog): number {
  const number = numbers.get(log) ?? known++;
  numbers.set(log, number);
  return number;
}

/** So that letters begin with A, whatever runs there were before. */
function placed(runs: readonly NamedRun[]): NamedRun[] {
  const inOrder = [...runs].sort((a, b) => a.place - b.place);
  return runs.map((run) => ({ ...run, place: inOrder.indexOf(run) }));
}

/**
 * All runs there are: first the one that panels show, then that of its link's sender, the recorded one if it is another, those
 * kept, and recorded seeds.
 */
export function runsOf(
  view: RunView,
  recorded: RunView | null,
  shelf: RunShelf,
  seeds: readonly RunLog[] = [],
  sent: RunLog | null = null,
): NamedRun[] {
  const runs: NamedRun[] = [];
  const add = (log: RunLog, label: string, origin: NamedRun["origin"]) => {
    if (runs.some((run) => run.log === log)) return;
    const spec = log.start?.spec ?? null;
    const place = numberOf(log);
    runs.push({ id: `run${place}`, place, label, origin, spec, log, version: log.version });
  };
  const keptLabel = (log: RunLog) => shelf.runs.find((run) => run.log === log)?.label;
  if (view.origin !== "none") {
    const label = keptLabel(view.log) ?? ownNameOf(view.log) ?? LABELS[view.origin];
    add(view.log, label, view.origin);
  }
  if (sent) add(sent, "sender’s run", "shared");
  // What was recorded for this page says nothing about a run from elsewhere.
  if (recorded && view.origin !== "imported")
    add(recorded.log, keptLabel(recorded.log) ?? "recorded run", "recorded");
  for (const { log, label, origin } of shelf.runs) add(log, label, origin);
  if (view.origin !== "imported")
    for (const log of seeds) add(log, ownNameOf(log) ?? "recorded seed", "recorded");
  return placed(runs);
}
