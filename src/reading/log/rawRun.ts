/**
 * A run as bytes, in addition to the log that panels read: its lines as they are in a file, its
 * spec and its newest checkpoint. This is what is saved, and what a run continues from.
 */
import { lineStart } from "../../record/eventLines.ts";
import type { SentCheckpoint } from "../../record/sentCheckpoint.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import type { RunLog } from "./runLog.ts";
import { slices } from "./slices.ts";

/** Maximum bytes of lines: more would fill the page's memory. */
const MOST_LINES = 400_000_000;
/** Bytes that are joined at once. */
const PIECE = 8_000_000;

/** Some lines, one event each, with their newlines. */
interface LineChunk {
  bytes: Uint8Array;
  events: number;
}

/** Receives a run's bytes as they arrive. */
interface RawFollower {
  /** Chunks are new or changed from this index on. */
  onLines(from: number): void;
  onCheckpoint(): void;
}

export class RawRun {
  readonly spec: ExperimentSpec;
  readonly saved: boolean;
  follower: RawFollower | null = null;
  #checkpoint: SentCheckpoint | null = null;
  #chunks: LineChunk[] = [];
  #size = 0;

  /** `saved`: whether it comes from a saved run's file. */
  constructor(spec: ExperimentSpec, saved = false) {
    this.spec = spec;
    this.saved = saved;
  }

  /** The newest checkpoint. */
  get checkpoint(): SentCheckpoint | null {
    return this.#checkpoint;
  }

  set checkpoint(checkpoint: SentCheckpoint | null) {
    this.#checkpoint = checkpoint;
    this.follower?.onCheckpoint();
  }

  get chunks(): readonly Readonly<LineChunk>[] {
    return this.#chunks;
  }

  /** Of all chunks. */
  get events(): number {
    return this.#chunks.reduce((sum, { events }) => sum + events, 0);
  }

  /** Bytes of all lines. */
  get size(): number {
    return this.#size;
  }

  /** `bytes`: the lines of this many events, each with its newline. */
  append(bytes: Uint8Array, events: number): void {
    this.#size += bytes.length;
    if (this.isWhole) this.#chunks.push({ bytes, events });
    else this.#chunks = []; // no longer useful
    this.follower?.onLines(this.#chunks.length - 1);
  }

  /** Whether there was space for all of it. */
  get isWhole(): boolean {
    return this.#size <= MOST_LINES;
  }

  /** Keeps only the first events. */
  cut(events: number): void {
    const kept: LineChunk[] = [];
    let left = events;
    for (const chunk of this.#chunks) {
      const some = Math.min(left, chunk.events);
      if (some > 0) kept.push({ bytes: firstLines(chunk, some), events: some });
      left -= some;
    }
    this.#chunks = kept;
    if (this.isWhole) this.#size = kept.reduce((sum, { bytes }) => sum + bytes.length, 0);
    // The last one may be shorter.
    this.follower?.onLines(Math.max(0, kept.length - 1));
  }

  /** All lines; joined piece by piece, so that the page stays responsive. */
  async blob(): Promise<Blob> {
    const pieces: Blob[] = [];
    let some: Uint8Array[] = [];
    let size = 0;
    const pause = slices();
    const flush = () => {
      pieces.push(new Blob(some as Uint8Array<ArrayBuffer>[]));
      [some, size] = [[], 0];
    };
    for (const { bytes } of [...this.#chunks]) {
      some.push(bytes);
      size += bytes.length;
      if (size < PIECE) continue;
      flush();
      await pause();
    }
    flush();
    return new Blob(pieces);
  }
}

function firstLines({ bytes, events }: LineChunk, count: number): Uint8Array {
  if (count === events) return bytes;
  return bytes.subarray(0, lineStart(bytes, count));
}

const raws = new WeakMap<RunLog, RawRun>();

export function keepRaw(log: RunLog, raw: RawRun): void {
  raws.set(log, raw);
}

/** Null for logs without bytes, or whose bytes are another program's. */
export function rawOf(log: RunLog): RawRun | null {
  return raws.get(log) ?? null;
}
