/** Bytes of a checkpoint at most: the page keeps one in memory, and another while it is being replaced. */
export const LARGEST_CHECKPOINT = 256_000_000;
