/** Every operation of a plan, as documented, in float64. */
import type { Op, OpName } from "../plan/ops.ts";
import type { BufferView } from "../plan/ops/view.ts";
import { PARTIAL_ROWS } from "../plan/ops/layers.ts";
import { SQUARES_CHUNK } from "../plan/ops/update.ts";
import { MAX_STOPS } from "../decodeRequest.ts";
import { drawAt, legalWords, type SamplingRule } from "../sample.ts";
import { greatest } from "../../numeric/lists.ts";
import { philox4x32 } from "../../numeric/rng.ts";
import { fromHalfSlots, toHalfSlots } from "./halfSlots.ts";

/** How operations access their operands. */
export interface Memory {
  f(view: BufferView): Float64Array;
  i(view: BufferView): Int32Array;
}

type Of<N extends OpName> = Extract<Op, { op: N }>;
type Compute<N extends OpName> = (op: Of<N>, m: Memory) => void;

const ranges = new Map<number, readonly number[]>();

/** 0 .. n - 1; cached for each n, since a product needs it for each of its numbers. */
function range(n: number): readonly number[] {
  const known = ranges.get(n) ?? Array.from({ length: n }, (_, i) => i);
  ranges.set(n, known);
  return known;
}

function dot(n: number, f: (i: number) => number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += f(i);
  return sum;
}
const sigmoid = (z: number) => 1 / (1 + Math.exp(-z));

const embed: Compute<"embed"> = ({ ids, table, scales, out, R, D }, m) => {
  for (const r of range(R)) {
    const id = m.i(ids)[r]!;
    const scale = scales && id >= 0 ? m.f(scales)[id]! : 1;
    for (const i of range(D)) m.f(out)[r * D + i] = id < 0 ? 0 : scale * m.f(table)[id * D + i]!;
  }
};

const embedGrad: Compute<"embedGrad"> = ({ dx, unique, start, order, grad, R, D }, m) => {
  const [from, g, s] = [m.f(dx), m.f(grad), m.i(start)];
  for (const u of range(R)) {
    for (let at = s[u]!; at < s[u + 1]!; at++) {
      const row = m.i(order)[at]!;
      for (const i of range(D)) g[m.i(unique)[u]! * D + i]! += from[row * D + i]!;
    }
  }
};

const norm: Compute<"norm"> = ({ x, weight, out, inverse, R, D, eps }, m) => {
  const [a, w] = [m.f(x), m.f(weight)];
  for (const r of range(R)) {
    const inv = 1 / Math.sqrt(dot(D, (i) => a[r * D + i]! ** 2) / D + eps);
    if (inverse) m.f(inverse)[r] = inv;
    for (const i of range(D)) m.f(out)[r * D + i] = a[r * D + i]! * inv * w[i]!;
  }
};

const normBackward: Compute<"normBackward"> = (op, m) => {
  const { R, D, accumulate } = op;
  const [x, inv, w, dOut] = [m.f(op.x), m.f(op.inverse), m.f(op.weight), m.f(op.dOut)];
  const [dx, partials] = [m.f(op.dx), m.f(op.partials)];
  partials.fill(0);
  const bounds = op.bounds && m.i(op.bounds);
  const partOf = (r: number) =>
    bounds ? bounds.findLastIndex((first) => first <= r) : Math.floor(r / PARTIAL_ROWS);
  for (const r of range(R)) {
    const u = (i: number) => x[r * D + i]! * inv[r]!;
    const g = (i: number) => dOut[r * D + i]! * w[i]!;
    const mean = dot(D, (i) => g(i) * u(i)) / D;
    for (const i of range(D)) {
      const d = inv[r]! * (g(i) - u(i) * mean);
      dx[r * D + i] = (accumulate ? dx[r * D + i]! : 0) + d;
      partials[partOf(r) * D + i]! += dOut[r * D + i]! * u(i);
    }
  }
};

