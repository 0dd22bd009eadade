/**
 * `train SPEC`: one RunEvent per line, then the fingerprint; `--out DIR` stores the log and resumes
 * from it (and with `--keep-every N` each Nth checkpoint), `--record FILE` writes a recording.
 */
import type { ExperimentSpec } from "../spec/experiment.ts";
import { alarmText, type Alarm } from "../train/doctor/watch.ts";
import type { ExperimentHost } from "../train/host.ts";
import { Experiment } from "../train/experiment.ts";
import type { Checkpoint } from "../train/checkpoint.ts";
import {
  checkMemory,
  memorySentence,
  type MachineMemory,
  type TrainedModel,
} from "../train/memoryNeeds.ts";
import { outFolder, parseArgs, userPath, type Args } from "./args.ts";
import { runsOnWorkers } from "./engine.ts";
import { MODEL_OPTION, withModelFolder } from "./modelFolder.ts";
import { nodeHost } from "./nodeHost.ts";
import type { Command, Output } from "./command.ts";
import { RunFolder } from "./runFolder.ts";
import {
  openTrainEngine,
  sayIfLong,
  sayOldReadings,
  specFrom,
  TRAIN_OPTIONS,
} from "./trainOptions.ts";
import { totalmem } from "node:os";
import { constrainedMemory } from "node:process";
import { getHeapStatistics } from "node:v8";
import { workersUnasked } from "./workers.ts";
import { createHash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { InputError, show } from "../numeric/inputError.ts";
import { onFiles } from "./fileError.ts";
import { linkNew, syncFolder, writeAll, makeFolder } from "./wholeFile.ts";

export const trainCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, {
    ...TRAIN_OPTIONS,
    record: { type: "string" },
    "keep-every": { type: "integer", min: 1 },
    force: { type: "flag" },
    ...MODEL_OPTION,
  });
  const { spec, host } = await withModelFolder(specFrom("train", args), args);
  checkMemory(spec, nodeMemory(args.number("workers")), runsOnWorkers(spec.engine));
  const folder = outFolder(args);
  if (args.number("keep-every") !== undefined && folder === undefined)
    throw new InputError("option --keep-every needs --out DIR, where checkpoints are kept");
  const recording = recordingOf(args, argv);
  const options = { force: args.flag("force"), say: out.progress };
  const kept = folder === undefined ? null : await RunFolder.open(folder, spec, options);
  try {
    await trainInto({ spec, host, args, out, recording, folder: kept });
  } finally {
    recording?.discard();
    kept?.close();
  }
};

/** Also writes the log to a file, starting with its command: the page shows this before anything has run. */
function recordingOf(args: Args, argv: string[]): RecordingWriter | null {
  const file = args.string("record");
  if (file === undefined) return null;
  if (file === "") throw new InputError('option --record is ""; it must name a file');
  const command = `npm run -s turnbook -- train ${argv.join(" ")}`;
  return new RecordingWriter(userPath(file), { command }, args.flag("force"));
}

interface Work {
  spec: ExperimentSpec;
  host: Pick<ExperimentHost, "openFolder">;
  args: Args;
  out: Output;
  recording: RecordingWriter | null;
  folder: RunFolder | null;
}

async function trainInto(work: Work): Promise<void> {
  const { spec, args, out, recording, folder } = work;
  const saved = await folder?.resume(spec);
  sayOldReadings(spec, out);
  sayIfLong(spec, saved !== undefined, out);
  const machine = nodeMemory(args.number("workers"));
  const wasm = runsOnWorkers(spec.engine);
  const checkFolder = (model?: TrainedModel) => {
    checkMemory(spec, machine, wasm, model);
    const memory = memorySentence(spec, machine.threads, wasm, model);
    if (memory !== null) out.progress(memory);
  };
  if (!spec.model.folder) checkFolder();
  const engine = await openTrainEngine(spec, args, out);
  try {
    recording?.begin();
    const host = { ...nodeHost(engine, out), ...work.host, checkFolder };
    const experiment = await Experiment.open(spec, host, saved);
    try {
      await run(experiment, saved, work);
    } finally {
      experiment.dispose();
    }
  } finally {
    engine.dispose();
  }
}

/**
 * Iterations between checkpoints: `save` replaces the last one, `keep` stores them additionally.
 */
interface Every {
  save: number;
  keep: number;
}

