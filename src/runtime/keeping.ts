/** What a worker stores of its run without the page: checkpoints, with the newest lines of the log. */
import { lineStart } from "../record/eventLines.ts";
import type { SentCheckpoint } from "../record/sentCheckpoint.ts";
import type { RunLines, Slot } from "./shelf/slot.ts";

export interface Slots {
  /** Whether it outlives the page. */
  write(slot: Slot): Promise<boolean>;
}

export class Keeping {
  #slots: Slots;
  /** Events so far. */
  #events: number;
  /** Events that the page has stored. */
  #kept = 0;
  /** Lines from some event on that the page may not have stored yet. */
  #tail: RunLines[] = [];

  /** `events`: of the checkpoint that the run starts from; 0 without one. */
  constructor(slots: Slots, events: number) {
    this.#slots = slots;
    this.#events = events;
  }

  /** The next lines of the log. The bytes are copied. */
  note(bytes: Uint8Array, events: number): void {
    if (events === 0) return;
    this.#tail.push({ bytes: bytes.slice(), events });
    this.#events += events;
  }

  /** The page has stored the log up to this event. */
  pageHas(events: number): void {
    this.#kept = events;
  }

  /** Writes the run's current checkpoint. @returns whether it outlives the page. */
  write(checkpoint: SentCheckpoint): Promise<boolean> {
    this.#prune();
    return this.#slots.write({ checkpoint, tail: joined(this.#tail) });
  }

  /** The last line stays: it identifies the log that a checkpoint belongs to. */
  #prune(): void {
    const end = Math.min(this.#kept, this.#events - 1);
    let from = this.#events - this.#tail.reduce((sum, { events }) => sum + events, 0);
    while (this.#tail.length > 0 && from + this.#tail[0]!.events <= end)
      from += this.#tail.shift()!.events;
    const first = this.#tail[0];
    if (!first || from >= end) return;
    const bytes = first.bytes.subarray(lineStart(first.bytes, end - from));
    this.#tail[0] = { bytes, events: first.events - (end - from) };
  }
}

function joined(lines: readonly RunLines[]): RunLines {
  const bytes = new Uint8Array(lines.reduce((sum, some) => sum + some.bytes.length, 0));
  let at = 0;
  for (const some of lines) {
    bytes.set(some.bytes, at);
    at += some.bytes.length;
  }
  return { bytes, events: lines.reduce((sum, some) => sum + some.events, 0) };
}
