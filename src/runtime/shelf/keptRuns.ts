/**
 * Runs stored in this browser while they train: their lines in IndexedDB as they arrive, their
 * newest checkpoint in the browser's file system (or in IndexedDB without one). A page that was
 * closed or crashed can resume the run.
 */
import type { IDBPDatabase } from "idb";
import type { SentCheckpoint } from "../../record/sentCheckpoint.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { usedRuns } from "./claim.ts";
import { lazyDatabase, ON_DISK } from "./database.ts";
import { browserRunFiles, type CheckpointFiles } from "./runFiles.ts";
import { joinLines, type RunLines } from "./slot.ts";
import { storageReason, type Place } from "./storage.ts";
import { leavingRuns } from "./sweepPlan.ts";

/** The run's progress, as a thumbnail needs it. */
export interface RunCurves {
  /** Success on held-out levels, or the mean reward if that was not measured. */
  measure: "heldout" | "reward";
  lines: RunCurve[];
}

export interface RunCurve {
  method: string;
  /** Ascending iterations, and the measurement at each; null if not finite. [N] both. */
  x: number[];
  y: (number | null)[];
}

export interface KeptRun {
  id: string;
  /** The notebook's address and the experiment's name in it, such as #book/k3x9/first; a sweep's run adds a ~ and what it trains. */
  place: string;
  /** Its name if its place does not contain one: a sweep's run. */
  name?: string;
  spec: ExperimentSpec;
  /** Last known state: a run whose page was closed is still `running`. */
  state: "running" | "paused" | "finished";
  /** Iterations that every method had completed at the newest checkpoint; 0 before the first. */
  iteration: number;
  /** Bytes of its lines. */
  bytes: number;
  /** Bytes of its checkpoint; absent in runs stored by older versions. */
  checkpointBytes?: number;
  /** Also absent before anything was measured. */
  curves?: RunCurves;
  /** ISO times. */
  begun: string;
  changed: string;
}

/** A change to a stored run. */
export interface RunChange {
  run: KeptRun;
  /** They replace everything stored from portion `from` on. */
  lines: readonly RunLines[];
  from: number;
  /**
   * Null: the stored one is still valid. A checkpoint stored as a file is not stored here as well.
   */
  checkpoint: SentCheckpoint | null;
}

export interface WholeRun {
  run: KeptRun;
  lines: RunLines[];
  /** Portions that are in the database as they are; the others came with the checkpoint. */
  stored: number;
  checkpoint: SentCheckpoint | null;
}

export interface RunRecords {
  /** Newest first. Empty if storage fails. */
  list(): Promise<KeptRun[]>;
  /** Undefined if it is gone or storage fails. */
  read(id: string): Promise<WholeRun | undefined>;
  /** Writes the whole change or nothing. */
  write(change: RunChange): Promise<Place>;
  /** Deletes it permanently. */
  drop(id: string): Promise<void>;
}

const DATABASE = "turnbook-runs";
const VERSION = 1;
const RUNS = "runs";
const LINES = "lines";
const CHECKPOINTS = "checkpoints";
const STORES = [RUNS, LINES, CHECKPOINTS];
/** Milliseconds: a run of megabytes takes a while to read or write. */
const TIME_LIMIT = 20_000;

export function browserRuns(
  name: string = DATABASE,
  files: CheckpointFiles = browserRunFiles(),
): RunRecords {
  const database = lazyDatabase(name, VERSION, create);
  const stored = <T>(body: (database: IDBPDatabase) => Promise<T>) => database(body, TIME_LIMIT);
  const drop = async (id: string) => {
    await stored((database) => dropRun(database, id)).catch(() => undefined);
    await files.drop(id);
  };
  const sweep = async (own: string) => {
    const runs = await stored(listed);
    for (const { id } of await superfluous(runs, own)) await drop(id);
  };
  /** Once per page: removes files of runs that are not in the database, left by a tab that was closed too early. */
  let tidied: Promise<void> | null = null;
  const tidy = async () => {
    const known = new Set((await stored(listed)).map(({ id }) => id));
    const strange = (await files.ids()).filter((id) => !known.has(id));
    const used = await usedRuns(strange.map((id) => ({ id, place: "" })));
    for (const id of strange) if (!used.has(id)) await files.drop(id);
  };
  return {
    list: () => stored(listed).catch(() => []),
    read: async (id) => {
      const found = await stored((database) => readRun(database, id)).catch(() => undefined);
      return found && withFiles(found, files);
    },
    write: async (change) => {
      try {
        await stored((database) => writeChange(database, change));
        await sweep(change.run.id);
        tidied ??= tidy().catch(() => undefined);
        return { kept: true };
      } catch (error) {
        return { kept: false, why: storageReason(error) };
      }
    },
    drop,
  };
}

/** Adds the newest checkpoint file that fits its log, if that is newer than the one in the database. */
async function withFiles(whole: WholeRun, files: CheckpointFiles): Promise<WholeRun> {
  for (const slot of await files.read(whole.run.id)) {
    if (slot.checkpoint.events < (whole.checkpoint?.events ?? 0)) break;
    const lines = joinLines(whole.lines, slot);
    if (lines) return { ...whole, lines, checkpoint: slot.checkpoint };
  }
  return whole;
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
  return run && { run, lines, stored: lines.length, checkpoint: checkpoint ?? null };
}

const allLines = (id: string, from = 0) => IDBKeyRange.bound([id, from], [id, Infinity]);

async function writeChange(database: IDBPDatabase, change: RunChange): Promise<void> {
  const { run, lines, from, checkpoint } = change;
  // The worker discards what it is told is written, so it must be on the disk.
  const transaction = database.transaction(STORES, "readwrite", ON_DISK);
  const store = transaction.objectStore(LINES);
  const work: Promise<unknown>[] = [
    transaction.objectStore(RUNS).put(run),
    store.delete(allLines(run.id, from)),
    ...lines.map((some, i) => store.put(some, [run.id, from + i])),
  ];
  const checkpoints = transaction.objectStore(CHECKPOINTS);
  if (checkpoint?.inFile) work.push(checkpoints.delete(run.id));
  else if (checkpoint) work.push(checkpoints.put(checkpoint, run.id));
  // A failure aborts the whole transaction.
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

/** Old or excess runs, never the run that was just written nor one that an open page uses. */
async function superfluous(runs: readonly KeptRun[], own: string): Promise<KeptRun[]> {
  const used = await usedRuns(runs);
  const isUsed = ({ id }: KeptRun) => id === own || used.has(id);
  return leavingRuns(runs, { isUsed, now: Date.now() }).map(({ run }) => run);
}
