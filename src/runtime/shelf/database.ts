/** A browser database: opened at its first use, and reopened after it failed or was closed by the browser. */
import { openDB, type IDBPDatabase, type OpenDBCallbacks } from "idb";
import { inTime } from "./storage.ts";

/** Runs a function with the database. Rejects if it cannot be opened or takes longer than `timeLimit` milliseconds. */
type WithDatabase = <T>(
  body: (database: IDBPDatabase) => Promise<T>,
  timeLimit?: number,
) => Promise<T>;

/**
 * For writes that must not be lost: they count as done only once they are on the disk. Without
 * this, Chromium and Firefox report success when the operating system has the data, which a power
 * failure loses.
 */
export const ON_DISK = { durability: "strict" } as const;

interface DatabaseOpening {
  database: Promise<IDBPDatabase>;
  /** Rejects if another tab blocks the upgrade. */
  blocked: Promise<never>;
}

/** @param upgrade from the existing version (0: none) to `version`. */
export function lazyDatabase(
  name: string,
  version: number,
  upgrade: NonNullable<OpenDBCallbacks<unknown>["upgrade"]>,
): WithDatabase {
  let opening: DatabaseOpening | null = null;
  const forget = () => void (opening = null);
  return async (body, timeLimit) => {
    opening ??= open(name, version, upgrade, forget);
    const database = await inTime(Promise.race([opening.database, opening.blocked]));
    return inTime(body(database), timeLimit);
  };
}

function open(
  name: string,
  version: number,
  upgrade: NonNullable<OpenDBCallbacks<unknown>["upgrade"]>,
  forget: () => void,
): DatabaseOpening {
  let block: (error: Error) => void = () => {};
  const blocked = new Promise<never>((_, reject) => (block = reject));
  // Avoids an unhandled rejection if nothing awaits it.
  blocked.catch(() => {});
  const database = openDB(name, version, {
    upgrade,
    blocked: () => block(new Error("a tab with an older version of this page is open: close it")),
    // A newer page wants to upgrade the database and must not wait for this one.
    blocking: (_, __, event) => {
      (event.target as IDBDatabase).close();
      forget();
    },
    terminated: forget,
  });
  database.catch(forget);
  return { database, blocked };
}

/** Key range of records whose key is a notebook's id and a string. */
export function ofNotebook(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id, ""], [id, "\uffff"]);
}
