/** A database of the browser: opened at its first use, and anew after it failed or was closed under the page. */
import { openDB, type IDBPDatabase, type OpenDBCallbacks } from "idb";
import { inTime } from "./storage.ts";

/** Does something with the database. Rejects where it cannot be opened or takes longer than `patience` milliseconds. */
type WithDatabase = <T>(
  body: (database: IDBPDatabase) => Promise<T>,
  patience?: number,
) => Promise<T>;

/**
 * How what may not be lost is written: it counts as written once it is on the disk. Without this Chromium and Firefox say so when the
 * system has it, which a loss of power takes away.
 */
export const ON_DISK = { durability: "strict" } as const;

interface DatabaseOpening {
  database: Promise<IDBPDatabase>;
  /** Rejects where another tab is in the way. */
  blocked: Promise<never>;
}

/** @param upgrade from the version that is there (0: none) to `version`. */
export function lazyDatabase(
  name: string,
  version: number,
  upgrade: NonNullable<OpenDBCallbacks<unknown>["upgrade"]>,
): WithDatabase {
  let opening: DatabaseOpening | null = null;
  const forget = () => void (opening = null);
  return async (body, patience) => {
    opening ??= open(name, version, upgrade, forget);
    const database = await inTime(Promise.race([opening.database, opening.blocked]));
    return inTime(body(database), patience);
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
  // Nobody may be waiting when it happens.
  blocked.catch(() => {});
  const database = openDB(name, version, {
    upgrade,
    blocked: () => block(new Error("a tab with an older version of this page is open: close it")),
    // A newer page wants to upgrade it, and must not wait for this one.
    blocking: (_, __, event) => {
      (event.target as IDBDatabase).close();
      forget();
    },
    terminated: forget,
  });
  database.catch(forget);
  return { database, blocked };
}

/** Records whose key is a notebook's id and a text. */
export function ofNotebook(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id, ""], [id, "\uffff"]);
}
