/**
 * Runs kept in this browser while they train, in IndexedDB: their lines as they come, and their newest checkpoint. A page that
 * is closed or crashes can go on where the run stood.
 */
import type { IDBPDatabase } from "idb";
import type { SentCheckpoint } from "../../record/sentCheckpoint.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { usedRuns } from "./claim.ts";
import { lazyDatabase } from "./database.ts";
import { storageReason, type Place } from "./storage.ts";
import { leavingRuns } from "./sweepPlan.ts";

/** How a run went, as a small picture needs it. */
export interface RunCurves {
  /** Success on held-out levels, or the mean reward where that was not measured. */
  measure: "heldout" | "reward";
  lines: RunCurve[];
}

export interface RunCurve {
  method: string;
  /** Ascending iterations, and what was measured at each; null was not finite. [N] both. */
  x: number[];
  y: (number | null)[];
}

export interface KeptRun {
  id: string;
  /** The notebook's address and the experiment's name in it, such as #book/k3x9/first. */
  place: string;
  spec: ExperimentSpec;
  /** As it was last seen: a run that the page was closed on is still `running`. */
  state: "running" | "paused" | "finished";
  /** Iterations that every method has done, at the newest checkpoint; 0 before the first. */
  iteration: number;
  /** Of its lines. */
  bytes: number;
  /** Of its checkpoint; absent from runs kept before this was noted. */
  checkpointBytes?: number;
  /** Absent likewise, and before anything was measured. */
  curves?: RunCurves;
  /** ISO times. */
  begun: string;
  changed: string;
}

/** Some lines of a log, one event each, with their newlines. */
interface RunLines {
  bytes: Uint8Array;
  events: number;
}

/** What is new of a run. */
export interface RunChange {
  run: KeptRun;
  /** They take the place of all that was kept from portion `from` on. */
  lines: readonly RunLines[];
  from: number;
  /** Null: the one that is kept still holds. */
  checkpoint: SentCheckpoint | null;
}

export interface WholeRun {
  run: KeptRun;
  lines: RunLines[];
  checkpoint: SentCheckpoint | null;
}

export interface RunRecords {
  /** Newest first. None where storage fails. */
  list(): Promise<KeptRun[]>;
  /** Undefined where it is gone, or storage fails. */
  read(id: string): Promise<WholeRun | undefined>;
  /** All of a change, or nothing of it. */
  write(change: RunChange): Promise<Place>;
  /** For good. */
  drop(id: string): Promise<void>;
}

const DATABASE = "turnbook-runs";
const VERSION = 1;
const RUNS = "runs";
const LINES = "lines";
const CHECKPOINTS = "checkpoints";
const STORES = [RUNS, LINES, CHECKPOINTS];
/** A run of megabytes takes a while to read or write. */
const PATIENCE = 20_000;

export function browserRuns(name: string = DATABASE): RunRecords {
  const database = lazyDatabase(name, VERSION, create);
  const stored = <T>(body: (database: IDBPDatabase) => Promise<T>) => database(body, PATIENCE);
  return {
    list: () => stored(listed).catch(() => []),
    read: (id) => stored((database) => readRun(database, id)).catch(() => undefined),
    write: async (change) => {
      try {
        await stored(async (database) => {
          await writeChange(database, change);
          await sweep(database, change.run.id);
        });
        return { kept: true };
      } catch (error) {
        return { kept: false, why: storageReason(error) };
      }
    },
    drop: (id) => stored((database) => dropRun(database, id)).catch(() => undefined),
  };
}

function create(database: IDBPDatabase): void {
  database.createObjectStore(RUNS, { keyPath: "id" });
  database.createObjectStore(LINES);
  database.createObjectStore(CHECKPOINTS);
}

async function listed(database: IDBPDatabase): Promise<KeptRun[]> {
  const runs = (await database.getAll(RUNS)) as KeptRun[];
  return runs.sort((a, b) => b.changed.localeCompare(a.changed));
}

async function readRun(database: IDBPDatabase, id: string): Promise<WholeRun | undefined> {
  const transaction = database.transaction(STORES);
  const [run, lines, checkpoint] = await Promise.all([
    transaction.objectStore(RUNS).get(id) as Promise<KeptRun | undefined>,
    transaction.objectStore(LINES).getAll(allLines(id)) as Promise<RunLines[]>,
    transaction.objectStore(CHECKPOINTS).get(id) as Promise<SentCheckpoint | undefined>,
  ]);
  return run && { run, lines, checkpoint: checkpoint ?? null };
}

const allLines = (id: string, from = 0) => IDBKeyRange.bound([id, from], [id, Infinity]);

async function writeChange(database: IDBPDatabase, change: RunChange): Promise<void> {
  const { run, lines, from, checkpoint } = change;
  const transaction = database.transaction(STORES, "readwrite");
  const store = transaction.objectStore(LINES);
  const work: Promise<unknown>[] = [
    transaction.objectStore(RUNS).put(run),
    store.delete(allLines(run.id, from)),
    ...lines.map((some, i) => store.put(some, [run.id, from + i])),
  ];
  if (checkpoint) work.push(transaction.objectStore(CHECKPOINTS).put(checkpoint, run.id));
  // What fails aborts all of it.
  await Promise.all([...work, transaction.done]);
}

async function dropRun(database: IDBPDatabase, id: string): Promise<void> {
  const transaction = database.transaction(STORES, "readwrite");
  await Promise.all([
    transaction.objectStore(RUNS).delete(id),
    transaction.objectStore(LINES).delete(allLines(id)),
    transaction.objectStore(CHECKPOINTS).delete(id),
    transaction.done,
  ]);
}

/** What is old or too much goes, never the run that was just written nor one that an open page uses. */
async function sweep(database: IDBPDatabase, own: string): Promise<void> {
  const runs = await listed(database);
  const used = await usedRuns(runs);
  const isUsed = ({ id }: KeptRun) => id === own || used.has(id);
  for (const { run } of leavingRuns(runs, { isUsed, now: Date.now() }))
    await dropRun(database, run.id);
}
