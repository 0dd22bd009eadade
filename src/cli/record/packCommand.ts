/** `record pack RUN --out DIR [--every N] [--episodes N] [--branches K]`: see record.ts. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../record/runEvent.ts";
import { packRecording, type FilesByName } from "../../interchange/columnar/pack.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { RUN_FILES } from "../../train/runFiles.ts";
import { outFolder, parseArgs, userPath, type Args } from "../args.ts";
import { keptLog } from "../keptRun.ts";
import { parseObject } from "../logFile.ts";
import type { Command, Output } from "../command.ts";
import { OutputFolder } from "../outputFolder.ts";
import { chunksOf, textLines } from "../textLines.ts";
import { TRAIN_OPTIONS } from "../trainOptions.ts";
import { isAltered, verifyRecording } from "../verifyFiles.ts";
import { keepsOf } from "./keptIterations.ts";
import { playedAgain } from "./playedAgain.ts";

export const PACK_OPTIONS = {
  every: { type: "integer", min: 1 },
  episodes: { type: "integer", min: 1 },
  branches: { type: "integer", min: 2, max: 512 },
  truths: { type: "integer", min: 0 },
  workers: TRAIN_OPTIONS.workers,
  out: { type: "string" },
  force: { type: "flag" },
} as const;

const DEFAULTS = { every: 10, episodes: 16, branches: 256, truths: 8 };

export const packCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, { ...PACK_OPTIONS, command: { type: "string" } });
  const [run, ...rest] = args.words;
  if (run === undefined || rest.length > 0)
    throw new InputError(
      `record pack takes one run folder, log or recording; got ${show(args.words.join(" "))}`,
    );
  const target = targetOf("record pack", args);
  await packInto(target, userPath(run), args.string("command"), args, out);
};

export function targetOf(command: string, args: Args): OutputFolder {
  if (outFolder(args) === undefined)
    throw new InputError(`${command} needs --out DIR, the folder to write`);
  return new OutputFolder(args.string("out")!, args.flag("force"));
}

/** `command`: the one that made the run, if the run does not have it. */
export async function packInto(
  target: OutputFolder,
  path: string,
  command: string | undefined,
  args: Args,
  out: Output,
): Promise<void> {
  const files = statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? await packFolder(path, command ?? "", args, out)
    : await packLines(path, command, args);
  target.write(files);
  const sizes = [...files].map(([name, { length }]) => [name, length] as const);
  const bytes = sizes.reduce((sum, [, length]) => sum + length, 0);
  out.json({ files: Object.fromEntries(sizes), bytes });
}

/** With weights and true values, which are computed by training the stored run again from its checkpoints. */
async function packFolder(
  folder: string,
  command: string,
  args: Args,
  out: Output,
): Promise<FilesByName> {
  const events = keptLog(folder);
  const iterations = lastIteration(events, join(folder, RUN_FILES.log));
  const keeps = keepsOf(iterations, args.number("every") ?? DEFAULTS.every);
  const sizes = {
    branches: args.number("branches") ?? DEFAULTS.branches,
    episodes: args.number("truths") ?? DEFAULTS.truths,
  };
  const { checkpoints, truthsOf } = await playedAgain({
    folder,
    events,
    keeps,
    ...sizes,
    args,
    out,
  });
  const episodes = args.number("episodes") ?? DEFAULTS.episodes;
  return packRecording({ events, command, keep: keeps.keep, episodes, checkpoints, truthsOf });
}

/** Lines of events alone contain no weights. */
function packLines(path: string, command: string | undefined, args: Args): Promise<FilesByName> {
  const verdict = verifyRecording(path, chunksOf(path));
  if (isAltered(verdict)) throw new InputError(`${path} is ${verdict.state}: ${verdict.why}`);
  if (verdict.state !== "intact") throw new InputError(`${path} has no chain`);
  const objects = [...textLines(chunksOf(path))].map(({ text }) => parseObject(text) ?? {});
  const header = objects.find((one) => typeof one["command"] === "string");
  const events = objects.filter((one) => "type" in one) as unknown as RunEvent[];
  const { keep } = keepsOf(lastIteration(events, path), args.number("every") ?? DEFAULTS.every);
  const made = command ?? (header?.["command"] as string | undefined) ?? "";
  const episodes = args.number("episodes") ?? DEFAULTS.episodes;
  return packRecording({ events, command: made, keep, episodes });
}

function lastIteration(events: readonly RunEvent[], path: string): number {
  const last = events.at(-1);
  if (last?.type === "end") return last.iterations;
  throw new InputError(`${path} holds an unfinished run: finish its training first`);
}
