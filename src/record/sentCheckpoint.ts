/** A checkpoint of a run as bytes, with its place in the run. */
export interface SentCheckpoint {
  bytes: Uint8Array;
  /** Iterations that every method has done. */
  iteration: number;
  /** Events up to it. */
  events: number;
  /** Whether its worker has put it among the browser's files, where it outlives the page. */
  inFile?: boolean;
}
