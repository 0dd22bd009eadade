/** What mapping an axis of an algorithm takes and gives. */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { Keys } from "../yaml.ts";
import type { Sizes } from "./sizes.ts";

/** RAGEN with its environments, or verl's own trainer with an agent loop of one's own. */
export type ExportTarget = "ragen" | "verl";

/** What an axis becomes. */
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
}

/** Where verl asks for a number and there is no limit here. */
export const NO_LIMIT = 1e9;

/** Prefixes of the keys that most axes become. */
export const actor = "actor_rollout_ref.actor";
export const ROLLOUT = "actor_rollout_ref.rollout";
