/** Runs of a sweep as separate processes, a limited number at a time; a failed one does not stop the others. */
import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { launcher } from "../assets.ts";

export interface Job {
  name: string;
  /** Arguments of `turnbook`. */
  args: string[];
}

interface JobFailure {
  run: string;
  /** Exit code; null if a signal ended it. */
  code: number | null;
  /** The last line it wrote to stderr. */
  why: string;
}

interface ProcessOptions {
  /** Number of runs at a time. */
  jobs: number;
  /** 0 to 19: scheduling priority below other processes. */
  nice: number;
  onEnd: (job: Job, failure: JobFailure | null, done: number) => void;
}

export async function runAll(
  queue: readonly Job[],
  options: ProcessOptions,
): Promise<JobFailure[]> {
  const waiting = [...queue];
  const failures: JobFailure[] = [];
  let done = 0;
  const work = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      const failure = await runOne(job, options.nice);
      if (failure) failures.push(failure);
      options.onEnd(job, failure, ++done);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return failures;
}

function runOne({ name, args }: Job, nice: number): Promise<JobFailure | null> {
  return new Promise((resolve) => {
    // Through the channel it notices when the sweep is gone, and ends too.
    const child = spawn(process.execPath, [launcher(), ...args], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    if (nice > 0 && child.pid !== undefined) setPriority(child.pid, nice);
    let said = "";
    child.stderr!.on("data", (data: Buffer) => (said = (said + data.toString()).slice(-2000)));
    child.on("error", (error) => resolve({ run: name, code: null, why: error.message }));
    child.on("close", (code) => {
      const why = said.trim().split("\n").at(-1) ?? "";
      resolve(code === 0 ? null : { run: name, code, why });
    });
  });
}

/** In a run's process: ends with the sweep that started it. */
export function endWithSweep(): void {
  if (!process.channel) return;
  process.on("disconnect", () => process.exit(1));
  process.channel.unref();
}
