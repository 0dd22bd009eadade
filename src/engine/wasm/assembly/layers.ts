/** Rotary positions, SwiGLU and the value head, forward and backward; see plan/ops for each formula. */
import { dot, exp1, sigmoid4 } from "./math";
import { inverseRms, scaleRow } from "./matmul";
import { clear, dot3, PARTIAL_ROWS } from "./norms";

export function reducePartials(
  partials: usize,
  out: usize,
  J: i32,
  P: i32,
  n: i32,
  stride: i32,
  outStride: i32,
): void {
  for (let j = 0; j < J; j++) {
    const from = partials + ((<usize>j * <usize>stride) << 2);
    const to = out + ((<usize>j * <usize>outStride) << 2);
    for (let i = 0; i < n; i++) {
      const at = (<usize>i) << 2;
      let sum: f32 = 0;
      for (let p = 0; p < P; p++) sum += load<f32>(from + ((<usize>p * <usize>n) << 2) + at);
      store<f32>(to + at, load<f32>(to + at) + sum);
    }
  }
}

/** One head rotated by its angles; sign -1 rotates it back. x and y may be the same. */
function rotate(x: usize, y: usize, cosines: usize, sines: usize, half: i32, sign: f32): void {
  const s4 = f32x4.splat(sign);
  const h = (<usize>half) << 2;
  let i = 0;
  for (; i + 4 <= half; i += 4) {
    const at = (<usize>i) << 2;
    const c = v128.load(cosines + at);
    const s = f32x4.mul(v128.load(sines + at), s4);
    const a = v128.load(x + at);
    const b = v128.load(x + at + h);
    v128.store(y + at, f32x4.sub(f32x4.mul(a, c), f32x4.mul(b, s)));
    v128.store(y + at + h, f32x4.add(f32x4.mul(b, c), f32x4.mul(a, s)));
  }
  for (; i < half; i++) {
    const at = (<usize>i) << 2;
    const c = load<f32>(cosines + at);
    const s = load<f32>(sines + at) * sign;
    const a = load<f32>(x + at);
    const b = load<f32>(x + at + h);
    store<f32>(y + at, a * c - b * s);
    store<f32>(y + at + h, b * c + a * s);
  }
}

/** Addresses of 0 mean absent: norms, inverse, row (no cache). */
export function rope(
  qkv: usize,
  out: usize,
  position: usize,
  cosines: usize,
  sines: usize,
  qNorm: usize,
  kNorm: usize,
  inverse: usize,
  row: usize,
  keys: usize,
  values: usize,
  capacity: i32,
  R: i32,
  H: i32,
  K: i32,
  d: i32,
  eps: f32,
): void {
  const heads = H + 2 * K;
  const bytes = (<usize>d) << 2;
  for (let r = 0; r < R; r++) {
    const place = load<i32>(position + ((<usize>r) << 2));
    const angle = (<usize>place * <usize>(d >> 1)) << 2;
    const cache = row ? load<i32>(row + ((<usize>r) << 2)) : -1;
    for (let h = 0; h < heads; h++) {
      const at = <usize>(r * heads + h) * bytes;
      const turned = h < H + K;
      let from = qkv + at;
      if (turned && qNorm) {
        const inv = inverseRms(from, d, eps);
        if (inverse) store<f32>(inverse + ((<usize>(r * (H + K) + h)) << 2), inv);
        scaleRow(from, h < H ? qNorm : kNorm, inv, out + at, d);
        from = out + at;
      }
      if (turned) rotate(from, out + at, cosines + angle, sines + angle, d >> 1, 1);
      else if (from != out + at) memory.copy(out + at, from, bytes);
      if (h < H || cache < 0) continue;
      const k = turned ? h - H : h - H - K;
      const slot = (cache * K + k) * capacity + place;
      memory.copy((turned ? keys : values) + <usize>slot * bytes, out + at, bytes);
    }
  }
}

function addTo(sum: usize, x: usize, n: i32): void {
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const at = (<usize>i) << 2;
    v128.store(sum + at, f32x4.add(v128.load(sum + at), v128.load(x + at)));
  }
  for (; i < n; i++) {
    const at = (<usize>i) << 2;
    store<f32>(sum + at, load<f32>(sum + at) + load<f32>(x + at));
  }
}

/** Gradient of one head's RMSNorm, in place. */
function headNormBackward(
  dy: usize,
  x: usize,
  inv: f32,
  weight: usize,
  partial: usize,
  d: i32,
): void {
  const mean = (dot3(dy, weight, x, d) * inv) / <f32>d;
  for (let i = 0; i < d; i++) {
    const at = (<usize>i) << 2;
    const u = load<f32>(x + at) * inv;
    const g = load<f32>(dy + at);
    store<f32>(partial + at, load<f32>(partial + at) + g * u);
    store<f32>(dy + at, inv * (g * load<f32>(weight + at) - u * mean));
  }
}

