/** A row's credit for an iteration's episodes. */
import type { Credit } from "../../method/estimator/estimator.ts";
import type { Normalisation } from "../../method/credit/whiten.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";

/**
 * Computed over all episodes: rows that compare rollouts or normalise over a batch need them all.
 */
export interface RowCredit {
  batch: TrajectoryBatch;
  credit: Credit;
  /** Training's normalisation, over episodes that include unrecorded ones; null if the row uses its own. */
  whitening: Normalisation | null;
  /** Factor that training applies to rewards. */
  rewardScale: number;
}
