/** Input and output of mapping an axis of an algorithm. */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { Keys } from "../yaml.ts";
import type { Sizes } from "./sizes.ts";

/** RAGEN with its environments, or verl's own trainer with a custom agent loop. */
export type ExportTarget = "ragen" | "verl";

/** The result of mapping an axis. */
export interface AxisOutcome {
  keys?: Keys;
  differs?: string;
  missing?: string;
}

export interface AxisContext {
  config: AlgorithmConfig;
  target: ExportTarget;
  sizes: Sizes;
  context: "full" | "turn";
  formatPenalty: number;
  /** optimisation.entropyCoef */
  entropyCoef: number;
}

/** For settings where verl requires a number and there is no limit here. */
export const NO_LIMIT = 1e9;

/** Prefixes of the keys that most axes map to. */
export const actor = "actor_rollout_ref.actor";
export const ROLLOUT = "actor_rollout_ref.rollout";
