/** The inputs and outputs of an iteration. */
import type { Credit } from "../method/estimator/estimator.ts";
import type { DefinedCodes } from "../record/definitions.ts";
import type { Metrics, EpisodeRecord, UpdateRecord } from "../record/runEvent.ts";
import type { Episode } from "../rollout/rollout.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { TokenRow } from "../text/tokenRow.ts";
import type { Learner } from "./learner.ts";
import type { ProcessPay } from "./process/played.ts";
import type { TaskFamily } from "./world.ts";

export interface IterationContext {
  spec: ExperimentSpec;
  family: TaskFamily;
  /** The spec's definitions; absent or null: none. */
  definitions?: DefinedCodes | null;
  /** Reports the current phase, for progress. */
  phase?: (name: string) => void;
  /** Awaited between turns and between minibatches: pauses, or rejects to cancel. */
  gate?: () => Promise<void>;
  /** The run's learners, whose critics are evaluated on recorded episodes; absent: none are. */
  learners?: readonly Learner[];
  /** Whether it only evaluates the learners: then nothing is trained, not even the judge of turns. */
  looks?: boolean;
  /** Seconds of any clock, for timing only. */
  clock: () => number;
}

export interface IterationResult {
  metrics: Metrics;
  episodes: EpisodeRecord[];
  /** The actor's optimiser steps; absent if nothing is clipped. */
  updates?: UpdateRecord[];
  /** Seconds per phase. */
  time: Record<string, number>;
}

/** Everything an iteration knows about its episodes before the first update. */
export interface Experience {
  episodes: Episode[];
  rows: TokenRow[];
  batch: TrajectoryBatch;
  credit: Credit;
  /** Entropy of the distribution that each token was sampled from. [N] */
  entropy: Float64Array;
  /** Process rewards of the turns; null if there are none. */
  process: ProcessPay | null;
  /**
   * The environment's own turns, if a segmentation replaced them; absent: the batch's turns are
   * these.
   */
  played?: { rows: TokenRow[]; batch: TrajectoryBatch };
}
