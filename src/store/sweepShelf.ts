/**
 * Where a notebook's sweeps store their runs: each by what it trains, so that cells may be renamed,
 * copied, deleted and restored, and two of them share a run that both request.
 */
import type { SweepRun } from "../notebook/cells/sweep/plan.ts";
import { sha256OfText } from "../numeric/sha256.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import type { Claim } from "../runtime/shelf/claim.ts";
import type { KeptRun, RunRecords } from "../runtime/shelf/keptRuns.ts";
import { readKept } from "./resumeRun.ts";
import type { ResumedRun } from "./resumedRun.ts";

/** A stored run that has not finished. */
export interface KeptSweepRun {
  iteration: number;
  /** Claims it for this tab; null if another has it, or it is gone. Rejects if it is damaged. */
  takeUp(): Promise<ResumedRun | null>;
}

export interface SweepShelf {
  /** What is stored of them, by key. */
  find(runs: readonly SweepRun[]): Promise<ReadonlyMap<string, { log: RunLog } | KeptSweepRun>>;
  /** Records which runs are still to come, for the tab's next page. */
  remember(pending: readonly SweepRun[]): void;
  /** One tab trains them at a time. */
  claim: Pick<Claim, "take" | "isElsewhere" | "changed" | "onChange">;
  /** The runs that were still to come when the tab was reloaded, in order, without duplicates. */
  asked(runs: readonly SweepRun[]): SweepRun[];
}

/** @param home address of the notebook, such as #book/k3x9. */
export function placeOfSweepRun(home: string, run: Pick<SweepRun, "key">): string {
  return `${home}/~${digestOfSweepRun(run)}`;
}

/** Identifies what it trains, in 32 hexadecimal digits. */
export function digestOfSweepRun({ key }: Pick<SweepRun, "key">): string {
  return sha256OfText(key).slice(0, 32);
}

/** The newest of each place; unreadable ones are left out. */
export async function findSweepRuns(
  runs: readonly SweepRun[],
  placeOf: (run: SweepRun) => string,
  { records, claim }: { records: RunRecords; claim: Parameters<typeof readKept>[2] },
): Promise<ReadonlyMap<string, { log: RunLog } | KeptSweepRun>> {
  const kept = new Map((await records.list()).reverse().map((one) => [one.place, one]));
  const found = new Map<string, { log: RunLog } | KeptSweepRun>();
  for (const run of runs) {
    const one = kept.get(placeOf(run));
    if (one?.state === "finished") {
      const log = await finishedLog(one, records);
      if (log) found.set(run.key, { log });
    } else if (one)
      found.set(run.key, {
        iteration: one.iteration,
        takeUp: async () => goingOn(await readKept(one.id, records, claim)),
      });
  }
  return found;
}

/** It is no longer written, so it is read without a claim. */
async function finishedLog({ id }: KeptRun, records: RunRecords): Promise<RunLog | null> {
  const read = await readKept(id, records, async () => () => {}).catch(() => null);
  return read?.log ?? null;
}

/** Even if it was paused: a request means that it should train. */
function goingOn(run: ResumedRun | null): ResumedRun | null {
  return run && { ...run, kept: { ...run.kept, state: "running" } };
}
