/** Maximum bytes of a checkpoint: the page keeps one in memory, and a second one while it is replaced. */
export const LARGEST_CHECKPOINT = 256_000_000;
