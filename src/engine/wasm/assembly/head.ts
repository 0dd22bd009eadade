/** The policy head's statistics and gradient (plan/ops/heads.ts, HeadStats and HeadGrad). */
import { exp1, exp4, log64, sum4 } from "./math";

/** Bytes of a row of the state. */
const STATE: usize = 32;

/** Largest of n floats times t. */
function largestScaled(z: usize, n: i32, t: f32): f32 {
  let most = -Infinity as f32;
  for (let i = 0; i < n; i++) most = max(most, load<f32>(z + ((<usize>i) << 2)) * t);
  return most;
}

/** Adds a chunk to (max, sum, weighted sum) at `s`. */
function mergeOwn(s: usize, z: usize, n: i32, t: f32): void {
  const old = load<f32>(s);
  const most = max(old, largestScaled(z, n, t));
  const m4 = f32x4.splat(most);
  const t4 = f32x4.splat(t);
  let sum = f32x4.splat(0);
  let weighted = f32x4.splat(0);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const y = f32x4.sub(f32x4.mul(v128.load(z + ((<usize>i) << 2)), t4), m4);
    const e = exp4(y);
    sum = f32x4.add(sum, e);
    weighted = f32x4.add(weighted, f32x4.mul(e, y));
  }
  let total = sum4(sum);
  let along = sum4(weighted);
  for (; i < n; i++) {
    const y = load<f32>(z + ((<usize>i) << 2)) * t - most;
    const e = exp1(y);
    total += e;
    along += e * y;
  }
  if (old != (-Infinity as f32)) {
    const shift = old - most;
    const keep = exp1(shift);
    along += keep * (load<f32>(s, 8) + load<f32>(s, 4) * shift);
    total += keep * load<f32>(s, 4);
  }
  store<f32>(s, most);
  store<f32>(s, total, 4);
  store<f32>(s, along, 8);
}

/** Adds a chunk of the reference to (max, sum, sum of e (yr - y)) at `s`. */
function mergeReference(s: usize, z: usize, zr: usize, n: i32, t: f32): void {
  const old = load<f32>(s);
  const most = max(old, largestScaled(zr, n, t));
  const keep = old == (-Infinity as f32) ? <f32>0 : exp1(old - most);
  const t4 = f32x4.splat(t);
  const m4 = f32x4.splat(most);
  let sum = f32x4.splat(0);
  let cross = f32x4.splat(0);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const at = (<usize>i) << 2;
    const yr = f32x4.mul(v128.load(zr + at), t4);
    const y = f32x4.mul(v128.load(z + at), t4);
    const e = exp4(f32x4.sub(yr, m4));
    sum = f32x4.add(sum, e);
    cross = f32x4.add(cross, f32x4.mul(e, f32x4.sub(yr, y)));
  }
  let total = sum4(sum);
  let along = sum4(cross);
  for (; i < n; i++) {
    const at = (<usize>i) << 2;
    const yr = load<f32>(zr + at) * t;
    const e = exp1(yr - most);
    total += e;
    along += e * (yr - load<f32>(z + at) * t);
  }
  store<f32>(s, most);
  store<f32>(s, keep * load<f32>(s, 4) + total, 4);
  store<f32>(s, keep * load<f32>(s, 8) + along, 8);
}

function start(s: usize): void {
  memory.fill(s, 0, STATE);
  store<f32>(s, -Infinity as f32);
  store<f32>(s, -Infinity as f32, 16);
}

/** zr of 0: no reference. out is written when `last`. */
export function headStats(
  z: usize,
  zr: usize,
  label: usize,
  inverseTemperature: usize,
  state: usize,
  out: usize,
  M: i32,
  n: i32,
  v0: i32,
  first: bool,
  last: bool,
): void {
  const t = load<f32>(inverseTemperature);
  for (let r = 0; r < M; r++) {
    const s = state + <usize>r * STATE;
    const row = (<usize>r * <usize>n) << 2;
    if (first) start(s);
    const hot = load<i32>(label + ((<usize>r) << 2)) - v0;
    if (hot >= 0 && hot < n) store<f32>(s, load<f32>(z + row + ((<usize>hot) << 2)) * t, 12);
    mergeOwn(s, z + row, n, t);
    if (zr) mergeReference(s + 16, z + row, zr + row, n, t);
    if (last) finish(s, out + ((<usize>r) << 2), (<usize>M) << 2, zr != 0);
  }
}

