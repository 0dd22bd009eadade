/**
 * The runs that can be compared: the one that panels show, the recorded one behind it, and those
 * held in memory, pinned or imported. These belong to the page: a reset or another experiment does
 * not remove them.
 */
import { createStore } from "zustand/vanilla";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { RunLog, RunView } from "../reading/log/runLog.ts";

export interface NamedRun {
  /** Constant for a log as long as the page lives. */
  id: string;
  /** Index of this run in order of arrival, from 0. */
  place: number;
  label: string;
  /** shared: its curves came with a link. */
  origin: "live" | "recorded" | "kept" | "imported" | "shared";
  /** Null if a log does not have it. */
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

/** Each holds episodes of 600 iterations; more runs than this would fill the page's memory. */
export const MAX_KEPT = 12;

export const runShelf = createStore<RunShelf>(() => ({ runs: [] }));

/** Keeps a run in memory; false if there is no space, or it is kept already. */
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

/** A run's name until the reader changes it: that of its file. */
export function nameRun(log: RunLog, name: string): void {
  ownNames.set(log, name);
}

export function ownNameOf(log: RunLog): string | undefined {
  return ownNames.get(log);
}

const numbers = new WeakMap<RunLog, number>();
let known = 0;

/** A unique number for each run of the page, in order of arrival. */
function numberOf(log: RunLog): number {
  const number = numbers.get(log) ?? known++;
  numbers.set(log, number);
  return number;
}

/** So that letters start with A, whatever runs there were before. */
function placed(runs: readonly NamedRun[]): NamedRun[] {
  const inOrder = [...runs].sort((a, b) => a.place - b.place);
  return runs.map((run) => ({ ...run, place: inOrder.indexOf(run) }));
}

/**
 * All runs: first the one that panels show, then that of its link's sender, the recorded one if it
 * is another, those kept, and recorded seeds.
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
  // This page's recorded run does not apply to a run from elsewhere.
  if (recorded && view.origin !== "imported")
    add(recorded.log, keptLabel(recorded.log) ?? "recorded run", "recorded");
  for (const { log, label, origin } of shelf.runs) add(log, label, origin);
  if (view.origin !== "imported")
    for (const log of seeds) add(log, ownNameOf(log) ?? "recorded seed", "recorded");
  return placed(runs);
}
