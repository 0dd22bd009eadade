/** Recorded seeds as logs: drawn as a band behind the run shown. */
import { decodeSeeds } from "../interchange/columnar/seeds.ts";
import { canonicalJson } from "../spec/canonical.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../numeric/inputError.ts";
import { readEvent } from "../reading/log/recordingSchema.ts";
import { RunLog, type RunView } from "../reading/log/runLog.ts";
import { nameRun } from "./runs.ts";

export interface SeedsSlice {
  /** One log per run, of one or several methods; empty if the page has no such file. */
  seeds: readonly RunLog[];
  /** The command that made them; "" without one. */
  seedsCommand: string;
}

export const NO_SEEDS: SeedsSlice = { seeds: [], seedsCommand: "" };

/** @throws InputError if the file is damaged or contains no runs. */
export async function readSeeds(text: string): Promise<SeedsSlice> {
  const { command, runs } = await decodeSeeds(text);
  const seeds = runs.map(({ events }) => {
    const log = new RunLog();
    for (const value of events) {
      const event = readEvent(value);
      if (!event) throw new InputError("the file of seeds has an invalid event");
      log.append(event);
    }
    if (!log.start) throw new InputError("a run of the file of seeds has no start event");
    nameRun(log, `recorded seed ${log.start.spec.seed}`);
    return log;
  });
  return { seeds, seedsCommand: command };
}

const NO_LOGS: readonly RunLog[] = [];
const known = new WeakMap<readonly RunLog[], Map<string, readonly RunLog[]>>();

/** Those with the tasks and the model of the run shown: others do not apply. Returns the same list each time. */
export function fitting({ log: { start } }: RunView, seeds: readonly RunLog[]): readonly RunLog[] {
  if (!start || seeds.length === 0) return NO_LOGS;
  const wanted = tasksOf(start.spec);
  const lists = known.get(seeds) ?? new Map<string, readonly RunLog[]>();
  known.set(seeds, lists);
  const list = lists.get(wanted) ?? seeds.filter((log) => tasksOf(log.start!.spec) === wanted);
  lists.set(wanted, list);
  return list;
}

/** Whether two runs have one environment and one model, so that one chart can show both. */
export function playsTheSame(one: ExperimentSpec, other: ExperimentSpec): boolean {
  return tasksOf(one) === tasksOf(other);
}

/** Logs of other versions may lack anything. */
function tasksOf({ environment, model }: ExperimentSpec): string {
  return canonicalJson({ environment, model: model ?? null });
}
