/**
 * A run as bytes, beside the log that panels read: its lines as they stand in a file, its spec and its newest checkpoint.
 * What is saved, and what a run is continued from.
 */
import { lineStart } from "../../record/eventLines.ts";
import type { SentCheckpoint } from "../../record/sentCheckpoint.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import type { RunLog } from "./runLog.ts";
import { slices } from "./slices.ts";

/** Bytes of lines at most: more would fill the page's memory. */
const MOST_LINES = 400_000_000;
/** Bytes that are put together at once. */
const PIECE = 8_000_000;

/** Some lines, one event each, with their newlines. */
interface LineChunk {
  bytes: Uint8Array;
  events: number;
}

/** Hears of a run's bytes as they come. */
interface RawFollower {
  /** Chunks are new or others from the one at this place on. */
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

  /** The newest. */
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

  /** `bytes`: lines of so many events, each with its newline. */
  append(bytes: Uint8Array, events: number): void {
    this.#size += bytes.length;
    if (this.isWhole) this.#chunks.push({ bytes, events });
    else this.#chunks = []; // of no use any more
    this.follower?.onLines(this.#chunks.length - 1);
  }

  /** Whether there was room for all of it. */
  get isWhole(): boolean {
    return this.#size <= MOST_LINES;
  }

  /** Keeps the first events alone. */
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

  /** All lines; put together piece by piece, so that the page stays responsive. */
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

/** Null for logs of which nobody has the bytes, or whose bytes are another program's. */
export function rawOf(log: RunLog): RawRun | null {
  return raws.get(log) ?? null;
}
