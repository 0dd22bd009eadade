/** The request for a pass, as plain data, so that any thread can run it. */
import type { KeptRows, Pass, Targets } from "./batches.ts";

export interface ForwardJob {
  pass: Pass;
  targets: Targets;
  /** Null: all rows. */
  kept: KeptRows | null;
  temperature: number;
  value: boolean;
  logits: boolean;
}

export interface BackwardJob {
  pass: Pass;
  targets: Targets;
  /** Null: all rows. */
  kept: KeptRows | null;
  temperature: number;
  /** dL/dlogprob, dL/dentropy, dL/dkl of the targets. [3, M] */
  coefficients: Float32Array;
  /** [R], or for the kept rows [N]; null if the pass has no values */
  dValue: Float32Array | null;
  /** Whether layers run again, see trunkForward. */
  recomputes: boolean;
}
