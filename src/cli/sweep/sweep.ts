/**
 * `sweep FILE --out DIR`: trains every unfinished run of a sweep, and summarises. `--plan` prints a
 * command for each instead, which uses `--run NAME`; `--collect DIR` summarises folders from many
 * machines, `--keep FILE` stores the results in a small file.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, setPriority } from "node:os";
import { join } from "node:path";
import { InputError, show } from "../../numeric/inputError.ts";
import { RUN_FILES } from "../../train/runFiles.ts";
import { parseArgs, userPath, type Args } from "../args.ts";
import type { Command, Output } from "../command.ts";
import { readJsonFile } from "../readFile.ts";
import { waitForLock } from "../runLock.ts";
import { trainCommand } from "../train.ts";
import { collectFolders } from "./collect.ts";
import { KeptResults } from "./keptResults.ts";
import { readResult, runFolderOf } from "./results.ts";
import { summariseRuns, type Summary, type SummaryRow } from "./summary.ts";
import { planSweep, type PlannedRun, type Sweep } from "./sweepFile.ts";
import { spawn } from "node:child_process";
import { launcher } from "../assets.ts";
import { greatest } from "../../numeric/lists.ts";
import { significant } from "../../numeric/significant.ts";
import type { Interval } from "../../numeric/statistics.ts";

const OPTIONS = {
  out: { type: "string" },
  jobs: { type: "integer", min: 1, max: 64 },
  nice: { type: "integer", min: 0, max: 19 },
  workers: { type: "integer", min: 1, max: 16 },
  "checkpoint-every": { type: "integer", min: 1 },
  plan: { type: "flag" },
  run: { type: "string" },
  keep: { type: "string" },
  collect: { type: "string", repeat: true },
} as const;

export const sweepCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, OPTIONS);
  const [file, ...rest] = args.words;
  if (file === undefined || rest.length > 0)
    throw new InputError(`sweep takes one JSON file; got ${show(args.words.join(" "))}`);
  const plan = planSweep(readJsonFile("sweep file", file));
  const folders = args.list("collect");
  if (folders.length > 0) return reportCollected(plan, folders.map(userPath), out);
  const directory = args.string("out");
  if (!directory) throw new InputError("sweep needs --out DIR, or --collect DIR");
  const run = args.string("run");
  if (args.flag("plan")) return printPlan(plan, file, directory, args, out);
  if (run !== undefined) return trainOne(named(plan, run), userPath(directory), args, out);
  return trainAll(plan, { file, directory: userPath(directory), args, out });
};

/** Exit code 1 if fingerprints differ between folders. */
function reportCollected(plan: Sweep, folders: string[], out: Output): number {
  const { results, overlaps, disagreements } = collectFolders(plan, folders);
  const summary = summariseRuns(results, plan.measures);
  out.json({ ...summary, overlaps, disagreements });
  for (const line of summaryTable(summary)) out.progress(line);
  if (disagreements.length === 0) return 0;
  const names = disagreements.map(({ run }) => run).join(", ");
  out.progress(`fingerprints differ between folders: ${names}`);
  return 1;
}

/** The arguments of a run's command, after `turnbook`. */
function wordsOf(run: PlannedRun, file: string, directory: string, args: Args): string[] {
  const workers = String(args.number("workers") ?? 1);
  const every = args.number("checkpoint-every");
  return [
    ...["sweep", file, "--out", directory, "--run", run.name, "--workers", workers],
    ...(every === undefined ? [] : ["--checkpoint-every", String(every)]),
  ];
}

/** Independent commands: for GNU parallel, an array of batch jobs, or other machines. */
function printPlan(
  { runs }: Sweep,
  file: string,
  directory: string,
  args: Args,
  out: Output,
): void {
  for (const run of runs) {
    const words = wordsOf(run, file, directory, args).map(quoted).join(" ");
    (out.text ?? out.json)(`npm run -s turnbook -- ${words}`);
  }
}

