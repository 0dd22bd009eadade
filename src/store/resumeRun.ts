/** Reads a run stored in the browser so that it can continue. */
import { RawRun } from "../reading/log/rawRun.ts";
import { RunLog } from "../reading/log/runLog.ts";
import { readRecording } from "../reading/log/recording.ts";
import type { RunRecords, WholeRun } from "../runtime/shelf/keptRuns.ts";
import { validateSpec } from "../spec/experiment.ts";
import type { ResumedRun } from "./resumedRun.ts";

/**
 * @param claim claims it for this tab, see runtime/shelf/claim.ts.
 * @returns null if another tab has it, or it is gone.
 * @throws Error if the stored data is damaged.
 */
export async function readKept(
  id: string,
  records: RunRecords,
  claim: (id: string) => Promise<(() => void) | null>,
): Promise<ResumedRun | null> {
  const release = await claim(id);
  if (!release) return null;
  try {
    // From here on no other tab writes it.
    const whole = await records.read(id);
    const run = whole && (await runOf(whole));
    if (run) return { ...run, release };
    release();
    return null;
  } catch (error) {
    release();
    throw error;
  }
}

async function runOf({
  run,
  lines,
  stored,
  checkpoint,
}: WholeRun): Promise<Omit<ResumedRun, "release">> {
  const spec = validateSpec(run.spec);
  const raw = new RawRun(spec);
  for (const { bytes, events } of lines) raw.append(bytes, events);
  const bytes = new Uint8Array(await (await raw.blob()).arrayBuffer());
  const read = await readRecording(bytes);
  const log = read?.log;
  const events = lines.reduce((sum, some) => sum + some.events, 0);
  if ((log?.version ?? 0) !== events)
    throw new Error(`the kept run has ${log?.version ?? 0} of ${events} events that can be read`);
  if ((checkpoint?.events ?? 0) > events)
    throw new Error("the kept run's checkpoint is beyond its log");
  raw.checkpoint = checkpoint;
  return { kept: run, raw, stored, log: log ?? new RunLog() };
}
