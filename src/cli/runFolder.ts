/**
 * A run on disk: events.jsonl (the log, one event a line) and checkpoint.zip (weights, optimiser
 * moments and the position in the log); checkpoint-before-fall.zip where the doctor has stopped it. The log may run ahead of the checkpoint; resuming cuts it back.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { greatest } from "../numeric/lists.ts";
import type { RunEvent } from "../record/runEvent.ts";
import { canonicalJson } from "../spec/canonical.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../spec/inputError.ts";
import { decodeCheckpoint, type Checkpoint } from "../train/checkpoint.ts";

export interface SavedRun extends Checkpoint {
  /** The log up to the checkpoint. */
  events: RunEvent[];
}

export class RunFolder {
  #directory: string;
  #log: string;
  #checkpoint: string;
  #kept: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.#log = join(directory, "events.jsonl");
    this.#checkpoint = join(directory, "checkpoint.zip");
    this.#kept = join(directory, "checkpoints");
  }

  /** Creates the folder, or makes sure that what it holds is a run of this spec. Throws InputError otherwise. */
  async check(spec: ExperimentSpec): Promise<void> {
    const saved = await this.#read();
    if (saved && canonicalJson(saved.spec) !== canonicalJson(spec)) {
      throw new InputError(
        `${this.#directory} holds a run of another spec (${firstDifference(saved.spec, spec)}); use another --out folder`,
      );
    }
    try {
      mkdirSync(this.#directory, { recursive: true });
    } catch (error) {
      throw new InputError(`--out ${this.#directory} cannot be made: ${(error as Error).message}`);
    }
  }

  /** The saved run, its log cut back to the checkpoint; undefined (and an empty log) when there is none. */
  async load(): Promise<SavedRun | undefined> {
    const checkpoint = await this.#read();
    if (!checkpoint) {
      rmSync(this.#log, { force: true });
      rmSync(this.#kept, { recursive: true, force: true });
      return undefined;
    }
    const lines = existsSync(this.#log) ? readFileSync(this.#log, "utf8").split("\n") : [];
    const kept = lines.slice(0, checkpoint.position.events);
    if (kept.length < checkpoint.position.events || kept.some((line) => line === "")) {
      throw new InputError(
        `${this.#log} is shorter than its checkpoint says (${checkpoint.position.events} events)`,
      );
    }
    const events = kept.map(parseEvent);
    if ((events.at(-1)?.chain ?? "") !== checkpoint.position.chain) {
      throw new InputError(`${this.#log} is not the log of its checkpoint: the chains differ`);
    }
    writeFileSync(this.#log, kept.map((line) => `${line}\n`).join(""));
    return { ...checkpoint, events };
  }

  append(events: RunEvent[]): void {
    appendFileSync(this.#log, events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  }

  /** Replaces the checkpoint in one step, so that a kill at any moment leaves a whole one. */
  save(bytes: Uint8Array): void {
    replaceFile(this.#checkpoint, bytes);
  }

  /** The checkpoint to go back to; in place of checkpoint.zip it makes the run go on from there. */
  saveBeforeFall(bytes: Uint8Array): void {
    replaceFile(join(this.#directory, "checkpoint-before-fall.zip"), bytes);
  }

  /** Keeps the checkpoint after an iteration besides the last one. */
  keep(iteration: number, bytes: Uint8Array): void {
    mkdirSync(this.#kept, { recursive: true });
    replaceFile(join(this.#kept, `iteration-${iteration}.zip`), bytes);
  }

  /** The log as it is, without a last line that is still being written. Throws InputError where there is none. */
  readLog(): RunEvent[] {
    if (!existsSync(this.#log))
      throw new InputError(`${this.#directory} holds no run: events.jsonl is missing`);
    return readFileSync(this.#log, "utf8").split("\n").slice(0, -1).map(parseEvent);
  }

  /** The last checkpoint that stands before an iteration's updates; undefined when there is none. */
  async nearest(iteration: number): Promise<Checkpoint | undefined> {
    const names = existsSync(this.#kept) ? readdirSync(this.#kept) : [];
    const after = names
      .map((name) => Number(/^iteration-(\d+)\.zip$/.exec(name)?.[1]))
      .filter((n) => n < iteration); // NaN is not
    const kept = after.length > 0 ? greatest(after) : 0;
    const last = await this.#read();
    const stands = last?.position.next === 0 ? last.position.iteration : Infinity;
    if (stands <= iteration && stands > kept) return last;
    if (kept === 0) return undefined;
    return decodeCheckpoint(readFileSync(join(this.#kept, `iteration-${kept}.zip`)));
  }

  async #read(): Promise<Checkpoint | undefined> {
    if (!existsSync(this.#checkpoint)) return undefined;
    return decodeCheckpoint(readFileSync(this.#checkpoint));
  }
}

function replaceFile(path: string, bytes: Uint8Array): void {
  const scratch = `${path}.new`;
  writeFileSync(scratch, bytes);
  renameSync(scratch, path);
}

function parseEvent(line: string): RunEvent {
  try {
    return JSON.parse(line) as RunEvent;
  } catch {
    throw new InputError(`events.jsonl has a line that is not JSON: ${show(line)}`);
  }
}

function firstDifference(saved: object, asked: object, path = ""): string {
  for (const key of Object.keys(asked)) {
    const [a, b] = [saved, asked].map((spec) => (spec as Record<string, unknown>)[key]);
    if (canonicalJson(a ?? null) === canonicalJson(b ?? null)) continue;
    const here = path === "" ? key : `${path}.${key}`;
    const nested = [a, b].every(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    );
    return nested
      ? firstDifference(a as object, b as object, here)
      : `${here} is ${JSON.stringify(a)} there`;
  }
  return "it has other fields";
}
