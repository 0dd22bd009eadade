/** `record seeds DIR... --out FILE`: finished runs that differ in their seeds (or methods), as one file for drawing a band. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { encodeSeeds } from "../../interchange/columnar/seeds.ts";
import { mean, tInterval } from "../../numeric/statistics.ts";
import type { EvalEvent, RunEvent } from "../../record/runEvent.ts";
import { hasCollapsed, isScore, type EvaluationScore } from "../../spec/collapse.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { learnerNames } from "../../spec/preference.ts";
import { specOfLog } from "../../train/oracle/replay.ts";
import { RUN_FILES } from "../../train/runFiles.ts";
import { parseArgs, userPath } from "../args.ts";
import { keptLog } from "../keptRun.ts";
import type { Command } from "../command.ts";
import { onFiles } from "../fileError.ts";
import { makeFolder, replaceFile } from "../wholeFile.ts";

const OPTIONS = {
  out: { type: "string" },
  command: { type: "string" },
  force: { type: "flag" },
} as const;

export const seedsCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, OPTIONS);
  const file = args.string("out");
  if (!file) throw new InputError("record seeds needs --out FILE, the file to write");
  if (args.words.length === 0)
    throw new InputError("record seeds takes run folders, or folders of a sweep; got none");
  const folders = args.words.flatMap((word) => runFolders(userPath(word), word));
  const logs = folders.map(finishedLog);
  checkSeedRuns(logs, folders);
  const place = userPath(file);
  if (existsSync(place) && !args.flag("force"))
    throw new InputError(`--out ${file} exists; add --force to replace it`);
  const command = args.string("command") ?? `npm run -s turnbook -- record seeds ${argv.join(" ")}`;
  const text = encodeSeeds(command, logs);
  onFiles(`--out ${file} cannot be written`, () => {
    makeFolder(dirname(place));
    replaceFile(place, text);
  });
  out.json({ file, bytes: Buffer.byteLength(text), runs: logs.length, methods: summary(logs) });
};

/** The folder itself if it is a run; else its runs, or those of the sweep that it is. */
function runFolders(path: string, asked: string): string[] {
  if (existsSync(join(path, RUN_FILES.log))) return [path];
  for (const folder of [join(path, "runs"), path]) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) continue;
    const inside = readdirSync(folder)
      .sort()
      .map((name) => join(folder, name));
    const runs = inside.filter((one) => existsSync(join(one, RUN_FILES.log)));
    if (runs.length > 0) return runs;
  }
  throw new InputError(`${show(asked)} holds no run`);
}

/** All its numbers count: an unfinished run would end the band early. */
function finishedLog(folder: string): RunEvent[] {
  const events = keptLog(folder);
  if (events.at(-1)?.type === "end") return events;
  throw new InputError(`${folder} holds an unfinished run: finish its training first`);
}

/** @throws InputError if a method's seed occurs twice: it would count as additional evidence. */
function checkSeedRuns(logs: readonly RunEvent[][], folders: readonly string[]): void {
  const known = new Map<string, string>();
  logs.forEach((log, i) => {
    const spec = specOfLog(log);
    for (const name of learnerNames(spec)) {
      const key = `${name} with seed ${spec.seed}`;
      const other = known.get(key);
      if (other !== undefined)
        throw new InputError(`${key} appears twice, in ${other} and ${folders[i]!}`);
      known.set(key, folders[i]!);
    }
  });
}

/** For each method: seeds, and success at the last evaluation with its interval. */
function summary(logs: readonly RunEvent[][]) {
  const methods = new Set(logs.flatMap((log) => learnerNames(specOfLog(log))));
  return [...methods].map((method) => {
    const own = logs.filter((log) => learnerNames(specOfLog(log)).includes(method));
    const last = own.flatMap((log) => scoresIn(log, method, "success").at(-1) ?? []);
    const { low, high } = tInterval(last);
    const hasCrashed = (log: RunEvent[]) =>
      log.some((event) => event.type === "crash" && event.algorithm === method);
    const crashed = own.filter(hasCrashed).length;
    const collapsed = own.filter((log) =>
      hasCollapsed(hasCrashed(log), (score) => scoresIn(log, method, score)),
    ).length;
    const known = last.length === 0 ? null : mean(last);
    return { method, seeds: own.length, success: known, low, high, crashed, collapsed };
  });
}

function scoresIn(log: readonly RunEvent[], method: string, score: EvaluationScore): number[] {
  const isOwn = (event: RunEvent): event is EvalEvent =>
    event.type === "eval" && event.algorithm === method;
  return log.filter(isOwn).flatMap(({ metrics }) => {
    const name = Object.keys(metrics).find((one) => isScore(one, score));
    return name === undefined ? [] : [metrics[name]!];
  });
}
