/**
 * The bulky part of a run: episodes and optimiser steps of each iteration. Of a live run the newest are kept as they
 * came; of a file the lines stay unread until the cursor comes to them, and only a few are held read at a time.
 */
import type { EpisodeRecord, UpdateRecord } from "../record/runEvent.ts";

export interface IterationDetails {
  episodes: readonly EpisodeRecord[];
  /** Null where the log says nothing of them. */
  updates: readonly UpdateRecord[] | null;
}

/** An iteration whose line has not been read yet. */
export interface Unread {
  hasEpisodes: boolean;
  read: () => IterationDetails;
}

/** Iterations (of all algorithms) of a live run that are kept; older ones keep their numbers only. */
const KEPT = 600;
/** Iterations of a file that are held read: the ones around the cursor, for every algorithm of a class run. */
const HELD = 12;

export class DetailStore {
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

  /** For another log of the same events; undefined where nothing is held. */
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

  /** The same object as long as it is held, so that what was derived of it stays good. */
  get(key: string): IterationDetails | null {
    return this.#kept.get(key) ?? this.#read(key);
  }

  /** Once, without holding on to what was not held: for who goes through all of them. */
  peek(key: string): IterationDetails | null {
    return this.#kept.get(key) ?? this.#held.get(key) ?? this.#unread.get(key)?.read() ?? null;
  }

  #read(key: string): IterationDetails | null {
    const details = this.#held.get(key) ?? this.#unread.get(key)?.read();
    if (!details) return null;
    // The one asked for last is the last to go.
    this.#held.delete(key);
    this.#held.set(key, details);
    if (this.#held.size > HELD) dropOldest(this.#held);
    return details;
  }
}

function dropOldest(map: Map<string, unknown>): void {
  map.delete(map.keys().next().value!);
}
