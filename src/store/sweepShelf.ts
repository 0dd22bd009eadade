/**
 * Where a notebook's sweeps keep their runs: each by what it trains, so that cells may be renamed, copied, deleted and brought
 * back, and two of them share a run that both ask for.
 */
import type { SweepRun } from "../notebook/sweepCell.ts";
import { sha256OfText } from "../numeric/sha256.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import type { SweepClaim } from "../runtime/shelf/claimSweeps.ts";
import type { KeptRun, RunRecords } from "../runtime/shelf/keptRuns.ts";
import { readKept } from "./resumeRun.ts";
import type { ResumedRun } from "./resumedRun.ts";

/** A kept run that has not finished. */
export interface KeptSweepRun {
  iteration: number;
  /** Takes it for this tab; null where another has it, or it is gone. Rejects where it is damaged. */
  takeUp(): Promise<ResumedRun | null>;
}

export interface SweepShelf {
  /** What is kept of them, by key. */
  find(runs: readonly SweepRun[]): Promise<ReadonlyMap<string, { log: RunLog } | KeptSweepRun>>;
  /** Notes what is still to come, for the tab's next page. */
  remember(pending: readonly SweepRun[]): void;
  /** One tab trains them at a time. */
  claim: Pick<SweepClaim, "take" | "isElsewhere" | "changed" | "onChange">;
  /** Those of the runs that were still to come when the tab was reloaded, in their order; each once. */
  asked(runs: readonly SweepRun[]): SweepRun[];
}

/** @param home address of the notebook, such as #book/k3x9. */
export function placeOfSweepRun(home: string, run: Pick<SweepRun, "key">): string {
  return `${home}/~${digestOfSweepRun(run)}`;
}

/** Names what it trains, in 32 hexadecimal digits. */
export function digestOfSweepRun({ key }: Pick<SweepRun, "key">): string {
  return sha256OfText(key).slice(0, 32);
}

/** The newest of each place; those that cannot be read are left out. */
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

/** Nobody writes it any more: it is read without being taken. */
async function finishedLog({ id }: KeptRun, records: RunRecords): Promise<RunLog | null> {
  const read = await readKept(id, records, async () => () => {}).catch(() => null);
  return read?.log ?? null;
}

/** Also where it was paused: whoever asks for a run wants it to train. */
function goingOn(run: ResumedRun | null): ResumedRun | null {
  return run && { ...run, kept: { ...run.kept, state: "running" } };
}
