/** What preference learning collects. */
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { Episode } from "../../rollout/rollout.ts";
import type { TokenRow } from "../../text/tokenRow.ts";
import type { SplitPairs } from "./pairs.ts";

export interface Collected extends SplitPairs {
  episodes: Episode[];
  /** [B] */
  rows: TokenRow[];
  /** oldLogprob and refLogprob are the reference's. */
  batch: TrajectoryBatch;
  /** Token offsets of each rollout. [B+1] */
  tokens: Int32Array;
  /** Entropy of the reference at each token. [N] */
  entropy: Float64Array;
}
