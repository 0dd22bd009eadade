/**
 * The hash chain that makes a log's last hash a fingerprint: each event's hash covers the previous
 * hash and the event itself, without clock readings. Two runs with the same last hash produced the
 * same numbers, event by event.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { EventDraft, RunEvent } from "../record/runEvent.ts";
import { canonicalJson } from "../spec/canonical.ts";

/** Lower-case hex SHA-256 of the previous chain followed by the event's canonical JSON without `chain` and `time`. */
export function nextChain(previous: string, event: object): string {
  const { chain: _chain, time: _time, ...content } = event as Record<string, unknown>;
  return bytesToHex(sha256(utf8ToBytes(previous + canonicalJson(content))));
}

/** Appends events to a chain: gives each its `chain` and `time.at`. */
export class Chain {
  #last: string;
  #now: () => Date;

  constructor(last = "", now: () => Date = () => new Date()) {
    this.#last = last;
    this.#now = now;
  }

  /** The last chain: the fingerprint so far (empty before the first event). */
  get last(): string {
    return this.#last;
  }

  seal(event: EventDraft): RunEvent {
    this.#last = nextChain(this.#last, event);
    const time = { at: this.#now().toISOString(), ...event.time };
    return { ...event, chain: this.#last, time } as RunEvent;
  }
}