async function run(experiment: Experiment, saved: Checkpoint | undefined, work: Work) {
  const { args, out, recording, folder } = work;
  const every = {
    save: args.number("checkpoint-every") ?? 1,
    keep: args.number("keep-every") ?? Infinity,
  };
  const print = (event: object) => {
    recording?.add(event);
    out.json(event);
  };
  if (folder && saved) {
    for (const event of folder.events()) print(event);
    out.progress(`resumed after iteration ${saved.position.iteration - 1}`);
  }
  while (!experiment.finished) {
    const events = await experiment.advance();
    folder?.append(events);
    events.forEach(print);
    if (folder) await saveWhereDue(experiment, folder, every);
    if (experiment.alarm) {
      folder?.save(await experiment.save());
      stopAt(experiment.alarm, folder, out);
      recording?.finish({ fingerprint: experiment.fingerprint, stopped: true });
      return;
    }
  }
  const closing = { fingerprint: experiment.fingerprint, time: { at: new Date().toISOString() } };
  out.json(closing);
  recording?.finish(closing);
}

/** Prints why, and stores the checkpoint from before the collapse beside the run's own. The same command continues from here. */
function stopAt(alarm: Alarm, folder: RunFolder | null, out: Output): void {
  const { message, action } = alarmText(alarm);
  if (alarm.beforeFall) folder?.saveBeforeFall(alarm.beforeFall.bytes);
  out.progress(`stopped: ${message} ${action}`);
}

/** After the warm start, and after whole iterations. */
async function saveWhereDue(experiment: Experiment, folder: RunFolder, every: Every) {
  const { position, finished } = experiment;
  if (position.next !== 0) return;
  const done = position.iteration - 1;
  const [save, keep] = [finished || done % every.save === 0, done > 0 && done % every.keep === 0];
  if (!save && !keep) return;
  const bytes = await experiment.save();
  if (keep) folder.keep(done, bytes);
  if (save) folder.save(bytes);
}

/** The memory that this process may use. `workers`: threads asked for. */
function nodeMemory(workers?: number): MachineMemory {
  // Undefined, 0 or more than all memory if the process is not limited.
  const confined = constrainedMemory() || Infinity;
  const heap = getHeapStatistics().heap_size_limit;
  return {
    heap: { bytes: heap, name: "Node's heap (--max-old-space-size)" },
    total: { bytes: Math.min(totalmem(), confined), name: "this machine's memory" },
    slot: 8,
    threads: workers ?? workersUnasked(),
  };
}

/**
 * Writes a recording: to a temporary name next to its path, and renames it once it is complete. Its
 * last line has the SHA-256 of all bytes before that line.
 */
class RecordingWriter {
  #file: string;
  #header: object;
  #force: boolean;
  #part: string;
  #open: number | null = null;
  #hash = createHash("sha256");

  /**
   * @throws InputError if the file cannot be created, or exists without `force`. Writes nothing.
   */
  constructor(file: string, header: object, force: boolean) {
    this.#file = onFiles(`--record ${file} cannot be written`, () => placeOf(file, force));
    this.#header = header;
    this.#force = force;
    this.#part = `${this.#file}.${process.pid}-${Date.now()}.part`;
  }

  begin(): void {
    this.#onFile(() => {
      makeFolder(dirname(this.#part));
      this.#open = openSync(this.#part, "wx");
    });
    this.add(this.#header);
  }

  add(value: object): void {
    const line = `${JSON.stringify(value)}\n`;
    this.#hash.update(line);
    this.#write(line);
  }

  /** Renames the recording to its path. */
  finish(closing: object): void {
    this.#write(`${JSON.stringify({ ...closing, sha256: this.#hash.digest("hex") })}\n`);
    this.#onFile(() => fsyncSync(this.#open!));
    this.#close();
    if (this.#force) this.#onFile(() => renameSync(this.#part, this.#file));
    else this.#placeNew();
    this.#onFile(() => syncFolder(dirname(this.#file)));
  }

  #placeNew(): void {
    if (!this.#onFile(() => linkNew(this.#part, this.#file)))
      throw new InputError(
        `--record ${this.#file} was created in the meantime; the recording is in ${this.#part}`,
      );
    rmSync(this.#part);
  }

  /** Removes an incomplete file; does nothing after `finish`. */
  discard(): void {
    if (this.#open === null) return;
    this.#close();
    rmSync(this.#part, { force: true });
  }

  #write(text: string): void {
    this.#onFile(() => writeAll(this.#open!, text));
  }

  #close(): void {
    closeSync(this.#open!);
    this.#open = null;
  }

  #onFile<T>(work: () => T): T {
    return onFiles(`--record ${this.#file} cannot be written`, work);
  }
}

/** The file's real path, through links: a link remains one. */
function placeOf(file: string, force: boolean): string {
  if (!lstatSync(file, { throwIfNoEntry: false })) return file;
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile())
    throw new InputError(
      `option --record is ${show(file)}; it must be a file, not ${stat?.isDirectory() ? "a folder" : "a device or a broken link"}`,
    );
  if (!force) throw new InputError(`--record ${file} exists; add --force to replace it`);
  return realpathSync(file);
}
