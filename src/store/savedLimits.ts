/** The name of a saved run's file, and how large it and what is in it may be. */
import { LARGEST_CHECKPOINT } from "../runtime/limits.ts";
import { MAX_BYTES } from "../reading/log/recordingIndex.ts";

/** Ends every saved run's name. */
export const SAVED_NAME = ".turnbook.zip";

export const MOST_SAVED_BYTES = {
  marker: 1_000_000,
  log: MAX_BYTES,
  // Beside the tensors it holds the spec and its place in the run.
  checkpoint: LARGEST_CHECKPOINT + 10_000_000,
} as const;

/** Bytes of the file itself. */
export const LARGEST_SAVED =
  MOST_SAVED_BYTES.marker + MOST_SAVED_BYTES.log + MOST_SAVED_BYTES.checkpoint;

/** Ends the name of a notebook with its runs. */
export const NOTEBOOK_ZIP = ".notebook.zip";
/** Bytes of such a file, and of all that is in it. */
export const MOST_NOTEBOOK_ZIP = 1_500_000_000;
