/** A stored run for a session that resumes it. */
import type { RawRun } from "../reading/log/rawRun.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import type { KeptRun } from "../runtime/shelf/keptRuns.ts";

/** A kept run, read. */
export interface ResumedRun {
  kept: KeptRun;
  raw: RawRun;
  log: RunLog;
  /** Portions of its lines already in storage. */
  stored: number;
  /** Releases it to other tabs. */
  release(): void;
}
