/**
 * Notebooks kept in this browser, in IndexedDB. Where storage is forbidden or full they are kept in memory, and whoever
 * saves is answered so: nothing is lost before the page is closed.
 */
import { openDB, type IDBPDatabase } from "idb";
import { inTime, storageReason, type Place } from "./storage.ts";

export interface KeptNotebook {
  id: string;
  title: string;
  /** The document, see notebook/document.ts. */
  text: string;
  /** ISO times. */
  created: string;
  changed: string;
  /** It came from elsewhere, and the reader has not let its code run. */
  isForeign?: boolean;
  /** Address, from "#", of the notebook that it is a copy of. */
  source?: string;
  /** ISO time at which it was deleted; it can be taken back until it is swept away. */
  deleted?: string | undefined;
}

export interface NotebookShelf {
  /** Newest first, deleted ones included. */
  list(): Promise<KeptNotebook[]>;
  get(id: string): Promise<KeptNotebook | undefined>;
  put(notebook: KeptNotebook): Promise<Place>;
  /** For good. */
  drop(id: string): Promise<void>;
}

const DATABASE = "turnbook-notebooks";
const VERSION = 1;
const STORE = "notebooks";
/** Days that a deleted notebook can be taken back. */
const DAYS = 30;

export function browserShelf(name: string = DATABASE): NotebookShelf {
  const memory = new Map<string, KeptNotebook>();
  let opened: Promise<IDBPDatabase> | null = null;
  const database = () => (opened ??= inTime(open(name)));
  const stored = async <T>(body: (database: IDBPDatabase) => Promise<T>): Promise<T> =>
    inTime(body(await database()));
  return {
    list: async () => {
      const kept = await stored((db) => db.getAll(STORE) as Promise<KeptNotebook[]>).catch(
        () => [],
      );
      const all = new Map(kept.map((one) => [one.id, one]));
      for (const one of memory.values()) all.set(one.id, one);
      return [...all.values()].sort((a, b) => b.changed.localeCompare(a.changed));
    },
    get: async (id) =>
      memory.get(id) ??
      (await stored((db) => db.get(STORE, id) as Promise<KeptNotebook>).catch(() => undefined)),
    put: async (notebook) => {
      try {
        await stored(async (db) => {
          await db.put(STORE, notebook);
          await sweep(db);
        });
        memory.delete(notebook.id);
        return { kept: true };
      } catch (error) {
        memory.set(notebook.id, notebook);
        return { kept: false, why: storageReason(error) };
      }
    },
    drop: async (id) => {
      memory.delete(id);
      await stored((db) => db.delete(STORE, id)).catch(() => undefined);
    },
  };
}

function open(name: string): Promise<IDBPDatabase> {
  return openDB(name, VERSION, {
    upgrade: (database) => void database.createObjectStore(STORE, { keyPath: "id" }),
  });
}

/** What was deleted long ago goes for good. */
async function sweep(database: IDBPDatabase): Promise<void> {
  const oldest = new Date(Date.now() - DAYS * 86_400_000).toISOString();
  const kept = (await database.getAll(STORE)) as KeptNotebook[];
  for (const { id, deleted } of kept)
    if (deleted !== undefined && deleted < oldest) await database.delete(STORE, id);
}
