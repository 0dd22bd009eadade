/** What an experiment needs of whoever runs it, and how far it has come. */
import type { Engine } from "../engine/engine.ts";
import type { DefinedCodes } from "../record/definitions.ts";
import type { Definition } from "../spec/definitions.ts";
import type { DoctorState } from "./doctor/doctor.ts";
import type { Computed } from "./computed.ts";

export interface ExperimentHost {
  engine: Engine;
  /** Reads a file served from public/, e.g. "models/nano-sokoban/config.json". */
  loadAsset: (path: string) => Promise<Uint8Array>;
  /** Reads a spec's definitions; absent: here no code can be run. */
  openDefinitions?: (definitions: readonly Definition[]) => Promise<DefinedCodes>;
  /** What is being done now; units done and in all. */
  progress?: (phase: string, done: number, total: number) => void;
  /** Awaited at every step boundary: pauses, or rejects to cancel. */
  gate?: () => Promise<void>;
  /** Seconds; for timing only. */
  clock?: () => number;
  now?: () => Date;
}

/** Where an experiment stands; plain data for checkpoints. */
export interface Position {
  /** Iteration under way, from 1; 0 before the warm start. */
  iteration: number;
  /** Algorithm whose turn it is. */
  next: number;
  events: number;
  chain: string;
  crashed: string[];
  /** betaKlReward of the algorithms where it adapts, as it stands. */
  klCoef?: Record<string, number> | undefined;
  /** What the doctor remembers, where it watches. */
  doctor?: DoctorState | undefined;
  /** What has computed up to here; absent in older checkpoints. */
  engine?: Computed | undefined;
}