/** For a POSIX shell. */
function quoted(word: string): string {
  return /^[\w./=:,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function named({ runs }: Sweep, name: string): PlannedRun {
  const run = runs.find((one) => one.name === name);
  if (run) return run;
  throw new InputError(
    `option --run is ${show(name)}; the sweep has ${runs.length} runs, the first ${show(runs[0]?.name)}`,
  );
}

/** Milliseconds within which a run notices that its sweep is gone, even on a busy machine. */
const ORPHAN_ENDS = 30_000;

async function trainOne(run: PlannedRun, directory: string, args: Args, out: Output) {
  endWithSweep();
  mkdirSync(join(directory, "specs"), { recursive: true });
  const spec = join(directory, "specs", `${run.name}.json`);
  writeFileSync(spec, `${JSON.stringify(run.spec, null, 2)}\n`);
  const folder = runFolderOf(directory, run);
  // The same run of a sweep that was just killed ends at its next step.
  await waitForLock(join(folder, RUN_FILES.lock), ORPHAN_ENDS);
  const every = args.number("checkpoint-every");
  const words = [
    ...[spec, "--out", folder, "--workers", String(args.number("workers") ?? 1)],
    ...(every === undefined ? [] : ["--checkpoint-every", String(every)]),
  ];
  await trainCommand(words, out);
}

interface AskedSweep {
  file: string;
  directory: string;
  args: Args;
  out: Output;
}

/** Exit code 1 if a run's process has failed. A method that crashed does not count: the run has ended, and reports it. */
async function trainAll(plan: Sweep, { file, directory, args, out }: AskedSweep): Promise<number> {
  const keep = args.string("keep");
  const kept = keep === undefined ? undefined : new KeptResults(userPath(keep));
  const resultOf = (run: PlannedRun) => {
    const result = readResult(directory, run);
    if (result.state !== "done") return kept?.find(run) ?? result;
    kept?.add(result);
    return result;
  };
  const open = plan.runs.filter((run) => resultOf(run).state !== "done");
  const queue = open.map((run): Job => {
    return { name: run.name, args: wordsOf(run, userPath(file), directory, args) };
  });
  out.progress(`${plan.runs.length} runs, ${plan.runs.length - open.length} already finished`);
  const failures = await runAll(queue, {
    jobs: args.number("jobs") ?? availableParallelism(),
    nice: args.number("nice") ?? 0,
    onEnd: ({ name }, failure, done) => {
      out.progress(`[${done}/${queue.length}] ${name}${failure ? `: ${failure.why}` : ""}`);
      resultOf(named(plan, name)); // stores it
    },
  });
  const summary = { ...summariseRuns(plan.runs.map(resultOf), plan.measures), failures };
  out.json(summary);
  for (const line of summaryTable(summary)) out.progress(line);
  return failures.length > 0 ? 1 : 0;
}

interface Job {
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

/** Runs of a sweep as separate processes, a limited number at a time; a failed one does not stop the others. */
async function runAll(queue: readonly Job[], options: ProcessOptions): Promise<JobFailure[]> {
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
function endWithSweep(): void {
  if (!process.channel) return;
  process.on("disconnect", () => process.exit(1));
  process.channel.unref();
}

const HEAD = ["setting", "method", "runs", "mean", "95 %", "IQM", "95 %", "collapsed", "stopped"];

/** A table for each measure, of aligned lines. */
export function summaryTable({ rows }: Pick<Summary, "rows">): string[] {
  const measures = [...new Set(rows.map(({ measure }) => measure))];
  return measures.flatMap((measure) => {
    const own = rows.filter((row) => row.measure === measure);
    return [measure, ...aligned([HEAD, ...own.map(cellsOf)])];
  });
}

/** A sweep's summary as a table for a terminal. */
function cellsOf(row: SummaryRow): string[] {
  const { setting, method, n, mean, tInterval, iqm, bootstrap, collapsed } = row;
  return [
    ...[setting, method, String(n)],
    ...[short(mean), range(tInterval), short(iqm), range(bootstrap)],
    ...[String(collapsed), stoppedOf(row)],
  ];
}

function stoppedOf({ stopped, stoppedEarly }: SummaryRow): string {
  return stoppedEarly > 0 ? `${stopped} (${stoppedEarly} by the doctor)` : String(stopped);
}

const short = (x: number | null) => (x === null ? "-" : String(significant(x, 3)));

function range(interval: Interval | null): string {
  return interval ? `${short(interval.low)} to ${short(interval.high)}` : "-";
}

function aligned(table: readonly string[][]): string[] {
  const widths = HEAD.map((_, c) => greatest(table.map((cells) => cells[c]!.length)));
  return table.map((cells) =>
    cells
      .map((cell, c) => cell.padEnd(widths[c]!))
      .join("  ")
      .trimEnd(),
  );
}
