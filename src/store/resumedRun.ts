/** What a kept run is for a session that goes on with it. */
import type { RawRun } from "../reading/log/rawRun.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import type { KeptRun } from "../runtime/shelf/keptRuns.ts";

/** A kept run, read. */
export interface ResumedRun {
  kept: KeptRun;
  raw: RawRun;
  log: RunLog;
  /** Portions of its lines that are kept as they are. */
  stored: number;
  /** Gives it back to other tabs. */
  release(): void;
}
