/** Causal grouped-query attention, forward. */
import type { OpOf } from "../../plan/ops.ts";
import type { Dispatch, Operand } from "../shader.ts";
import { attentionParts, dotsOf, each, seen } from "./attentionWalk.ts";
import { LOWEST, repeat, type KernelTarget } from "./lanes.ts";

export function attention(op: OpOf<"attention">, target: KernelTarget): Dispatch[] {
  const { H } = op;
  const work = { kept: 2, dots: 1 };
  const made = attentionParts(op, target, work);
  const { n, array, type, own, at, vector, overKeys, dispatch } = made;
  const operands: Operand[] = [
    { name: "qkv", type: array, view: op.qkv },
    { name: "first", type: "array<i32>", view: op.first },
    { name: "out", type: array, view: op.out, writes: true },
    ...(op.lse ? [{ name: "lse", type: "array<f32>", view: op.lse, writes: true } as const] : []),
  ];
  const body = overKeys({
    before: `
  ${repeat(own, (r) => `let a${r} = ${at.q(`t${r}`, "h")}; var m${r} = ${LOWEST}; var sum${r} = 0.0;`)}
  ${each(own, n, (r, c) => `let q${r}_${c} = qkv[a${r} + ${vector(c)}]; var o${r}_${c} = ${type}();`)}`,
    dots: dotsOf(own, (r) => ({ [`qk${r}`]: [`q${r}_`, "x"] })),
    use: repeat(
      own,
      (r) => `{
      let s = d.scale * qk${r};
      let top = ${seen(own, `max(m${r}, s)`, `m${r}`, `j >= f${r} && j <= t${r}`)};
      let keep = exp(m${r} - top);
      let p = ${seen(own, "exp(s - top)", "0.0", `j >= f${r} && j <= t${r}`)};
      m${r} = top;
      sum${r} = sum${r} * keep + p;
      ${repeat(n, (c) => `o${r}_${c} = o${r}_${c} * keep + p * y${c};`)}
    }`,
    ),
    after: (r) => `
      let into${r} = ${at.o(`t${r}`, "h")};
      ${repeat(n, (c) => `out[into${r} + ${vector(c)}] = o${r}_${c} / sum${r};`)}
      ${op.lse ? made.once(`lse[t${r} * ${H}u + h] = m${r} + log(sum${r});`) : ""}
    `,
  });
  return [dispatch({ name: "attention", heads: H, operands, body })];
}
