/** A stored run for `oracle`: its log, which must be intact, and its checkpoints. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../record/runEvent.ts";
import { InputError } from "../numeric/inputError.ts";
import type { Checkpoint } from "../train/checkpoint.ts";
import { keptCheckpoint, RUN_FILES } from "../train/runFiles.ts";
import { logChunks, readLog, readLogHash } from "./logFile.ts";
import { keptIterations, readCheckpoint } from "./resumePoint.ts";

/** The log as it is, without a last line that is still being written. @throws InputError if there is none, or it was altered. */
export function keptLog(directory: string): RunEvent[] {
  const path = join(directory, RUN_FILES.log);
  if (!existsSync(path))
    throw new InputError(`${directory} holds no run: ${RUN_FILES.log} is missing`);
  const events: RunEvent[] = [];
  // Read before the log, which only grows: the run may be writing.
  const hash = readLogHash(directory);
  const { integrity, lines } = readLog(logChunks(path), hash, (event) => events.push(event));
  if (integrity.state === "intact" || lines === 0) return events;
  const { line, why } =
    integrity.state === "altered" ? integrity : { line: 1, why: "no event has a chain" };
  throw new InputError(`${path} is altered from line ${line}: ${why}`);
}

/** The last checkpoint before an iteration's updates; undefined if there is none. */
export async function nearestCheckpoint(
  directory: string,
  iteration: number,
): Promise<Checkpoint | undefined> {
  const kept = keptIterations(directory).find((n) => n < iteration) ?? 0;
  for (const name of [RUN_FILES.checkpoint, RUN_FILES.previous]) {
    if (!existsSync(join(directory, name))) continue;
    const { position, ...rest } = await readCheckpoint(directory, name);
    const stands = position.next === 0 ? position.iteration : Infinity;
    if (stands <= iteration && stands > kept) return { position, ...rest };
  }
  return kept === 0 ? undefined : readCheckpoint(directory, keptCheckpoint(kept));
}
