/** Converts operations to dispatches. */
import type { Op, OpName, OpOf } from "../../plan/ops.ts";
import type { Dispatch } from "../shader.ts";
import { attention } from "./attention.ts";
import { attentionBackward } from "./attentionBackward.ts";
import { cachedAttentionKernel } from "./cachedAttention.ts";
import { headGrad, headStats, value, valueBackwardKernel } from "./head.ts";
import type { KernelTarget } from "./lanes.ts";
import { matmul } from "./matmul.ts";
import { normKernel, normBackward } from "./norm.ts";
import { adamw, scale, sumSquares } from "./optimizer.ts";
import { rope, ropeBackward } from "./rope.ts";
import {
  embedKernel,
  embedGrad,
  gatherRowsKernel,
  reducePartials,
  scatterRows,
  swiglu,
  swigluBackward,
} from "./rows.ts";
import { sample } from "./sample.ts";

export type { KernelTarget } from "./lanes.ts";

type KernelTable = { [N in OpName]: (op: OpOf<N>, target: KernelTarget) => Dispatch[] };

const kernels: KernelTable = {
  embed: embedKernel,
  embedGrad,
  norm: normKernel,
  normBackward,
  reducePartials,
  matmul,
  rope,
  ropeBackward,
  attention,
  attentionBackward,
  cachedAttention: cachedAttentionKernel,
  swiglu,
  swigluBackward,
  gatherRows: gatherRowsKernel,
  scatterRows,
  headStats,
  headGrad,
  value,
  valueBackward: valueBackwardKernel,
  sumSquares,
  scale,
  adamw,
  sample,
};

export function dispatchesOf(op: Op, target: KernelTarget): Dispatch[] {
  return (kernels[op.op] as (op: Op, target: KernelTarget) => Dispatch[])(op, target);
}
