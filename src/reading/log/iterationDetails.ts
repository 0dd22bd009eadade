/**
 * The bulky part of a run: episodes and optimiser steps of each iteration. For a live run the
 * newest are kept as they arrive; for a file the lines stay unread until the cursor reaches them,
 * and only a few are held in memory at a time.
 */
import { gated, type Sliced } from "../../numeric/sliced.ts";
import type { EpisodeRecord, UpdateRecord } from "../../record/runEvent.ts";

export interface IterationDetails {
  episodes: readonly EpisodeRecord[];
  /** Null if the log does not have them. */
  updates: readonly UpdateRecord[] | null;
}

/** An iteration whose line has not been read yet. */
export interface Unread {
  hasEpisodes: boolean;
  read: () => IterationDetails;
  /** For a line that is too long to be read at once. */
  readSliced?: () => Sliced<IterationDetails>;
  /** For data that must be fetched first; rejects if it fails to load, or is damaged. `read` is then not called. */
  load?: () => Promise<IterationDetails>;
  /** Of fetched data that is large, so that it is held like lines. */
  bytes?: number;
}

/**
 * Iterations (of all algorithms) of a live run that are kept in full; older ones keep their numbers
 * only.
 */
const KEPT = 600;
/** Iterations of a file that are held in memory: those around the cursor, for every algorithm of a class run. */
const HELD = 12;
/** Maximum bytes of those that are fetched; objects are larger. */
const HELD_BYTES = 8_000_000;

export class DetailStore {
  /** Called when a requested long line has been read. */
  onRead: () => void = () => {};
  #reading = new Set<string>();
  #kept = new Map<string, IterationDetails>();
  #unread = new Map<string, Unread>();
  #held = new Map<string, IterationDetails>();

  keep(key: string, details: IterationDetails): void {
    this.#kept.set(key, details);
    if (this.#kept.size > KEPT) dropOldest(this.#kept);
  }

  keepUnread(key: string, unread: Unread): void {
    this.#unread.set(key, unread);
  }

  /** For another log of the same events; undefined if nothing is held. */
  asUnread(key: string): Unread | undefined {
    const unread = this.#unread.get(key);
    const kept = this.#kept.get(key);
    if (unread || !kept) return unread;
    return { hasEpisodes: kept.episodes.length > 0, read: () => kept };
  }

  hasEpisodes(key: string): boolean {
    const kept = this.#kept.get(key);
    return kept ? kept.episodes.length > 0 : (this.#unread.get(key)?.hasEpisodes ?? false);
  }

  /** Whether a requested long line is still being read. */
  isReading(key: string): boolean {
    return this.#reading.has(key);
  }

  get isReadingSome(): boolean {
    return this.#reading.size > 0;
  }

  /** Whether all that is fetched could be held at once. */
  get fits(): boolean {
    let bytes = 0;
    for (const unread of this.#unread.values()) bytes += unread.bytes ?? 0;
    return bytes <= HELD_BYTES;
  }

  /** The same object as long as it is held, so that derived data stays valid; null while it is being read. */
  get(key: string): IterationDetails | null {
    return this.#kept.get(key) ?? this.#read(key);
  }

  /** Reads once without caching: for callers that go through all of them. */
  peek(key: string): IterationDetails | null {
    const known = this.#kept.get(key) ?? this.#held.get(key);
    if (known || this.#isLong(key)) return known ?? this.#readSoon(key);
    return this.#unread.get(key)?.read() ?? null;
  }

  #read(key: string): IterationDetails | null {
    const held = this.#held.get(key);
    if (!held && this.#isLong(key)) return this.#readSoon(key);
    const details = held ?? this.#unread.get(key)?.read();
    return details ? this.#hold(key, details) : null;
  }

  #isLong(key: string): boolean {
    const unread = this.#unread.get(key);
    return unread?.readSliced !== undefined || unread?.load !== undefined;
  }

  /** Starts reading a slow line, once. */
  #readSoon(key: string): null {
    const unread = this.#unread.get(key);
    if (!unread || this.#reading.has(key)) return null;
    this.#reading.add(key);
    const end = () => {
      this.#reading.delete(key);
      this.onRead();
    };
    void detailsOf(unread)
      // Small data that was fetched stays: fetching is slow.
      .then((details) =>
        unread.load && !unread.bytes ? this.keep(key, details) : this.#hold(key, details),
      )
      // The fetcher reports why it failed; the iteration then has no episodes to show.
      .catch(() => this.#unread.delete(key))
      .finally(end);
    return null;
  }

  #hold(key: string, details: IterationDetails): IterationDetails {
    // The one requested last is evicted last.
    this.#held.delete(key);
    this.#held.set(key, details);
    while (this.#held.size > HELD || (this.#held.size > 1 && this.#heldBytes > HELD_BYTES))
      dropOldest(this.#held);
    return details;
  }

  get #heldBytes(): number {
    return [...this.#held.keys()].reduce((sum, key) => sum + this.#bytesOf(key), 0);
  }

  #bytesOf(key: string): number {
    return this.#unread.get(key)?.bytes ?? 0;
  }

  /** Takes what another store holds of the same files: whoever looks at it goes on looking. */
  adopt(other: DetailStore): void {
    for (const [key, details] of other.#held)
      if (this.#bytesOf(key) > 0 && this.#bytesOf(key) === other.#bytesOf(key))
        this.#hold(key, details);
  }
}

/** In its own task, in slices if it is long. */
async function detailsOf({ read, readSliced, load }: Unread): Promise<IterationDetails> {
  const rest = () => new Promise<void>((resolve) => setTimeout(resolve));
  await rest();
  if (load) return load();
  return readSliced ? gated(readSliced(), rest) : read();
}

function dropOldest(map: Map<string, unknown>): void {
  map.delete(map.keys().next().value!);
}
