/** The played episodes of an iteration, as process rewards take them. */
import type { Metrics } from "../../record/runEvent.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { Episode } from "../../rollout/rollout.ts";
import type { TokenRow } from "../../text/tokenRow.ts";

/** The played episodes, in the forms that scoring needs. */
export interface PlayedEpisodes {
  episodes: Episode[];
  rows: TokenRow[];
  batch: TrajectoryBatch;
  /** Whether truncated episodes are continued past their limit with a critic's value. */
  bootstrap: boolean;
}

export interface ProcessPay {
  /** Columns that replace the batch's. */
  columns: Pick<TrajectoryBatch, "turnReward" | "tokenReward">;
  /** What was added to each turn, in the environment's units. [K] */
  added: Float64Array;
  metrics: Metrics;
}
