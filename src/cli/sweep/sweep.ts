/**
 * `sweep FILE --out DIR`: trains every unfinished run of a sweep, and summarises. `--plan` prints a
 * command for each instead, which uses `--run NAME`; `--collect DIR` summarises folders from many
 * machines, `--keep FILE` stores the results in a small file.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { InputError, show } from "../../numeric/inputError.ts";
import { RUN_FILES } from "../../train/runFiles.ts";
import { parseArgs, userPath, type Args } from "../args.ts";
import type { Command } from "../command.ts";
import type { Output } from "../command.ts";
import { readJsonFile } from "../readFile.ts";
import { waitForLock } from "../runLock.ts";
import { trainCommand } from "../train.ts";
import { collectFolders } from "./collect.ts";
import { KeptResults } from "./keptResults.ts";
import { endWithSweep, runAll, type Job } from "./processes.ts";
import { readResult, runFolderOf } from "./results.ts";
import { summariseRuns } from "./summary.ts";
import { summaryTable } from "./summaryTable.ts";
import { planSweep, type PlannedRun, type Sweep } from "./sweepFile.ts";

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
