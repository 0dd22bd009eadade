/** How much work an operation is, before it runs: what plans are cut by, so that no submit keeps a device too long. */
import { operands, type Op } from "./ops.ts";
import type { Plan } from "./planner.ts";

/** In FLOPs: additions and multiplications, or what the device could do of them while it moves the words. */
export interface OpWork {
  /** Whatever the data. */
  fixed: number;
  /** For each pair of a token and one that it attends to. */
  perPair: number;
}

/** Operations that only move words: a device could compute about so much meanwhile. */
const PER_WORD = 8;

/** Of a pair's dot product over d numbers, so many: scores and sums; the backward computes the scores twice. */
const FORWARD_DOTS = 2;
const BACKWARD_DOTS = 7;

export function workOf(op: Op): OpWork {
  switch (op.op) {
    case "matmul":
      return { fixed: Math.max(2 * op.M * op.N * op.K, moved(op)), perPair: 0 };
    case "attention":
      return { fixed: moved(op), perPair: FORWARD_DOTS * 2 * op.H * op.d };
    case "attentionBackward":
      return { fixed: moved(op), perPair: BACKWARD_DOTS * 2 * op.H * op.d };
    case "cachedAttention":
      return { fixed: FORWARD_DOTS * 2 * op.R * op.capacity * op.H * op.d, perPair: 0 };
    // Their tables are large, and few rows of them are read.
    case "embed":
    case "embedGrad":
      return { fixed: 2 * PER_WORD * op.R * op.D, perPair: 0 };
    default:
      return { fixed: moved(op), perPair: 0 };
  }
}

const moved = (op: Op): number =>
  PER_WORD * operands(op).reduce((sum, { view }) => sum + view.size, 0);

/** Pairs of a token and one that it attends to, of a pass with this input; 0 where it has none. */
export function pairsOf({ inputs }: Plan, input: Int32Array): number {
  const { first } = inputs;
  if (!first) return 0;
  let pairs = 0;
  for (let row = 0; row < first.size; row++) pairs += row + 1 - input[first.offset + row]!;
  return pairs;
}
