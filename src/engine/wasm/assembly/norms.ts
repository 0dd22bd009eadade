/** RMSNorm, forward and backward; see plan/ops for each formula. */
import { sum4 } from "./math";
import { inverseRms, scaleRow } from "./matmul";

/** Rows of one partial sum. */
export const PARTIAL_ROWS: i32 = 64;

export function norm(
  x: usize,
  weight: usize,
  out: usize,
  inverse: usize,
  R: i32,
  D: i32,
  eps: f32,
): void {
  for (let r = 0; r < R; r++) {
    const row = (<usize>r * <usize>D) << 2;
    const inv = inverseRms(x + row, D, eps);
    if (inverse) store<f32>(inverse + ((<usize>r) << 2), inv);
    scaleRow(x + row, weight, inv, out + row, D);
  }
}

export function clear(to: usize, n: i32): void {
  memory.fill(to, 0, (<usize>n) << 2);
}

/** sum of a b c over n floats. */
export function dot3(a: usize, b: usize, c: usize, n: i32): f32 {
  let sum = f32x4.splat(0);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const at = (<usize>i) << 2;
    const ab = f32x4.mul(v128.load(a + at), v128.load(b + at));
    sum = f32x4.add(sum, f32x4.mul(ab, v128.load(c + at)));
  }
  let total = sum4(sum);
  for (; i < n; i++) {
    const at = (<usize>i) << 2;
    total += load<f32>(a + at) * load<f32>(b + at) * load<f32>(c + at);
  }
  return total;
}

/** One row: dx (+)= inverse (g - u mean), g = dOut weight; partial += dOut u. */
function normRowBackward(
  x: usize,
  inv: f32,
  weight: usize,
  dOut: usize,
  dx: usize,
  partial: usize,
  n: i32,
  accumulate: bool,
): void {
  const mean = (dot3(dOut, weight, x, n) * inv) / <f32>n;
  const i4 = f32x4.splat(inv);
  const m4 = f32x4.splat(mean);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const at = (<usize>i) << 2;
    const u = f32x4.mul(v128.load(x + at), i4);
    const d = v128.load(dOut + at);
    const g = f32x4.mul(d, v128.load(weight + at));
    const y = f32x4.mul(i4, f32x4.sub(g, f32x4.mul(u, m4)));
    v128.store(dx + at, accumulate ? f32x4.add(v128.load(dx + at), y) : y);
    v128.store(partial + at, f32x4.add(v128.load(partial + at), f32x4.mul(d, u)));
  }
  for (; i < n; i++) {
    const at = (<usize>i) << 2;
    const u = load<f32>(x + at) * inv;
    const d = load<f32>(dOut + at);
    const y = inv * (d * load<f32>(weight + at) - u * mean);
    store<f32>(dx + at, accumulate ? load<f32>(dx + at) + y : y);
    store<f32>(partial + at, load<f32>(partial + at) + d * u);
  }
}

/** bounds of 0: partial p holds rows p*64 .. p*64+63. */
export function normBackward(
  x: usize,
  inverse: usize,
  weight: usize,
  dOut: usize,
  dx: usize,
  partials: usize,
  bounds: usize,
  P: i32,
  R: i32,
  D: i32,
  accumulate: bool,
): void {
  const width = (<usize>D) << 2;
  let r = 0;
  for (let p = 0; p < P; p++) {
    const partial = partials + <usize>p * width;
    clear(partial, D);
    const end = bounds ? load<i32>(bounds + ((<usize>p) << 2), 4) : min(R, (p + 1) * PARTIAL_ROWS);
    for (; r < end; r++) {
      const row = <usize>r * width;
      const inv = load<f32>(inverse + ((<usize>r) << 2));
      normRowBackward(x + row, inv, weight, dOut + row, dx + row, partial, D, accumulate);
    }
  }
}
