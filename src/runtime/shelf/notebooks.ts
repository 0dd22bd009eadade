/**
 * Notebooks stored in this browser, in IndexedDB, with earlier versions and answers of each. If
 * storage is forbidden or full they are held in memory, and the result of a save says so: nothing
 * is lost until the page is closed.
 */
import type { IDBPDatabase } from "idb";
import { ANSWER_KEY, ANSWERS, readAnswers, writeAnswers, type KeptAnswer } from "./answers.ts";
import { lazyDatabase, ofNotebook, ON_DISK } from "./database.ts";
import { storageReason, type Place } from "./storage.ts";
import { thinnedTimes, type KeptVersion } from "./versions.ts";

export interface KeptNotebook {
  id: string;
  title: string;
  /** The document, see notebook/document.ts. */
  text: string;
  /** ISO times. */
  created: string;
  changed: string;
  /** It came from elsewhere, and the reader has not allowed its code to run. */
  isForeign?: boolean;
  /** Address, from "#", of the notebook that it was copied from. */
  source?: string;
  /** ISO time of its deletion; it can be restored until it is removed permanently. */
  deleted?: string | undefined;
}

export interface NotebookShelf {
  /** Newest first, including deleted ones. */
  list(): Promise<KeptNotebook[]>;
  get(id: string): Promise<KeptNotebook | undefined>;
  /** @param before the text that this one replaces, to be stored as an earlier version. */
  put(notebook: KeptNotebook, before?: KeptVersion): Promise<Place>;
  /** Where a notebook was stored last; a notebook that was never written counts as stored. */
  placeOf(id: string): Place;
  /** Earlier versions of a notebook, newest first; at most MOST_VERSIONS. */
  versions(id: string): Promise<KeptVersion[]>;
  /** The answers given in a notebook; empty if storage fails. */
  answers(id: string): Promise<KeptAnswer[]>;
  /** Each replaces the earlier answer to the same question. */
  putAnswers(answers: readonly KeptAnswer[]): Promise<Place>;
  /** Deletes it permanently, with its versions and answers. */
  drop(id: string): Promise<void>;
}

const DATABASE = "turnbook-notebooks";
/** 1: notebooks; 2: adds their earlier versions; 3: adds answers to their questions. */
const VERSION = 3;
const STORE = "notebooks";
const VERSIONS = "versions";
/** Days that a deleted notebook can be restored. */
const DAYS = 30;

/** What could not be stored. */
interface InMemory {
  notebook: KeptNotebook;
  versions: KeptVersion[];
  why: string;
}

export function browserShelf(name: string = DATABASE): NotebookShelf {
  const memory = new Map<string, InMemory>();
  const stored = lazyDatabase(name, VERSION, upgrade);
  return {
    list: async () => {
      const kept = await stored((db) => db.getAll(STORE) as Promise<KeptNotebook[]>).catch(
        () => [],
      );
      // Here, not on write: a write must not wait until all have been read.
      void stored((db) => sweep(db, kept)).catch(() => undefined);
      const all = new Map(kept.map((one) => [one.id, one]));
      for (const { notebook } of memory.values()) all.set(notebook.id, notebook);
      return [...all.values()].sort((a, b) => b.changed.localeCompare(a.changed));
    },
    get: async (id) =>
      memory.get(id)?.notebook ??
      (await stored((db) => db.get(STORE, id) as Promise<KeptNotebook>).catch(() => undefined)),
    put: async (notebook, before) => {
      const { versions = [] } = memory.get(notebook.id) ?? {};
      if (before) versions.push(before);
      try {
        await stored((db) => write(db, notebook, versions));
        memory.delete(notebook.id);
        return { kept: true };
      } catch (error) {
        const why = storageReason(error);
        memory.set(notebook.id, { notebook, versions, why });
        return { kept: false, why };
      }
    },
    placeOf: (id) => {
      const { why } = memory.get(id) ?? {};
      return why === undefined ? { kept: true } : { kept: false, why };
    },
    versions: async (id) => {
      const kept = await stored((db) => storedVersions(db, id)).catch(() => []);
      return [...kept, ...(memory.get(id)?.versions ?? [])].reverse();
    },
    answers: (id) => stored((db) => readAnswers(db, id)).catch(() => []),
    putAnswers: async (answers) => {
      try {
        await stored((db) => writeAnswers(db, answers));
        return { kept: true };
      } catch (error) {
        return { kept: false, why: storageReason(error) };
      }
    },
    drop: async (id) => {
      memory.delete(id);
      await stored((db) => dropNotebook(db, id)).catch(() => undefined);
    },
  };
}

function upgrade(database: IDBPDatabase, from: number): void {
  if (from < 1) database.createObjectStore(STORE, { keyPath: "id" });
  if (from < 3) database.createObjectStore(ANSWERS, { keyPath: ANSWER_KEY });
  if (from < 2) database.createObjectStore(VERSIONS, { keyPath: ["notebook", "saved"] });
}

/** The notebook itself matters most: if its versions do not fit, it is stored alone. */
async function write(
  database: IDBPDatabase,
  notebook: KeptNotebook,
  versions: readonly KeptVersion[],
): Promise<void> {
  try {
    await putAll(database, notebook, versions);
  } catch (error) {
    if (versions.length === 0) throw error;
    await putAll(database, notebook, []);
  }
  if (versions.length > 0) await thinOut(database, notebook.id);
}

/** All or nothing. All requests are made at once: a page that is closing does not wait. */
async function putAll(
  database: IDBPDatabase,
  notebook: KeptNotebook,
  versions: readonly KeptVersion[],
): Promise<void> {
  const transaction = database.transaction([STORE, VERSIONS], "readwrite", ON_DISK);
  const store = transaction.objectStore(VERSIONS);
  await Promise.all([
    transaction.objectStore(STORE).put(notebook),
    ...versions.map((version) => store.put(version)),
    transaction.done,
  ]);
}

/** Oldest first. */
function storedVersions(database: IDBPDatabase, id: string): Promise<KeptVersion[]> {
  return database.getAll(VERSIONS, ofNotebook(id)) as Promise<KeptVersion[]>;
}

async function thinOut(database: IDBPDatabase, id: string): Promise<void> {
  const keys = (await database.getAllKeys(VERSIONS, ofNotebook(id))) as [string, string][];
  const gone = new Set(
    thinnedTimes(
      keys.map(([, saved]) => Date.parse(saved)),
      Date.now(),
    ),
  );
  for (const key of keys) if (gone.has(Date.parse(key[1]))) await database.delete(VERSIONS, key);
}

async function dropNotebook(database: IDBPDatabase, id: string): Promise<void> {
  const transaction = database.transaction([STORE, VERSIONS, ANSWERS], "readwrite");
  await Promise.all([
    transaction.objectStore(STORE).delete(id),
    transaction.objectStore(VERSIONS).delete(ofNotebook(id)),
    transaction.objectStore(ANSWERS).delete(ofNotebook(id)),
    transaction.done,
  ]);
}

/** Permanently removes what was deleted long ago. */
async function sweep(database: IDBPDatabase, kept: readonly KeptNotebook[]): Promise<void> {
  const oldest = new Date(Date.now() - DAYS * 86_400_000).toISOString();
  for (const { id, deleted } of kept)
    if (deleted !== undefined && deleted < oldest) await dropNotebook(database, id);
}
