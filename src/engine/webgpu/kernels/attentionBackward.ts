/** The gradient of causal grouped-query attention. */
import type { OpOf } from "../../plan/ops.ts";
import type { Dispatch, Operand } from "../shader.ts";
import { attentionParts, dotsOf, eachOwn, headProduct, seen } from "./attentionWalk.ts";
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
      let s = d.scale * qk${r};
      let p = ${seen(own, `exp(s - l${r})`, "0.0", `j >= f${r} && j <= t${r}`)};
      let ds = d.scale * p * (gv${r} - delta${r});
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
      let s = d.scale * qk${r};
      let p = ${seen(own, "exp(s - l)", "0.0", `j >= t${r} && j < e${r}`)};
      let ds = d.scale * p * (gv${r} - del);
      ${repeat(n, (c) => `dk${r}_${c} += ds * x${c}; dv${r}_${c} += p * y${c};`)}
    }`,
    )}`;

/** dOut . out of an own row. */
const ownDelta = (r: number, n: number) =>
  `let delta${r} = ${headProduct(
    (c) => `g${r}_${c}`,
    (c) => `out[b${r} + ${c}u]`,
    n,
  )};`;

/** The same where a thread has a part of the row alone: it reads the others' too, once. */
const wholeDelta = (n: number) => `
  var delta0 = 0.0;
  for (var c = 0u; c < ${n}u; c++) { delta0 += inner(dOut[b0 + c], out[b0 + c]); }`;

function queries(op: OpOf<"attentionBackward">, target: KernelTarget): Dispatch {
  const { H } = op;
  const work = { kept: 3, dots: 2 };
  const made = attentionParts(op, target, work);
  const { n, array, type, own, at, vector, overKeys, dispatch } = made;
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
  ${repeat(n, (c) => `let q${r}_${c} = qkv[a${r} + ${vector(c)}]; let g${r}_${c} = dOut[b${r} + ${vector(c)}]; var dq${r}_${c} = ${type}();`)}
  ${made.parts > 1 ? wholeDelta(n * made.parts) : ownDelta(r, n)}`,
  );
  const after = (r: number) => `
      ${made.once(`delta[t${r} * ${H}u + h] = delta${r};`)}
      ${repeat(n, (c) => `dQkv[a${r} + ${vector(c)}] = dq${r}_${c};`)}
    `;
  const dots = dotsOf(own, (r) => ({ [`qk${r}`]: [`q${r}_`, "x"], [`gv${r}`]: [`g${r}_`, "y"] }));
  const body = overKeys({ before, dots, use: queryUse(own, n), after });
  return dispatch({ name: "attentionBackward queries", heads: H, operands, body });
}

function keys(op: OpOf<"attentionBackward">, target: KernelTarget): Dispatch {
  const { H, K } = op;
  const work = { kept: 4, dots: 2 };
  const { n, array, type, own, rows, at, vector, walk, dispatch } = attentionParts(
    op,
    target,
    work,
  );
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
  ${repeat(n, (c) => `let k${r}_${c} = qkv[a${r} + ${vector(c)}]; let v${r}_${c} = qkv[b${r} + ${vector(c)}]; var dk${r}_${c} = ${type}(); var dv${r}_${c} = ${type}();`)}`,
  )}
  let stop = u32(end[min(base + ${rows - 1}u, d.R - 1u)]);
  for (var g = 0u; g < ${H / K}u; g++) {
    let qh = h * ${H / K}u + g;
    ${walk({
      from: "base",
      to: "stop",
      low: "t0",
      high: `e${own - 1}`,
      xArray: "qkv",
      yArray: "dOut",
      dots: dotsOf(own, (r) => ({ [`qk${r}`]: [`k${r}_`, "x"], [`gv${r}`]: [`v${r}_`, "y"] })),
      use: keyUse(own, n, H),
      x: (row) => at.q(row, "qh"),
      y: (row) => at.o(row, "qh"),
    })}
  }
  ${eachOwn(
    own,
    (r) => `
      ${repeat(n, (c) => `dQkv[a${r} + ${vector(c)}] = dk${r}_${c}; dQkv[b${r} + ${vector(c)}] = dv${r}_${c};`)}
    `,
  )}`;
  return dispatch({ name: "attentionBackward keys", heads: K, operands, body });
}
