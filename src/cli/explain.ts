/**
 * `explain PATH [--algorithm A]`: the story of each method of a run, one JSON line each, the
 * likeliest cause first. `--test CAUSE --out DIR` runs the experiment that would tell: see
 * causeTest.ts.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { MANIFEST } from "../interchange/columnar/manifest.ts";
import { RefusedError } from "../interchange/import/refused.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { readColumnar } from "../reading/log/columnar.ts";
import { readImport, type ChosenFile } from "../reading/log/readImport.ts";
import { logOf } from "../reading/log/recording.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import { storiesOf, type Story } from "../reading/story/story.ts";
import { RUN_FILES } from "../train/runFiles.ts";
import { parseArgs, userPath } from "./args.ts";
import { testCause, TEST_OPTIONS } from "./causeTest.ts";
import type { Command, Output } from "./command.ts";

export const explainCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, { algorithm: { type: "string" }, ...TEST_OPTIONS });
  const [path, ...rest] = args.words;
  if (path === undefined || rest.length > 0)
    throw new InputError(
      `explain takes one path: a recording, a run's folder or its log; got ${show(args.words.join(" "))}`,
    );
  const log = await openLog(path, out);
  const wanted = args.string("algorithm");
  if (wanted !== undefined && !log.algorithms.includes(wanted))
    throw new InputError(
      `--algorithm is ${show(wanted)}; ${path} has ${log.algorithms.join(", ") || "none"}`,
    );
  const all = await readStories(log);
  const stories = all.filter(({ algorithm }) => wanted === undefined || algorithm === wanted);
  if (args.string("test") !== undefined) return testCause(stories, log.start?.spec, args, out);
  const alone = Object.keys(TEST_OPTIONS).find((name) => args.string(name) !== undefined);
  if (alone !== undefined) throw new InputError(`--${alone} needs --test CAUSE`);
  for (const story of stories) out.json(lineOf(story));
  return 0;
};

/** Episodes are read when a story asks for them: it is told again until none is missing. */
async function readStories(log: RunLog): Promise<Story[]> {
  for (;;) {
    const stories = storiesOf(log);
    if (!log.isReadingSome) return stories;
    await new Promise<void>((resolve) => void (log.onRead = resolve));
  }
}

/** Numbers as they are in the file; weights and titles are for the page. */
function lineOf({ causes, ...story }: Story) {
  return {
    ...story,
    causes: causes.map(({ cause, onset, between, weight, because, against, test }) => ({
      cause,
      onset,
      between,
      weight: Math.round(100 * weight) / 100,
      because,
      against,
      test,
    })),
  };
}

async function openLog(asked: string, out: Output): Promise<RunLog> {
  const path = userPath(asked);
  if (!existsSync(path)) throw new InputError(`${show(asked)}: there is no such file or folder`);
  const manifest = basename(path) === MANIFEST ? path : join(path, MANIFEST);
  if (existsSync(manifest)) return openRecording(manifest);
  try {
    const read = await readImport(filesAt(path, asked));
    for (const line of read.facts.warnings) out.progress(line);
    return logOf(read.bytes, read.index.events);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    throw new InputError(`${show(asked)} is not a run's log. ${error.message} ${error.action}`);
  }
}

async function openRecording(manifest: string): Promise<RunLog> {
  const fetchPart = (name: string) =>
    Promise.resolve(new Uint8Array(readFileSync(join(manifest, "..", name))));
  return (await readColumnar(readFileSync(manifest, "utf8"), fetchPart)).log;
}

/** The file; of a run's folder its log; of any other folder every file in it. */
function filesAt(path: string, asked: string): ChosenFile[] {
  const log = join(path, RUN_FILES.log);
  const chosen = !statSync(path).isDirectory()
    ? [path]
    : existsSync(log)
      ? [log]
      : readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name));
  const files = chosen.filter((file) => !statSync(file).isDirectory());
  if (files.length === 0) throw new InputError(`${show(asked)} is an empty folder`);
  const name = (file: string) => relative(join(path, ".."), file).split(sep).join("/");
  return files.map((file) => ({ name: name(file), bytes: new Uint8Array(readFileSync(file)) }));
}