/** Addresses of 0 mean absent: the norms' (all of them), biasPartials. */
export function ropeBackward(
  dQkv: usize,
  position: usize,
  cosines: usize,
  sines: usize,
  qkv: usize,
  qNorm: usize,
  kNorm: usize,
  inverse: usize,
  qPartials: usize,
  kPartials: usize,
  biasPartials: usize,
  R: i32,
  H: i32,
  K: i32,
  d: i32,
): void {
  const heads = H + 2 * K;
  const bytes = (<usize>d) << 2;
  for (let r = 0; r < R; r++) {
    const p = <usize>(r / PARTIAL_ROWS);
    const start = r % PARTIAL_ROWS == 0;
    if (start && qNorm) {
      clear(qPartials + p * bytes, d);
      clear(kPartials + p * bytes, d);
    }
    const angle = (<usize>load<i32>(position + ((<usize>r) << 2)) * <usize>(d >> 1)) << 2;
    for (let h = 0; h < H + K; h++) {
      const at = <usize>(r * heads + h) * bytes;
      const dy = dQkv + at;
      rotate(dy, dy, cosines + angle, sines + angle, d >> 1, -1);
      if (!qNorm) continue;
      const inv = load<f32>(inverse + ((<usize>(r * (H + K) + h)) << 2));
      const partial = (h < H ? qPartials : kPartials) + p * bytes;
      headNormBackward(dy, qkv + at, inv, h < H ? qNorm : kNorm, partial, d);
    }
    if (!biasPartials) continue;
    const width = <usize>heads * bytes;
    if (start) clear(biasPartials + p * width, heads * d);
    addTo(biasPartials + p * width, dQkv + <usize>r * width, heads * d);
  }
}

export function swigluBackward(gateUp: usize, dInner: usize, R: i32, F: i32): void {
  const one = f32x4.splat(1);
  for (let r = 0; r < R; r++) {
    const gates = gateUp + ((<usize>r * <usize>F) << 3);
    const ups = gates + ((<usize>F) << 2);
    const inner = dInner + ((<usize>r * <usize>F) << 2);
    let i = 0;
    for (; i + 4 <= F; i += 4) {
      const at = (<usize>i) << 2;
      const gate = v128.load(gates + at);
      const up = v128.load(ups + at);
      const dy = v128.load(inner + at);
      const s = sigmoid4(gate);
      const silu = f32x4.mul(gate, s);
      const slope = f32x4.add(s, f32x4.mul(silu, f32x4.sub(one, s)));
      v128.store(gates + at, f32x4.mul(f32x4.mul(dy, up), slope));
      v128.store(ups + at, f32x4.mul(dy, silu));
      v128.store(inner + at, f32x4.mul(silu, up));
    }
    for (; i < F; i++) {
      const at = (<usize>i) << 2;
      const gate = load<f32>(gates + at);
      const up = load<f32>(ups + at);
      const dy = load<f32>(inner + at);
      const s = <f32>1 / (<f32>1 + exp1(-gate));
      const silu = gate * s;
      store<f32>(gates + at, dy * up * (s + silu * (<f32>1 - s)));
      store<f32>(ups + at, dy * silu);
      store<f32>(inner + at, silu * up);
    }
  }
}

export function value(h: usize, weight: usize, bias: usize, out: usize, R: i32, D: i32): void {
  const b = load<f32>(bias);
  for (let r = 0; r < R; r++) {
    const row = h + ((<usize>r * <usize>D) << 2);
    store<f32>(out + ((<usize>r) << 2), dot(row, weight, D) + b);
  }
}

/** to (+)= x factor */
function addScaled(to: usize, x: usize, factor: f32, n: i32, accumulate: bool): void {
  const f = f32x4.splat(factor);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const at = (<usize>i) << 2;
    const y = f32x4.mul(v128.load(x + at), f);
    v128.store(to + at, accumulate ? f32x4.add(v128.load(to + at), y) : y);
  }
  for (; i < n; i++) {
    const at = (<usize>i) << 2;
    const y = load<f32>(x + at) * factor;
    store<f32>(to + at, accumulate ? load<f32>(to + at) + y : y);
  }
}

/** dh of 0: the head is detached. */
export function valueBackward(
  h: usize,
  dValue: usize,
  weight: usize,
  dWeight: usize,
  dBias: usize,
  dh: usize,
  R: i32,
  D: i32,
  accumulate: bool,
): void {
  let total: f32 = 0;
  for (let r = 0; r < R; r++) {
    const d = load<f32>(dValue + ((<usize>r) << 2));
    const row = (<usize>r * <usize>D) << 2;
    total += d;
    addScaled(dWeight, h + row, d, D, true);
    if (dh) addScaled(dh + row, weight, d, D, accumulate);
  }
  store<f32>(dBias, load<f32>(dBias) + total);
}
