/** A checkpoint of a run as bytes, with its place in the run. */
export interface SentCheckpoint {
  bytes: Uint8Array;
  /** Iterations that every method has done. */
  iteration: number;
  /** Events up to it. */
  events: number;
}
