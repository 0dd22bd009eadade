/** What an iteration works with, and what it makes. */
import type { Credit } from "../algorithm/algorithm.ts";
import type { DefinedCodes } from "../record/definitions.ts";
import type { Metrics, EpisodeRecord, UpdateRecord } from "../record/runEvent.ts";
import type { Episode } from "../rollout/rollout.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { TokenRow } from "../text/tokenRow.ts";
import type { Learner } from "./learner.ts";
import type { ProcessPay } from "./process/played.ts";
import type { TaskFamily } from "./world.ts";

export interface IterationContext {
  spec: ExperimentSpec;
  family: TaskFamily;
  /** The spec's definitions; absent or null: it has none. */
  definitions?: DefinedCodes | null;
  /** Says what is going on, for progress. */
  phase?: (name: string) => void;
  /** Awaited between turns and between minibatches: pauses, or rejects to cancel. */
  gate?: () => Promise<void>;
  /** The run's learners, whose critics are asked about recorded episodes; absent: none is. */
  learners?: readonly Learner[];
  /** Whether it only looks at the learners: then nothing of them is trained, the judge of turns neither. */
  looks?: boolean;
  /** Seconds of some clock, for timing only. */
  clock: () => number;
}

export interface IterationResult {
  metrics: Metrics;
  episodes: EpisodeRecord[];
  /** The actor's steps; absent where nothing is clipped. */
  updates?: UpdateRecord[];
  /** Seconds per phase. */
  time: Record<string, number>;
}

/** Everything an iteration knows of its episodes before the first update. */
export interface Experience {
  episodes: Episode[];
  rows: TokenRow[];
  batch: TrajectoryBatch;
  credit: Credit;
  /** Entropy of the distribution each token was drawn from. [N] */
  entropy: Float64Array;
  /** What the turns were paid besides; null where nothing. */
  process: ProcessPay | null;
  /** The environment's own turns, where a segmentation made others; absent: they are the batch's. */
  played?: { rows: TokenRow[]; batch: TrajectoryBatch };
}
