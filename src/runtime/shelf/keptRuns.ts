/**
 * Runs kept in this browser while they train: their lines in IndexedDB as they come, their newest checkpoint among the browser's
 * files (or in IndexedDB, where there are none). A page that is closed or crashes can go on where the run stood.
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
  /** The notebook's address and the experiment's name in it, such as #book/k3x9/first; of a sweep's run what it trains, after a ~. */
  place: string;
  /** What it is called where its place does not say so: a sweep's run. */
  name?: string;
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

/** What is new of a run. */
export interface RunChange {
  run: KeptRun;
  /** They take the place of all that was kept from portion `from` on. */
  lines: readonly RunLines[];
  from: number;
  /** Null: the one that is kept still holds. One that is in a file is not kept here as well. */
  checkpoint: SentCheckpoint | null;
}

export interface WholeRun {
  run: KeptRun;
  lines: RunLines[];
  /** Portions of them that are in the database as they are; the others came with the checkpoint. */
  stored: number;
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
  /** Once a page: files of runs that it knows nothing of, as a tab leaves them that was closed too early. */
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

/** With the newest checkpoint among its files that fits its log, where that is newer than the one in the database. */
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
  // The worker keeps no longer what it hears is written.
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

/** What is old or too much, never the run that was just written nor one that an open page uses. */
async function superfluous(runs: readonly KeptRun[], own: string): Promise<KeptRun[]> {
  const used = await usedRuns(runs);
  const isUsed = ({ id }: KeptRun) => id === own || used.has(id);
  return leavingRuns(runs, { isUsed, now: Date.now() }).map(({ run }) => run);
}
