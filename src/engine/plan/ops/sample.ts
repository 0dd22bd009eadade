/** Samples the next tokens of a decode session. Letters as in ../ops.ts. */
import type { BufferView } from "./view.ts";

/** Words of the rule that `sample` follows; see Sample. */
export const SAMPLE_RULE = 32;

/**
 * Samples the next token of every active row (row[r] >= 0) from softmax(logits / temperature) over
 * its legal ids, cut to the top k and then to the nucleus, as engine/sample.ts does (ties to the
 * smaller id; inverse CDF in order of id), with the uniform of numeric/rng: Philox4x32-10, counter
 * [step, trajectory, iteration, stream hash], key [seed low, seed high], step = firstStep[r] +
 * tick[r]. The log-prob is over the full vocabulary. drawn[tick[r]][slot[r]] = (id, log-prob bits),
 * where slot is the row's index; an id of -1 means that the logits are not finite. Then tick[r] +=
 * 1, and the row continues with token[r] = id, position[r] += 1, unless id is a stop token or -1 or
 * tick[r] = maxNew: then row[r] = -1. rule: 0 temperature (float; 0: greedy, log-prob at
 * temperature 1), 1 topP (float), 2 topK (i32; 0: all), 3 seed low, 4 seed high,
 *       5 iteration, 6 stream hash, 7 maxNew, 8 number of stop tokens, 16 .. 31 stop tokens (all i32 from 2 on)
 */
export interface SampleOp {
  op: "sample";
  /** [R, V] */
  logits: BufferView;
  /** [SAMPLE_RULE] mixed words. */
  rule: BufferView;
  /** i32 [R], in place, as are position, row and tick. */
  token: BufferView;
  position: BufferView;
  row: BufferView;
  tick: BufferView;
  /** i32 [R] */
  trajectory: BufferView;
  /** i32 [R] */
  firstStep: BufferView;
  /** i32 [R]: index of the row's results in `drawn`. */
  slot: BufferView;
  /** [ticks, slots, 2]: id (i32) and log-prob. */
  drawn: BufferView;
  /** Bits of the ids that a slot may sample, see engine/sample.ts; absent: all. i32 [slots, ceil(V / 32)] */
  legal?: BufferView;
  R: number;
  V: number;
  slots: number;
}
