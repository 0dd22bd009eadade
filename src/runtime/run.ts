/** One run of a session: what it runs on, and what is open while it does. */
import type { Engine } from "../engine/engine.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { Experiment } from "../train/experiment.ts";
import type { ExperimentHost } from "../train/host.ts";
import type { MachineMemory } from "../train/memoryNeeds.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { TriedBackend } from "./errors.ts";
import type { Keeping, Slots } from "./keeping.ts";
import type { Policies } from "./policies.ts";
import type { EngineReport, FromWorker } from "./protocol.ts";
import type { Recall } from "./recall.ts";

export interface SessionHost {
  post(message: FromWorker, transfer?: Transferable[]): void;
  openEngine(spec: ExperimentSpec): Promise<{ engine: Engine; report: EngineReport }>;
  loadAsset(path: string): Promise<Uint8Array>;
  /** Reads a spec's definitions. Absent: no code can be run. */
  openDefinitions?: ExperimentHost["openDefinitions"];
  /** What a run may use. Absent: a run is not checked for its size. */
  memory?: MachineMemory;
  /** Where the checkpoints of a kept run go that begins after so many events. Absent: nowhere. */
  openSlots?(id: string, events: number): Slots;
  /** Milliseconds. */
  now(): number;
  /** Lets waiting messages in; resolves after at least this many milliseconds. */
  rest(milliseconds: number): Promise<void>;
}

export interface Run {
  cancelled: boolean;
  done: Promise<void>;
  /** What it runs on, or is to run on. */
  backend: TriedBackend;
  /** Once loaded, until dropped. */
  live: { experiment: Experiment; policies: Policies; recall?: Recall } | null;
  checkpoints: Checkpoints;
  /** Null: nobody keeps it. */
  keeping: Keeping | null;
  /** Whether its engine has started. */
  opened: boolean;
  /** Whether it stands between two units of work, where it can be saved. */
  between: boolean;
}

/** Thrown through an experiment to stop it where it stands. */
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

/** @param wanted what the engine is opened for. */
export async function withEngine(
  host: SessionHost,
  wanted: ExperimentSpec,
  run: Run,
  body: (engine: Engine, report: EngineReport) => Promise<void>,
): Promise<void> {
  const { engine, report } = await host.openEngine(wanted);
  run.backend = engine.info.backend;
  run.opened = true;
  try {
    await body(engine, report);
  } finally {
    engine.dispose();
  }
}

/** The run's models can be asked and saved while `body` runs. */
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

/** Each engine of ours runs on the backend of its name. */
export function askedBackend({ engine: { name, backend } }: ExperimentSpec): TriedBackend {
  return backend === "auto" && name !== "tfjs" ? name : backend;
}