const reducePartials: Compute<"reducePartials"> = (op, m) => {
  const { J, P, n, stride, outStride } = op;
  for (const j of range(J)) {
    for (const i of range(n)) {
      const sum = dot(P, (p) => m.f(op.partials)[j * stride + p * n + i]!);
      m.f(op.out)[j * outStride + i]! += sum;
    }
  }
};

const matmul: Compute<"matmul"> = (op, m) => {
  const { layout, M, N, K, prologue, eps = 0 } = op;
  const [a, b, out] = [m.f(op.a), m.f(op.b), m.f(op.out)];
  const w = op.normWeight && m.f(op.normWeight);
  const inv = range(prologue === "norm" ? M : 0).map(
    (r) => 1 / Math.sqrt(dot(K, (i) => a[r * K + i]! ** 2) / K + eps),
  );
  const left = (r: number, i: number) => {
    if (prologue === "norm") return a[r * K + i]! * inv[r]! * w![i]!;
    const gate = a[r * 2 * K + i]!;
    if (prologue === "swiglu") return gate * sigmoid(gate) * a[r * 2 * K + K + i]!;
    return layout === "TN" ? a[i * M + r]! : a[r * K + i]!;
  };
  const scales = op.scales && m.f(op.scales);
  const right = (i: number, c: number) => {
    const [row, column, width] = layout === "NT" ? [c, i, K] : [i, c, N];
    return b[row * width + column]! * (scales?.[row] ?? 1);
  };
  const [bias, add] = [op.bias && m.f(op.bias), op.add && m.f(op.add)];
  const columns = range(N).map((c) => Float64Array.from({ length: K }, (_, i) => right(i, c)));
  for (let r = 0; r < M; r++) {
    const row = Float64Array.from({ length: K }, (_, i) => left(r, i));
    for (let c = 0; c < N; c++) {
      const column = columns[c]!;
      let sum = 0;
      for (let i = 0; i < K; i++) sum += row[i]! * column[i]!;
      out[r * N + c] = sum + (bias?.[c] ?? 0) + (add?.[r * N + c] ?? 0);
    }
  }
};

const rope: Compute<"rope"> = (op, m) => {
  const { R, H, K, d, eps } = op;
  const W = (H + 2 * K) * d;
  const [x, y] = [m.f(op.qkv).slice(), m.f(op.out)];
  for (const r of range(R)) {
    for (const h of range(H + 2 * K)) {
      const at = r * W + h * d;
      const weight = h < H ? op.qNorm : op.kNorm;
      let u = [...x.subarray(at, at + d)];
      if (weight && h < H + K) {
        const inv = 1 / Math.sqrt(dot(d, (i) => u[i]! ** 2) / d + eps);
        if (op.inverse) m.f(op.inverse)[r * (H + K) + h] = inv;
        u = u.map((value, i) => value * inv * m.f(weight)[i]!);
      }
      y.set(h < H + K ? rotate(u, op, m, r, 1) : u, at);
      if (h >= H) append(op, m, r, h - H, y.subarray(at, at + d));
    }
  }
};

/** The rotation of one head (sign 1) or its inverse (-1). */
function rotate(
  u: number[],
  op: { position: BufferView; cosines: BufferView; sines: BufferView; d: number },
  m: Memory,
  r: number,
  sign: number,
): number[] {
  const half = op.d / 2;
  const at = m.i(op.position)[r]! * half;
  return u.map((value, i) => {
    const c = m.f(op.cosines)[at + (i % half)]!;
    const s = m.f(op.sines)[at + (i % half)]! * sign;
    return i < half ? value * c - u[i + half]! * s : value * c + u[i - half]! * s;
  });
}

