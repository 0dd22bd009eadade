/** What an experiment needs from its caller, and its progress. */
import type { Engine } from "../engine/engine.ts";
import type { DefinedCodes } from "../record/definitions.ts";
import type { TextFolder } from "../model/textFolder.ts";
import type { Definition } from "../spec/definitions.ts";
import type { FolderSpec } from "../spec/folder.ts";
import type { DoctorState } from "./doctor/doctor.ts";
import type { Computed } from "./computed.ts";
import type { TrainedModel } from "./memoryNeeds.ts";

export interface ExperimentHost {
  engine: Engine;
  /** Reads a file served from public/, e.g. "models/nano-sokoban/config.json". */
  loadAsset: (path: string) => Promise<Uint8Array>;
  /** Opens the folder that a spec names, once its files have that hash; absent: there is none here. */
  openFolder?: (folder: FolderSpec) => Promise<TextFolder>;
  /** Told of an opened folder's model before its weights are loaded. @throws InputError if it cannot be trained here */
  checkFolder?: (model: TrainedModel) => void;
  /** Reads a spec's definitions; absent: no code can be run here. */
  openDefinitions?: (definitions: readonly Definition[]) => Promise<DefinedCodes>;
  /** The current phase; units done and in total. */
  progress?: (phase: string, done: number, total: number) => void;
  /** Awaited at every step boundary: pauses, or rejects to cancel. */
  gate?: () => Promise<void>;
  /** In seconds; for timing only. */
  clock?: () => number;
  now?: () => Date;
}

/** The position of an experiment; plain data for checkpoints. */
export interface Position {
  /** Current iteration, from 1; 0 before the warm start. */
  iteration: number;
  /** Index of the next algorithm. */
  next: number;
  events: number;
  chain: string;
  crashed: string[];
  /** betaKlReward of the algorithms that adapt it, at its current value. */
  klCoef?: Record<string, number> | undefined;
  /** The doctor's state, if it watches. */
  doctor?: DoctorState | undefined;
  /** The engine that has computed up to here; absent in older checkpoints. */
  engine?: Computed | undefined;
}
