/** How many threads are started unasked. */
import { availableParallelism } from "os";

/**
 * Threads that are started unasked, at most: a batch of up to 4096 tokens is cut into about as many passes, and more
 * threads would idle. Larger batches make more passes, so that up to 16 may be asked for.
 */
const WORKERS_UNASKED = 8;
export const workersUnasked = (): number => Math.min(WORKERS_UNASKED, availableParallelism());