function append(op: Of<"rope">, m: Memory, r: number, index: number, head: Float64Array): void {
  if (!op.row || !op.keys || !op.values) return;
  const row = m.i(op.row)[r]!;
  if (row < 0) return;
  const [into, k] = index < op.K ? [op.keys, index] : [op.values, index - op.K];
  const slot = (row * op.K + k) * op.capacity! + m.i(op.position)[r]!;
  if (!op.halves) return m.f(into).set(head, slot * op.d);
  m.i(into).set(toHalfSlots(head, op.d), (slot * op.d) / 2);
}

const ropeBackward: Compute<"ropeBackward"> = (op, m) => {
  const { R, H, K, d } = op;
  const W = (H + 2 * K) * d;
  const dy = m.f(op.dQkv);
  for (const view of [op.qPartials, op.kPartials, op.biasPartials]) if (view) m.f(view).fill(0);
  for (const r of range(R)) {
    const p = Math.floor(r / PARTIAL_ROWS);
    for (const h of range(H + K)) {
      const at = r * W + h * d;
      const g = rotate([...dy.subarray(at, at + d)], op, m, r, -1);
      dy.set(op.qkv ? headNormBackward(op, m, r, h, p, g) : g, at);
    }
    for (const i of range(op.biasPartials ? W : 0))
      m.f(op.biasPartials!)[p * W + i]! += dy[r * W + i]!;
  }
};

function headNormBackward(
  op: Of<"ropeBackward">,
  m: Memory,
  r: number,
  h: number,
  p: number,
  g: number[],
): number[] {
  const { H, K, d } = op;
  const inv = m.f(op.inverse!)[r * (H + K) + h]!;
  const w = m.f(h < H ? op.qNorm! : op.kNorm!);
  const at = r * (H + 2 * K) * d + h * d;
  const u = range(d).map((i) => m.f(op.qkv!)[at + i]! * inv);
  const partials = m.f(h < H ? op.qPartials! : op.kPartials!);
  for (const i of range(d)) partials[p * d + i]! += g[i]! * u[i]!;
  const mean = dot(d, (i) => g[i]! * w[i]! * u[i]!) / d;
  return range(d).map((i) => inv * (g[i]! * w[i]! - u[i]! * mean));
}

/** Offset of head h of row r in [q | k | v] rows; its kv head follows from the group. */
function heads({ H, K, d }: { H: number; K: number; d: number }) {
  const W = (H + 2 * K) * d;
  return {
    q: (r: number, h: number) => r * W + h * d,
    k: (r: number, h: number) => r * W + (H + Math.floor((h * K) / H)) * d,
    v: (r: number, h: number) => r * W + (H + K + Math.floor((h * K) / H)) * d,
  };
}

const attention: Compute<"attention"> = (op, m) => {
  const { R, H, d, scale } = op;
  const [x, out] = [m.f(op.qkv), m.f(op.out)];
  const at = heads(op);
  for (const t of range(R)) {
    const first = m.i(op.first)[t]!;
    for (const h of range(H)) {
      const scores = range(t - first + 1).map(
        (j) => scale * dot(d, (i) => x[at.q(t, h) + i]! * x[at.k(first + j, h) + i]!),
      );
      const { p, lse } = softmax(scores);
      if (op.lse) m.f(op.lse)[t * H + h] = lse;
      for (const i of range(d))
        out[(t * H + h) * d + i] = dot(p.length, (j) => p[j]! * x[at.v(first + j, h) + i]!);
    }
  }
};

function softmax(scores: number[]): { p: number[]; lse: number } {
  const max = greatest(scores);
  const sum = scores.reduce((a, s) => a + Math.exp(s - max), 0);
  const lse = max + Math.log(sum);
  return { p: scores.map((s) => Math.exp(s - lse)), lse };
}

