/** The gradient of causal grouped-query attention. */
import type { OpOf } from "../../plan/ops.ts";
import type { Dispatch, Operand } from "../shader.ts";
import { attentionParts, eachOwn, headDot, headProduct, seen } from "./attentionWalk.ts";
import { repeat, type KernelTarget } from "./lanes.ts";

/** Queries first: delta and dq. Then keys: dk and dv, over the queries that see them. */
export function attentionBackward(op: OpOf<"attentionBackward">, target: KernelTarget): Dispatch[] {
  return [queries(op, target), keys(op, target)];
}

/** A key that a query sees, in the backward pass: adds to dq. */
const queryUse = (own: number, n: number) =>
  repeat(
    own,
    (r) => `{
      let s = d.scale * (${headDot(`q${r}_`, "x", n)});
      let p = ${seen(own, `exp(s - l${r})`, "0.0", `j >= f${r} && j <= t${r}`)};
      let dp = ${headDot(`g${r}_`, "y", n)};
      let ds = d.scale * p * (dp - delta${r});
      ${repeat(n, (c) => `dq${r}_${c} += ds * x${c};`)}
    }`,
  );

/** A query that sees a key, in the backward pass: adds to dk and dv. */
const keyUse = (own: number, n: number, H: number) => `
    let own = j * ${H}u + qh;
    let l = lse[own];
    let del = delta[own];
    ${repeat(
      own,
      (r) => `{
      let s = d.scale * (${headDot(`k${r}_`, "x", n)});
      let p = ${seen(own, "exp(s - l)", "0.0", `j >= t${r} && j < e${r}`)};
      let dp = ${headDot(`v${r}_`, "y", n)};
      let ds = d.scale * p * (dp - del);
      ${repeat(n, (c) => `dk${r}_${c} += ds * x${c}; dv${r}_${c} += p * y${c};`)}
    }`,
    )}`;

function queries(op: OpOf<"attentionBackward">, target: KernelTarget): Dispatch {
  const { H } = op;
  const { n, array, type, own, at, overKeys, dispatch } = attentionParts(op, target);
  const operands: Operand[] = [
    { name: "qkv", type: array, view: op.qkv },
    { name: "first", type: "array<i32>", view: op.first },
    { name: "out", type: array, view: op.out },
    { name: "lse", type: "array<f32>", view: op.lse },
    { name: "dOut", type: array, view: op.dOut },
    { name: "delta", type: "array<f32>", view: op.delta, writes: true },
    { name: "dQkv", type: array, view: op.dQkv, writes: true },
  ];
  const before = repeat(
    own,
    (r) => `
  let a${r} = ${at.q(`t${r}`, "h")};
  let b${r} = ${at.o(`t${r}`, "h")};
  let l${r} = lse[t${r} * ${H}u + h];
  ${repeat(n, (c) => `let q${r}_${c} = qkv[a${r} + ${c}u]; let g${r}_${c} = dOut[b${r} + ${c}u]; var dq${r}_${c} = ${type}();`)}
  let delta${r} = ${headProduct(
    (c) => `g${r}_${c}`,
    (c) => `out[b${r} + ${c}u]`,
    n,
  )};`,
  );
  const after = (r: number) => `
      delta[t${r} * ${H}u + h] = delta${r};
      ${repeat(n, (c) => `dQkv[a${r} + ${c}u] = dq${r}_${c};`)}
    `;
  const body = overKeys({ before, use: queryUse(own, n), after });
  return dispatch({ name: "attentionBackward queries", heads: H, operands, body });
}

function keys(op: OpOf<"attentionBackward">, target: KernelTarget): Dispatch {
  const { H, K } = op;
  const { n, array, type, own, threads, at, walk, dispatch } = attentionParts(op, target);
  const operands: Operand[] = [
    { name: "qkv", type: array, view: op.qkv },
    { name: "end", type: "array<i32>", view: op.end },
    { name: "lse", type: "array<f32>", view: op.lse },
    { name: "dOut", type: array, view: op.dOut },
    { name: "delta", type: "array<f32>", view: op.delta },
    { name: "dQkv", type: array, view: op.dQkv, writes: true },
  ];
  const body = `
  ${repeat(
    own,
    (r) => `
  let t${r} = min(row0 + ${r}u, d.R - 1u);
  let e${r} = u32(end[t${r}]);
  let a${r} = ${at.k(`t${r}`, "h")};
  let b${r} = ${at.v(`t${r}`, "h")};
  ${repeat(n, (c) => `let k${r}_${c} = qkv[a${r} + ${c}u]; let v${r}_${c} = qkv[b${r} + ${c}u]; var dk${r}_${c} = ${type}(); var dv${r}_${c} = ${type}();`)}`,
  )}
  let stop = u32(end[min(base + ${own * threads - 1}u, d.R - 1u)]);
  for (var g = 0u; g < ${H / K}u; g++) {
    let qh = h * ${H / K}u + g;
    ${walk({
      from: "base",
      to: "stop",
      low: "t0",
      high: `e${own - 1}`,
      xArray: "qkv",
      yArray: "dOut",
      use: keyUse(own, n, H),
      x: (row) => at.q(row, "qh"),
      y: (row) => at.o(row, "qh"),
    })}
  }
  ${eachOwn(
    own,
    (r) => `
      ${repeat(n, (c) => `dQkv[a${r} + ${c}u] = dk${r}_${c}; dQkv[b${r} + ${c}u] = dv${r}_${c};`)}
    `,
  )}`;
  return dispatch({ name: "attentionBackward keys", heads: K, operands, body });
}
