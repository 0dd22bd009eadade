/** A checkpoint of a run as bytes, with its position in the run. */
export interface SentCheckpoint {
  bytes: Uint8Array;
  /** Iterations that every method has completed. */
  iteration: number;
  /** Events up to it. */
  events: number;
  /** Whether its worker has written it to the browser's file system, where it outlives the page. */
  inFile?: boolean;
}
