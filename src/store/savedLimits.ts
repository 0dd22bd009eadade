/** The name of a saved run's file, and the maximum sizes of it and its content. */
import { LARGEST_CHECKPOINT } from "../runtime/limits.ts";
import { MAX_BYTES } from "../reading/log/recordingIndex.ts";

/** Suffix of every saved run's name. */
export const SAVED_NAME = ".turnbook.zip";

export const MOST_SAVED_BYTES = {
  marker: 1_000_000,
  log: MAX_BYTES,
  // In addition to the tensors it contains the spec and its position in the run.
  checkpoint: LARGEST_CHECKPOINT + 10_000_000,
} as const;

/** Maximum bytes of the file itself. */
export const LARGEST_SAVED =
  MOST_SAVED_BYTES.marker + MOST_SAVED_BYTES.log + MOST_SAVED_BYTES.checkpoint;

/** Suffix of a notebook with its runs. */
export const NOTEBOOK_ZIP = ".notebook.zip";
/** Maximum bytes of such a file, and of its content. */
export const MOST_NOTEBOOK_ZIP = 1_500_000_000;
