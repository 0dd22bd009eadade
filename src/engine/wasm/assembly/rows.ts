/** Moves rows: embedding, gather, scatter. Also the optimiser's flat passes. See plan/ops for each formula. */
import { sum4 } from "./math";
import { unpackNumbers } from "./matmul";

function copyRow(to: usize, from: usize, r: i32, source: i32, D: i32): void {
  const bytes = (<usize>D) << 2;
  const at = to + <usize>r * bytes;
  if (source < 0) memory.fill(at, 0, bytes);
  else memory.copy(at, from + <usize>source * bytes, bytes);
}

/** out[r] = table[index[r]], zeros where negative: embed, gatherRows and scatterRows. */
export function takeRows(table: usize, index: usize, out: usize, R: i32, D: i32): void {
  for (let r = 0; r < R; r++) copyRow(out, table, r, load<i32>(index + ((<usize>r) << 2)), D);
}

/** takeRows from a packed table, see unpackNumbers. */
export function takePackedRows(
  packing: i32,
  table: usize,
  scales: usize,
  index: usize,
  out: usize,
  R: i32,
  D: i32,
): void {
  for (let r = 0; r < R; r++) {
    const source = load<i32>(index + ((<usize>r) << 2));
    const to = out + ((<usize>r * <usize>D) << 2);
    if (source < 0) memory.fill(to, 0, (<usize>D) << 2);
    else unpackNumbers(packing, table, scales, source, D, 0, to, D);
  }
}

export function embedGrad(
  dx: usize,
  unique: usize,
  start: usize,
  order: usize,
  grad: usize,
  R: i32,
  D: i32,
): void {
  for (let u = 0; u < R; u++) {
    const at = (<usize>u) << 2;
    const from = load<i32>(start + at);
    const to = load<i32>(start + at, 4);
    if (from == to) continue;
    const row = grad + ((<usize>load<i32>(unique + at) * <usize>D) << 2);
    for (let i = 0; i < D; i++) {
      const column = (<usize>i) << 2;
      let sum: f32 = 0;
      for (let e = from; e < to; e++) {
        const r = load<i32>(order + ((<usize>e) << 2));
        sum += load<f32>(dx + ((<usize>r * <usize>D) << 2) + column);
      }
      store<f32>(row + column, load<f32>(row + column) + sum);
    }
  }
}

export function sumSquares(x: usize, partials: usize, size: i32): void {
  for (let from = 0; from < size; from += 4096) {
    const to = min(from + 4096, size);
    let sum = f32x4.splat(0);
    let i = from;
    for (; i + 4 <= to; i += 4) {
      const v = v128.load(x + ((<usize>i) << 2));
      sum = f32x4.add(sum, f32x4.mul(v, v));
    }
    let total = sum4(sum);
    for (; i < to; i++) {
      const v = load<f32>(x + ((<usize>i) << 2));
      total += v * v;
    }
    store<f32>(partials + ((<usize>(from >> 12)) << 2), total);
  }
}

export function scale(x: usize, factor: usize, size: i32): void {
  const f = load<f32>(factor);
  if (f == 0) {
    memory.fill(x, 0, (<usize>size) << 2);
    return;
  }
  for (let i = 0; i < size; i++) {
    const at = x + ((<usize>i) << 2);
    store<f32>(at, load<f32>(at) * f);
  }
}

/** to += from; for the sums of passes, not an operation of a plan. */
export function addTo(to: usize, from: usize, size: i32): void {
  let i = 0;
  for (; i + 4 <= size; i += 4) {
    const at = (<usize>i) << 2;
    v128.store(to + at, f32x4.add(v128.load(to + at), v128.load(from + at)));
  }
  for (; i < size; i++) {
    const at = (<usize>i) << 2;
    store<f32>(to + at, load<f32>(to + at) + load<f32>(from + at));
  }
}

/** Sizes of groups are multiples of 64. */
export function adamw(p: usize, g: usize, m: usize, v: usize, scalars: usize, size: i32): void {
  const stepSize = v128.load32_splat(scalars);
  const vScale = v128.load32_splat(scalars, 4);
  const decay = v128.load32_splat(scalars, 8);
  const beta1 = v128.load32_splat(scalars, 12);
  const rest1 = v128.load32_splat(scalars, 16);
  const beta2 = v128.load32_splat(scalars, 20);
  const rest2 = v128.load32_splat(scalars, 24);
  const eps = v128.load32_splat(scalars, 28);
  const gradScale = v128.load32_splat(scalars, 32);
  for (let i = 0; i < size; i += 4) {
    const at = (<usize>i) << 2;
    const grad = f32x4.mul(v128.load(g + at), gradScale);
    const m1 = f32x4.add(f32x4.mul(v128.load(m + at), beta1), f32x4.mul(grad, rest1));
    const v1 = f32x4.add(
      f32x4.mul(v128.load(v + at), beta2),
      f32x4.mul(f32x4.mul(grad, grad), rest2),
    );
    const below = f32x4.add(f32x4.mul(f32x4.sqrt(v1), vScale), eps);
    const step = f32x4.mul(f32x4.div(m1, below), stepSize);
    v128.store(p + at, f32x4.sub(f32x4.mul(v128.load(p + at), decay), step));
    v128.store(m + at, m1);
    v128.store(v + at, v1);
    v128.store(g + at, f32x4.splat(0));
  }
}
