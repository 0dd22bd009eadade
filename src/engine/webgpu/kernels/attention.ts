/** Causal grouped-query attention, forward. */
import type { OpOf } from "../../plan/ops.ts";
import type { Dispatch, Operand } from "../shader.ts";
import {
  dispatchOf,
  headDot,
  each,
  queryBounds,
  seen,
  shapeWords,
  tilingOf,
  vectorsOf,
  walk,
} from "./attentionWalk.ts";
import { repeat, type KernelTarget } from "./lanes.ts";

export function attention(op: OpOf<"attention">, target: KernelTarget): Dispatch[] {
  const { H, K, d } = op;
  const vectors = vectorsOf(d);
  const tiling = tilingOf(target, vectors);
  const { n, array, type } = vectors;
  const { own, threads } = tiling;
  const at = shapeWords(op, vectors);
  const operands: Operand[] = [
    { name: "qkv", type: array, view: op.qkv },
    { name: "first", type: "array<i32>", view: op.first },
    { name: "out", type: array, view: op.out, writes: true },
    ...(op.lse ? [{ name: "lse", type: "array<f32>", view: op.lse, writes: true } as const] : []),
  ];
  const use = repeat(
    own,
    (r) => `{
      let s = d.scale * (${headDot(`q${r}_`, "x", n)});
      let top = ${seen(own, `max(m${r}, s)`, `m${r}`, `j >= f${r} && j <= t${r}`)};
      let keep = exp(m${r} - top);
      let p = ${seen(own, "exp(s - top)", "0.0", `j >= f${r} && j <= t${r}`)};
      m${r} = top;
      sum${r} = sum${r} * keep + p;
      ${repeat(n, (c) => `o${r}_${c} = o${r}_${c} * keep + p * y${c};`)}
    }`,
  );
  const body = `
  let kv = h * ${K}u / ${H}u;
  ${queryBounds(own, threads)}
  ${repeat(own, (r) => `let a${r} = ${at.q(`t${r}`, "h")}; var m${r} = -3.4e38; var sum${r} = 0.0;`)}
  ${each(own, n, (r, c) => `let q${r}_${c} = qkv[a${r} + ${c}u]; var o${r}_${c} = ${type}();`)}
  ${walk(
    {
      from: "start",
      to: "stop",
      low: "f0",
      high: `t${own - 1} + 1u`,
      xArray: "qkv",
      yArray: "qkv",
      use,
      x: (row) => at.k(row, "kv"),
      y: (row) => at.v(row, "kv"),
    },
    vectors,
    tiling,
  )}
  ${repeat(
    own,
    (r) => `if (row0 + ${r}u < d.R) {
      let into${r} = ${at.o(`t${r}`, "h")};
      ${repeat(n, (c) => `out[into${r} + ${c}u] = o${r}_${c} / sum${r};`)}
      ${op.lse ? `lse[t${r} * ${H}u + h] = m${r} + log(sum${r});` : ""}
    }`,
  )}`;
  const floats = { scale: op.scale };
  return [
    dispatchOf({ name: "attention", heads: H, operands, body, shape: op, floats }, vectors, tiling),
  ];
}