const attentionBackward: Compute<"attentionBackward"> = (op, m) => {
  const { R, H, d, scale } = op;
  const [x, dOut, dx] = [m.f(op.qkv), m.f(op.dOut), m.f(op.dQkv)];
  const at = heads(op);
  dx.fill(0);
  for (const t of range(R)) {
    for (const h of range(H)) {
      const o = (t * H + h) * d;
      const delta = dot(d, (i) => dOut[o + i]! * m.f(op.out)[o + i]!);
      m.f(op.delta)[t * H + h] = delta;
      for (let j = m.i(op.first)[t]!; j <= t; j++) {
        const s = scale * dot(d, (i) => x[at.q(t, h) + i]! * x[at.k(j, h) + i]!);
        const p = Math.exp(s - m.f(op.lse)[t * H + h]!);
        const ds = scale * p * (dot(d, (i) => dOut[o + i]! * x[at.v(j, h) + i]!) - delta);
        for (const i of range(d)) {
          dx[at.q(t, h) + i]! += ds * x[at.k(j, h) + i]!;
          dx[at.k(j, h) + i]! += ds * x[at.q(t, h) + i]!;
          dx[at.v(j, h) + i]! += p * dOut[o + i]!;
        }
      }
    }
  }
};

const cachedAttention: Compute<"cachedAttention"> = (op, m) => {
  const { R, H, K, d, scale, capacity: C } = op;
  const cached = (view: BufferView) => (op.halves ? fromHalfSlots(m.i(view), d) : m.f(view)); // [B, K, C, d]
  const [x, keys, values, out] = [m.f(op.qkv), cached(op.keys), cached(op.values), m.f(op.out)];
  for (const r of range(R)) {
    const row = m.i(op.row)[r]!;
    for (const h of range(H)) {
      const base = (row * K + Math.floor((h * K) / H)) * C * d;
      const q = heads(op).q(r, h);
      const count = row < 0 ? 0 : m.i(op.position)[r]! + 1;
      const { p } = softmax(
        range(count).map((j) => scale * dot(d, (i) => x[q + i]! * keys[base + j * d + i]!)),
      );
      for (const i of range(d))
        out[(r * H + h) * d + i] = dot(count, (j) => p[j]! * values[base + j * d + i]!);
    }
  }
};

const swiglu: Compute<"swiglu"> = ({ gateUp, out, R, F }, m) => {
  for (const r of range(R)) {
    for (const i of range(F)) {
      const gate = m.f(gateUp)[r * 2 * F + i]!;
      m.f(out)[r * F + i] = gate * sigmoid(gate) * m.f(gateUp)[r * 2 * F + F + i]!;
    }
  }
};

const swigluBackward: Compute<"swigluBackward"> = ({ gateUp, dInner, R, F }, m) => {
  const [x, d] = [m.f(gateUp), m.f(dInner)];
  for (const r of range(R)) {
    for (const i of range(F)) {
      const [g, u, at] = [r * 2 * F + i, r * 2 * F + F + i, r * F + i];
      const [gate, up, dy] = [x[g]!, x[u]!, d[at]!];
      const s = sigmoid(gate);
      x[g] = dy * up * (s + gate * s * (1 - s));
      x[u] = dy * gate * s;
      d[at] = gate * s * up;
    }
  }
};

const gatherRows: Compute<"gatherRows"> = ({ x, index, out, M, D }, m) => {
  for (const r of range(M)) {
    const from = m.i(index)[r]! * D;
    m.f(out).set(m.f(x).subarray(from, from + D), r * D);
  }
};

const scatterRows: Compute<"scatterRows"> = ({ x, place, out, R, D }, m) => {
  for (const r of range(R)) {
    const from = m.i(place)[r]!;
    for (const i of range(D)) m.f(out)[r * D + i] = from < 0 ? 0 : m.f(x)[from * D + i]!;
  }
};

