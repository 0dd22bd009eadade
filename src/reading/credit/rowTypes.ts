/** What a row makes of an iteration's episodes. */
import type { Credit } from "../../algorithm/algorithm.ts";
import type { Normalisation } from "../../credit/whiten.ts";
import type { TrajectoryBatch } from "../../record/trajectoryBatch.ts";

/** Computed over all episodes: what compares rollouts, or normalises over a batch, needs them all. */
export interface RowCredit {
  batch: TrajectoryBatch;
  credit: Credit;
  /** Training's normalisation, over episodes that are not recorded too; null where the row has its own. */
  whitening: Normalisation | null;
  /** What training multiplies rewards by. */
  rewardScale: number;
}
