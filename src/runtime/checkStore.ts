/** Passed self-checks, kept in the browser so that the next start can skip them. If storage fails, it acts as if empty. */
import { openDB, type IDBPDatabase } from "idb";
import type { SelfCheck } from "../engine/selfCheck.ts";

export interface KeptCheck {
  /** ISO time. */
  at: string;
  check: SelfCheck;
  /** FLOPs per millisecond measured on the graphics card; absent before a measurement. */
  speed?: number;
}

export interface CheckStore {
  /** Undefined if nothing is stored. Never rejects. */
  get(key: string): Promise<KeptCheck | undefined>;
  /** Never rejects. */
  set(key: string, kept: KeptCheck): Promise<void>;
}

/** A separate database, versioned alone. */
const DATABASE = "turnbook-machine";
const STORE = "self-checks";
/** Milliseconds after which a database that does not answer counts as failed; private windows can be slow. */
const TIME_LIMIT = 1000;

export function browserCheckStore(): CheckStore {
  let opened: Promise<IDBPDatabase> | null = null;
  const database = () => (opened ??= open());
  return {
    get: (key) => tried(async () => (await database()).get(STORE, key) as Promise<KeptCheck>),
    set: (key, kept) => tried(async () => void (await (await database()).put(STORE, kept, key))),
  };
}

function open(): Promise<IDBPDatabase> {
  return openDB(DATABASE, 1, { upgrade: (database) => void database.createObjectStore(STORE) });
}

/** The body's result, or undefined if it fails or takes too long. */
async function tried<T>(body: () => Promise<T>): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, TIME_LIMIT));
  return Promise.race([body(), late]).catch(() => undefined);
}