const headStats: Compute<"headStats"> = (op, m) => {
  const { M, n, v0, first, last } = op;
  const t = m.f(op.inverseTemperature)[0]!;
  for (const r of range(M)) {
    const s = m.f(op.state).subarray(r * 8, r * 8 + 8);
    if (first) s.set([-Infinity, 0, 0, 0, -Infinity, 0, 0, 0]);
    const y = range(n).map((v) => t * m.f(op.z)[r * n + v]!);
    const label = m.i(op.label)[r]! - v0;
    if (label >= 0 && label < n) s[3] = y[label]!;
    merge(s, 0, y);
    const yr = op.zr && range(n).map((v) => t * m.f(op.zr!)[r * n + v]!);
    if (yr) mergeReference(s, y, yr);
    if (!last) continue;
    const out = m.f(op.out!);
    const lse = s[0]! + Math.log(s[1]!);
    out[r] = s[3]! - lse;
    out[M + r] = Math.log(s[1]!) - s[2]! / s[1]!;
    out[2 * M + r] = yr ? s[6]! / s[5]! - s[4]! - Math.log(s[5]!) + lse : 0;
  }
};

/** Merges max, sum and weighted sum of one more chunk. */
function merge(s: Float64Array, at: number, y: number[]): void {
  const [old, max] = [s[at]!, Math.max(s[at]!, greatest(y))];
  const rescale = old === -Infinity ? 0 : Math.exp(old - max);
  s[at + 2] = rescale * (s[at + 2]! + (rescale === 0 ? 0 : s[at + 1]! * (old - max)));
  s[at + 1]! *= rescale;
  s[at] = max;
  for (const value of y) {
    s[at + 1]! += Math.exp(value - max);
    s[at + 2]! += Math.exp(value - max) * (value - max);
  }
}

function mergeReference(s: Float64Array, y: number[], yr: number[]): void {
  const max = Math.max(s[4]!, greatest(yr));
  const rescale = s[4] === -Infinity ? 0 : Math.exp(s[4]! - max);
  s[5]! *= rescale;
  s[6]! *= rescale;
  s[4] = max;
  yr.forEach((value, v) => {
    s[5]! += Math.exp(value - max);
    s[6]! += Math.exp(value - max) * (value - y[v]!);
  });
}

const headGrad: Compute<"headGrad"> = (op, m) => {
  const { M, n, v0 } = op;
  const t = m.f(op.inverseTemperature)[0]!;
  const z = m.f(op.z);
  for (const r of range(M)) {
    const s = m.f(op.state).subarray(r * 8, r * 8 + 8);
    const [a, b, c] = [0, 1, 2].map((kind) => m.f(op.coefficients)[kind * M + r]!);
    const lse = s[0]! + Math.log(s[1]!);
    const H = Math.log(s[1]!) - s[2]! / s[1]!;
    for (const v of range(n)) {
      const logp = t * z[r * n + v]! - lse;
      const p = Math.exp(logp);
      const hot = m.i(op.label)[r] === v0 + v ? 1 : 0;
      const pr = op.zr ? Math.exp(t * m.f(op.zr)[r * n + v]! - s[4]! - Math.log(s[5]!)) : 0;
      z[r * n + v] = t * (a! * (hot - p) - b! * p * (logp + H) + (op.zr ? c! * (p - pr) : 0));
    }
  }
};

const value: Compute<"value"> = ({ h, weight, bias, out, R, D }, m) => {
  for (const r of range(R))
    m.f(out)[r] = dot(D, (i) => m.f(h)[r * D + i]! * m.f(weight)[i]!) + m.f(bias)[0]!;
};

const valueBackward: Compute<"valueBackward"> = (op, m) => {
  const { R, D, accumulate } = op;
  const [h, dv] = [m.f(op.h), m.f(op.dValue)];
  for (const i of range(D)) m.f(op.dWeight)[i]! += dot(R, (r) => dv[r]! * h[r * D + i]!);
  m.f(op.dBias)[0]! += dot(R, (r) => dv[r]!);
  if (!op.dh) return;
  const dh = m.f(op.dh);
  for (const r of range(R))
    for (const i of range(D))
      dh[r * D + i] = (accumulate ? dh[r * D + i]! : 0) + dv[r]! * m.f(op.weight)[i]!;
};

