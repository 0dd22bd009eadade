/**
 * `explain PATH [--algorithm A]`: the story of each method of a run, one JSON line each, the
 * likeliest cause first; of several runs' logs in a folder, such as a sweep's, with `run`, the log's name. `--test CAUSE --out DIR` runs the experiment that would tell: see
 * causeTest.ts.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { MANIFEST } from "../interchange/columnar/manifest.ts";
import { RefusedError } from "../interchange/import/refused.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { readColumnar } from "../reading/log/columnar.ts";
import { readImport, runsIn, type ChosenFile } from "../reading/log/readImport.ts";
import { logOf } from "../reading/log/recording.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import { storiesOf, type Story } from "../reading/story/story.ts";
import { RUN_FILES } from "../train/runFiles.ts";
import { parseArgs, userPath } from "./args.ts";
import { ROLLOUT_FILE } from "./openPaths.ts";
import { testCause, TEST_OPTIONS } from "./causeTest.ts";
import type { Command, Output } from "./command.ts";

export const explainCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, { algorithm: { type: "string" }, ...TEST_OPTIONS });
  const [path, ...rest] = args.words;
  if (path === undefined || rest.length > 0)
    throw new InputError(
      `explain takes one path: a recording, a run's folder or its log; got ${show(args.words.join(" "))}`,
    );
  const runs = await openRuns(path, out);
  const wanted = args.string("algorithm");
  const methods = [...new Set(runs.flatMap(({ log }) => log.algorithms))];
  if (wanted !== undefined && !methods.includes(wanted))
    throw new InputError(
      `--algorithm is ${show(wanted)}; ${path} has ${methods.join(", ") || "none"}`,
    );
  const isTest = args.string("test") !== undefined;
  const alone = Object.keys(TEST_OPTIONS).find((name) => args.string(name) !== undefined);
  if (alone !== undefined && !isTest) throw new InputError(`--${alone} needs --test CAUSE`);
  if (isTest && runs.length > 1)
    throw new InputError(
      `--test takes one run; ${show(path)} has ${runs.length}: name one of ${runs.map(({ run }) => run).join(", ")}`,
    );
  for (const { run, log } of runs) {
    const all = await readStories(log);
    const stories = all.filter(({ algorithm }) => wanted === undefined || algorithm === wanted);
    if (isTest) return testCause(stories, log.start?.spec, args, out);
    for (const story of stories) out.json({ ...(runs.length > 1 && { run }), ...lineOf(story) });
  }
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

interface OpenedRun {
  /** Its log's name. */
  run: string;
  log: RunLog;
}

async function openRuns(asked: string, out: Output): Promise<OpenedRun[]> {
  const path = userPath(asked);
  if (!existsSync(path)) throw new InputError(`${show(asked)}: there is no such file or folder`);
  const manifest = basename(path) === MANIFEST ? path : join(path, MANIFEST);
  if (existsSync(manifest)) return [{ run: asked, log: await openRecording(manifest) }];
  try {
    const opened: OpenedRun[] = [];
    for (const files of await runsIn(filesAt(path, asked))) {
      const read = await readImport(files);
      for (const line of read.facts.warnings) out.progress(line);
      opened.push({ run: files[0]!.name, log: logOf(read.bytes, read.index.events) });
    }
    return opened;
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

/** The file; of a run's folder its log; of any other folder every file that may have a run. */
function filesAt(path: string, asked: string): ChosenFile[] {
  const { marker, log } = RUN_FILES;
  const chosen = !statSync(path).isDirectory()
    ? [path]
    : existsSync(join(path, marker)) && existsSync(join(path, log))
      ? [join(path, log)]
      : filesBelow(path);
  if (chosen.length === 0)
    throw new InputError(`${show(asked)} is a folder without a file that may hold a run`);
  const name = (file: string) => relative(join(path, ".."), file).split(sep).join("/");
  return chosen.map((file) => ({ name: name(file), bytes: new Uint8Array(readFileSync(file)) }));
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ROLLOUT_FILE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
