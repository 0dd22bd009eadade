/** The default number of threads. */
import { availableParallelism } from "os";

/**
 * Maximum default number of threads: a batch of up to 4096 tokens is split into about as many
 * passes, and more threads would idle. Larger batches make more passes, so up to 16 may be
 * requested.
 */
const WORKERS_UNASKED = 8;
export const workersUnasked = (): number => Math.min(WORKERS_UNASKED, availableParallelism());