const sumSquares: Compute<"sumSquares"> = ({ x, partials, size }, m) => {
  m.f(partials).forEach((_, c, all) => {
    const count = Math.min(SQUARES_CHUNK, size - c * SQUARES_CHUNK);
    all[c] = dot(count, (i) => m.f(x)[c * SQUARES_CHUNK + i]! ** 2);
  });
};

const scale: Compute<"scale"> = ({ x, factor, size }, m) => {
  const f = m.f(factor)[0]!;
  for (const i of range(size)) m.f(x)[i] = f === 0 ? 0 : m.f(x)[i]! * f;
};

const adamw: Compute<"adamw"> = (op, m) => {
  const [p, g, mm, v] = [m.f(op.p), m.f(op.g), m.f(op.m), m.f(op.v)];
  const [step, vScale, decay, b1, a1, b2, a2, eps, scaleG] = m.f(op.scalars);
  for (const i of range(op.size)) {
    const grad = g[i]! * scaleG!;
    mm[i] = b1! * mm[i]! + a1! * grad;
    v[i] = b2! * v[i]! + a2! * grad * grad;
    p[i] = p[i]! * decay! - (step! * mm[i]!) / (Math.sqrt(v[i]!) * vScale! + eps!);
    g[i] = 0;
  }
};

const sample: Compute<"sample"> = (op, m) => {
  const { R, V, slots } = op;
  const rule = m.i(op.rule);
  const [temperature, topP] = m.f(op.rule);
  const [row, tick, drawn] = [m.i(op.row), m.i(op.tick), m.i(op.drawn)];
  const stops = [...rule.subarray(16, 16 + Math.min(rule[8]!, MAX_STOPS))];
  for (const r of range(R)) {
    if (row[r]! < 0) continue;
    const counter = [m.i(op.firstStep)[r]! + tick[r]!, m.i(op.trajectory)[r]!, rule[5]!, rule[6]!];
    const w = philox4x32(
      counter.map((x) => x >>> 0),
      [rule[3]! >>> 0, rule[4]! >>> 0],
    );
    const u = ((w[0]! >>> 5) * 67108864 + (w[1]! >>> 6)) / 9007199254740992;
    const logits = Float32Array.from(m.f(op.logits).subarray(r * V, (r + 1) * V));
    const at = (tick[r]! * slots + m.i(op.slot)[r]!) * 2;
    const slot = m.i(op.slot)[r]!;
    const words = legalWords(V);
    const legal = op.legal && { legal: m.i(op.legal).slice(slot * words, (slot + 1) * words) };
    const cuts = { temperature: temperature!, topP: topP!, topK: rule[2]!, ...legal };
    const draw = finiteDraw(logits, cuts, u);
    drawn[at] = draw.id;
    drawn[at + 1] = new Int32Array(Float32Array.of(draw.logprob).buffer)[0]!;
    m.f(op.drawn)[at + 1] = draw.logprob;
    tick[r]!++;
    m.i(op.token)[r] = draw.id;
    m.i(op.position)[r]!++;
    if (draw.id < 0 || stops.includes(draw.id) || tick[r] === rule[7]) row[r] = -1;
  }
};

function finiteDraw(logits: Float32Array, rule: SamplingRule, u: number) {
  if (logits.some((z) => !Number.isFinite(z))) return { id: -1, logprob: NaN };
  return drawAt(logits, rule, u);
}

export const referenceOps: { [N in OpName]: Compute<N> } = {
  embed,
  embedGrad,
  norm,
  normBackward,
  reducePartials,
  matmul,
  rope,
  ropeBackward,
  attention,
  attentionBackward,
  cachedAttention,
  swiglu,
  swigluBackward,
  gatherRows,
  scatterRows,
  headStats,
  headGrad,
  value,
  valueBackward,
  sumSquares,
  scale,
  adamw,
  sample,
};
