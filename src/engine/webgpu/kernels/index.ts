/** From operations to dispatches. */
import type { Op, OpName } from "../../plan/ops.ts";
import type { Dispatch } from "../shader.ts";
import { attention, attentionBackward } from "./attention.ts";
import { cachedAttention } from "./cachedAttention.ts";
import { headGrad, headStats, value, valueBackward } from "./head.ts";
import type { Target } from "./lanes.ts";
import { matmul } from "./matmul.ts";
import { norm, normBackward } from "./norm.ts";
import { adamw, scale, sumSquares } from "./optimizer.ts";
import { rope, ropeBackward } from "./rope.ts";
import {
  embed,
  embedGrad,
  gatherRows,
  reducePartials,
  scatterRows,
  swiglu,
  swigluBackward,
} from "./rows.ts";
import { sample } from "./sample.ts";

export type { Target } from "./lanes.ts";

type Kernels = { [N in OpName]: (op: Extract<Op, { op: N }>, target: Target) => Dispatch[] };

const kernels: Kernels = {
  ...{ embed, embedGrad, norm, normBackward, reducePartials, matmul, rope, ropeBackward },
  ...{ attention, attentionBackward, cachedAttention, swiglu, swigluBackward, gatherRows },
  ...{ scatterRows, headStats, headGrad, value, valueBackward, sumSquares, scale, adamw, sample },
};

export function dispatchesOf(op: Op, target: Target): Dispatch[] {
  return (kernels[op.op] as (op: Op, target: Target) => Dispatch[])(op, target);
}
