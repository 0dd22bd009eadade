/** One run of a session: its engine, and what is open during the run. */
import type { Engine } from "../engine/engine.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { blobOpener, openNamedFolder } from "../model/textFolder.ts";
import type { Experiment } from "../train/experiment.ts";
import type { ExperimentHost } from "../train/host.ts";
import type { MachineMemory } from "../train/memoryNeeds.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { TriedBackend } from "./errors.ts";
import type { Keeping, Slots } from "./keeping.ts";
import type { Policies } from "./policies.ts";
import { LARGE_MODEL } from "./modelReport.ts";
import type { EngineReport, FromWorker, StartMessage } from "./protocol.ts";
import type { Recall } from "./recall.ts";

export interface SessionHost {
  post(message: FromWorker, transfer?: Transferable[]): void;
  /** `alone`: without threads, each of which would copy a large model. */
  openEngine(
    spec: ExperimentSpec,
    alone: boolean,
  ): Promise<{ engine: Engine; report: EngineReport }>;
  loadAsset(path: string): Promise<Uint8Array>;
  /** Reads a spec's definitions. Absent: code cannot be run. */
  openDefinitions?: ExperimentHost["openDefinitions"];
  /** The memory that a run may use. Absent: the run's size is not checked. */
  memory?: MachineMemory;
  /**
   * Opens the checkpoint storage of a stored run that starts after this many events. Absent:
   * checkpoints are not stored.
   */
  openSlots?(id: string, events: number): Slots;
  /** Milliseconds. */
  now(): number;
  /** Lets waiting messages in; resolves after at least this many milliseconds. */
  rest(milliseconds: number): Promise<void>;
}

export interface Run {
  cancelled: boolean;
  done: Promise<void>;
  /** The backend that it runs on, or will run on. */
  backend: TriedBackend;
  /** Set once loaded, until dropped. */
  live: { experiment: Experiment; policies: Policies; recall?: Recall } | null;
  checkpoints: Checkpoints;
  /** Null: the run is not stored. */
  keeping: Keeping | null;
  /** Whether its engine has started. */
  opened: boolean;
  /** Whether it is between two units of work, where it can be saved. */
  between: boolean;
}

/** Thrown through an experiment to stop it between two steps. */
export class Cancelled extends Error {}

export function newRun(host: SessionHost): Run {
  const run: Run = {
    cancelled: false,
    done: Promise.resolve(),
    backend: "auto",
    live: null,
    checkpoints: new Checkpoints({
      post: (message, transfer) => host.post(message, transfer),
      now: () => host.now(),
      keep: async (checkpoint) => (await run.keeping?.write(checkpoint)) ?? false,
    }),
    keeping: null,
    opened: false,
    between: true,
  };
  return run;
}

/** @param wanted the spec that the engine is opened for. `alone`: see SessionHost. */
export async function withEngine(
  host: SessionHost,
  wanted: ExperimentSpec,
  run: Run,
  alone: boolean,
  body: (engine: Engine, report: EngineReport) => Promise<void>,
): Promise<void> {
  const { engine, report } = await host.openEngine(wanted, alone);
  run.backend = engine.info.backend;
  run.opened = true;
  try {
    await body(engine, report);
  } finally {
    engine.dispose();
  }
}

/** Makes the run's models available for questions and saving while `body` runs. */
export async function whileLive(
  run: Run,
  live: NonNullable<Run["live"]>,
  body: () => Promise<void>,
): Promise<void> {
  try {
    run.live = live;
    await body();
  } finally {
    run.live = null;
    live.experiment.dispose();
  }
}

export function definitionsOf({ openDefinitions }: SessionHost): Partial<ExperimentHost> {
  return openDefinitions ? { openDefinitions } : {};
}

/** Each of our own engines runs on the backend of the same name. */
export function askedBackend({ engine: { name, backend } }: ExperimentSpec): TriedBackend {
  return backend === "auto" && name !== "tfjs" ? name : backend;
}

type ModelFiles = StartMessage["files"];

const bytesOf = (files: NonNullable<ModelFiles>): number =>
  [...files.values()].reduce((sum, { size }) => sum + size, 0);

/** Files have two bytes or four of each number, the engine four. */
export const isLarge = (files: ModelFiles): boolean =>
  files !== undefined && 2 * bytesOf(files) >= LARGE_MODEL;

/** Opens the reader's folder, once its files are those that a spec names. `tell` gets the bytes read and their sum. */
export function openerOf(
  files: ModelFiles,
  tell: (done: number, all: number) => Promise<void>,
): Pick<ExperimentHost, "openFolder"> {
  if (!files) return {};
  const onBytes = (done: number) => tell(done, bytesOf(files));
  const names = [...files.keys()];
  return { openFolder: (folder) => openNamedFolder(blobOpener(files), names, folder, onBytes) };
}