function logOf(x: f32): f32 {
  return <f32>log64(<f64>x);
}

/** Log-prob, entropy and KL, `step` bytes apart. */
function finish(s: usize, out: usize, step: usize, reference: bool): void {
  const logSum = logOf(load<f32>(s, 4));
  const most = load<f32>(s);
  store<f32>(out, load<f32>(s, 12) - most - logSum);
  store<f32>(out + step, logSum - load<f32>(s, 8) / load<f32>(s, 4));
  let kl: f32 = 0;
  if (reference) {
    const sum = load<f32>(s, 20);
    kl = load<f32>(s, 24) / sum + (most - load<f32>(s, 16)) + (logSum - logOf(sum));
  }
  store<f32>(out + 2 * step, kl);
}

export function headGrad(
  z: usize,
  zr: usize,
  label: usize,
  inverseTemperature: usize,
  state: usize,
  coefficients: usize,
  M: i32,
  n: i32,
  v0: i32,
): void {
  const t = load<f32>(inverseTemperature);
  const step = (<usize>M) << 2;
  for (let r = 0; r < M; r++) {
    const own = coefficients + ((<usize>r) << 2);
    const a = load<f32>(own) * t;
    const b = load<f32>(own + step) * t;
    const c = zr ? load<f32>(own + 2 * step) * t : <f32>0;
    const row = (<usize>r * <usize>n) << 2;
    if (a == 0 && b == 0 && c == 0) {
      memory.fill(z + row, 0, (<usize>n) << 2);
      continue;
    }
    const hot = load<i32>(label + ((<usize>r) << 2)) - v0;
    gradRow(z + row, zr ? zr + row : 0, state + <usize>r * STATE, n, t, a, b, c);
    if (hot >= 0 && hot < n) {
      const at = z + row + ((<usize>hot) << 2);
      store<f32>(at, load<f32>(at) + a);
    }
  }
}

/** One row without the label's own term: -p (a + b (log p + H) - c) - c pr. */
function gradRow(z: usize, zr: usize, s: usize, n: i32, t: f32, a: f32, b: f32, c: f32): void {
  const sum = load<f32>(s, 4);
  const logSum = logOf(sum);
  const lse = f32x4.splat(load<f32>(s) + logSum);
  const H = f32x4.splat(logSum - load<f32>(s, 8) / sum);
  const lseR = f32x4.splat(zr ? load<f32>(s, 16) + logOf(load<f32>(s, 20)) : 0);
  const t4 = f32x4.splat(t);
  for (let i = 0; i < n; i += 4) {
    const left = n - i;
    const at = (<usize>i) << 2;
    const x = left >= 4 ? v128.load(z + at) : loadSome(z + at, left);
    const logp = f32x4.sub(f32x4.mul(x, t4), lse);
    const slope = f32x4.mul(f32x4.splat(b), f32x4.add(logp, H));
    let y = f32x4.mul(exp4(logp), f32x4.sub(f32x4.splat(c - a), slope));
    if (zr) {
      const xr = left >= 4 ? v128.load(zr + at) : loadSome(zr + at, left);
      const pr = exp4(f32x4.sub(f32x4.mul(xr, t4), lseR));
      y = f32x4.sub(y, f32x4.mul(pr, f32x4.splat(c)));
    }
    if (left >= 4) v128.store(z + at, y);
    else storeSome(z + at, y, left);
  }
}

/** Up to three floats, padded with zeros. */
function loadSome(from: usize, n: i32): v128 {
  let x = f32x4.splat(0);
  x = f32x4.replace_lane(x, 0, load<f32>(from));
  if (n > 1) x = f32x4.replace_lane(x, 1, load<f32>(from, 4));
  if (n > 2) x = f32x4.replace_lane(x, 2, load<f32>(from, 8));
  return x;
}

function storeSome(to: usize, x: v128, n: i32): void {
  store<f32>(to, f32x4.extract_lane(x, 0));
  if (n > 1) store<f32>(to, f32x4.extract_lane(x, 1), 4);
  if (n > 2) store<f32>(to, f32x4.extract_lane(x, 2), 8);
}
