/** The amount of work of an operation, before it runs: plans are split by it, so that no submit blocks a device too long. */
import { operands, type Op } from "./ops.ts";
import type { Plan } from "./planner.ts";

/** In FLOPs: additions and multiplications, or how many the device could do while it moves the words. */
export interface OpWork {
  /** Independent of the data. */
  fixed: number;
  /** For each pair of a token and one that it attends to. */
  perPair: number;
}

/** For operations that only move words: a device could compute about this much in the same time. */
const PER_WORD = 8;

/** Dot products per pair over d numbers: scores and sums; the backward computes the scores twice. */
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
    // Their tables are large, and few of their rows are read.
    case "embed":
    case "embedGrad":
      return { fixed: 2 * PER_WORD * op.R * op.D, perPair: 0 };
    default:
      return { fixed: moved(op), perPair: 0 };
  }
}

const moved = (op: Op): number =>
  PER_WORD * operands(op).reduce((sum, { view }) => sum + view.size, 0);

/** Pairs of a token and one that it attends to, in a pass with this input; 0 if it has none. */
export function pairsOf({ inputs }: Plan, input: Int32Array): number {
  const { first } = inputs;
  if (!first) return 0;
  let pairs = 0;
  for (let row = 0; row < first.size; row++) pairs += row + 1 - input[first.offset + row]!;
  return pairs;
}
