/** Samples the next token, bit for bit as src/engine/sample.ts does, and advances the rows (plan/ops/sample.ts). */
import { exp64, log64 } from "./math";

const FLOAT: usize = 8;

/** The uniform of numeric/rng from one Philox4x32-10 block (Salmon et al. 2011). */
function uniform(c0: u32, c1: u32, c2: u32, c3: u32, k0: u32, k1: u32): f64 {
  for (let round = 0; round < 10; round++) {
    const p0 = <u64>0xd2511f53 * <u64>c0;
    const p1 = <u64>0xcd9e8d57 * <u64>c2;
    c0 = (<u32>(p1 >> 32)) ^ c1 ^ k0;
    c1 = <u32>p1;
    c2 = (<u32>(p0 >> 32)) ^ c3 ^ k1;
    c3 = <u32>p0;
    k0 += 0x9e3779b9;
    k1 += 0xbb67ae85;
  }
  return (<f64>(c0 >> 5) * 67108864 + <f64>(c1 >> 6)) / 9007199254740992;
}

/** Whether a row's bits allow an id; a row address of 0 allows all. */
function isLegal(legal: usize, id: i32): bool {
  return legal == 0 || ((load<u32>(legal + (((<usize>id) >> 5) << 2)) >> (id & 31)) & 1) == 1;
}

/** First of the largest legal ones; NaN wins. */
function argmax(x: usize, V: i32, legal: usize): i32 {
  let best = -1;
  let most: f32 = 0;
  for (let i = 0; i < V; i++) {
    if (!isLegal(legal, i)) continue;
    const z = load<f32>(x + ((<usize>i) << 2));
    if (best < 0 || z > most || z != z) {
      best = i;
      most = z;
    }
  }
  return best;
}

/** Weights of the ids relative to the number `top`, 0 if not legal; returns their sum. */
function weigh(z: usize, V: i32, tau: f64, top: f64, legal: usize, weights: usize): f64 {
  let total: f64 = 0;
  for (let i = 0; i < V; i++) {
    const w = isLegal(legal, i) ? exp64(<f64>load<f32>(z + ((<usize>i) << 2)) / tau - top) : 0;
    store<f64>(weights + <usize>i * FLOAT, w);
    total += w;
  }
  return total;
}

function weightOf(weights: usize, id: i32): f64 {
  return load<f64>(weights + <usize>id * FLOAT);
}

/** Whether id a comes before id b: the more likely first, ties to the smaller id. */
function before(weights: usize, a: i32, b: i32): bool {
  const wa = weightOf(weights, a);
  const wb = weightOf(weights, b);
  return wa > wb || (wa == wb && a < b);
}

function idAt(order: usize, i: i32): i32 {
  return load<i32>(order + ((<usize>i) << 2));
}

function put(order: usize, i: i32, id: i32): void {
  store<i32>(order + ((<usize>i) << 2), id);
}

/** Heap whose top comes last in the order. */
function sink(order: usize, weights: usize, from: i32, n: i32): void {
  const id = idAt(order, from);
  let at = from;
  for (let child = 2 * at + 1; child < n; child = 2 * at + 1) {
    if (child + 1 < n && before(weights, idAt(order, child), idAt(order, child + 1))) child++;
    if (!before(weights, id, idAt(order, child))) break;
    put(order, at, idAt(order, child));
    at = child;
  }
  put(order, at, id);
}

/** All ids, the most likely first. order i32 [V] */
function sort(order: usize, weights: usize, V: i32): void {
  for (let i = 0; i < V; i++) put(order, i, i);
  for (let i = (V >> 1) - 1; i >= 0; i--) sink(order, weights, i, V);
  for (let n = V - 1; n > 0; n--) {
    const last = idAt(order, 0);
    put(order, 0, idAt(order, n));
    put(order, n, last);
    sink(order, weights, 0, n);
  }
}

/** Sets the weights of all ids that top-k and the nucleus cut to 0; returns the sum of the others, in order of id. */
function cut(weights: usize, total: f64, order: usize, V: i32, topK: i32, topP: f64): f64 {
  const limit = topK > 0 ? min(topK, V) : V;
  if (limit == V && topP >= 1) return total;
  sort(order, weights, V);
  let kept = limit;
  if (topP < 1) {
    let sum = total;
    if (limit < V) {
      sum = 0;
      for (let i = 0; i < limit; i++) sum += weightOf(weights, idAt(order, i));
    }
    let mass: f64 = 0;
    for (let i = 0; i < limit; i++) {
      mass += weightOf(weights, idAt(order, i));
      if (mass >= topP * sum) {
        kept = i + 1;
        break;
      }
    }
  }
  for (let i = kept; i < V; i++) store<f64>(weights + <usize>idAt(order, i) * FLOAT, 0);
  let rest: f64 = 0;
  for (let i = 0; i < V; i++) rest += weightOf(weights, i);
  return rest;
}

/** Inverse of the cumulative distribution, over ids with a weight, in order of id. */
function invert(weights: usize, V: i32, total: f64, u: f64): i32 {
  let left = u * total;
  let last = 0;
  for (let i = 0; i < V; i++) {
    const w = weightOf(weights, i);
    if (w == 0) continue;
    last = i;
    left -= w;
    if (left < 0) return i;
  }
  return last;
}

function numberOf(z: usize, id: i32): f64 {
  return <f64>load<f32>(z + ((<usize>id) << 2));
}

/** Samples from one row of logits; returns the id, or -1 if they are not finite, and writes its log-prob to `logprob`. */
function draw(
  z: usize,
  V: i32,
  rule: usize,
  u: f64,
  legal: usize,
  logprob: usize,
  scratch: usize,
): i32 {
  const temperature = load<f32>(rule);
  const tau: f64 = temperature == 0 ? 1 : <f64>temperature;
  const top = numberOf(z, argmax(z, V, 0)) / tau;
  if (!isFinite(top)) {
    store<f32>(logprob, NaN as f32);
    return -1;
  }
  const total = weigh(z, V, tau, top, 0, scratch);
  let id = argmax(z, V, legal);
  if (temperature != 0) {
    const mass = legal == 0 ? total : weigh(z, V, tau, numberOf(z, id) / tau, legal, scratch);
    const order = scratch + <usize>V * FLOAT;
    const kept = cut(scratch, mass, order, V, load<i32>(rule, 8), <f64>load<f32>(rule, 4));
    id = invert(scratch, V, kept, u);
  }
  const own = numberOf(z, id) / tau - top - log64(total);
  store<f32>(logprob, <f32>own);
  return id;
}

function isStop(rule: usize, id: i32): bool {
  const count = load<i32>(rule, 32);
  for (let i = 0; i < count; i++) if (load<i32>(rule + 64 + ((<usize>i) << 2)) == id) return true;
  return false;
}

/** legal: bits by slot, or 0. scratch: V float64 and V int32. */
export function sample(
  logits: usize,
  rule: usize,
  token: usize,
  position: usize,
  row: usize,
  tick: usize,
  trajectory: usize,
  firstStep: usize,
  slot: usize,
  drawn: usize,
  legal: usize,
  R: i32,
  V: i32,
  slots: i32,
  scratch: usize,
): void {
  const words = ((<usize>(V + 31)) >> 5) << 2;
  for (let r = 0; r < R; r++) {
    const at = (<usize>r) << 2;
    if (load<i32>(row + at) < 0) continue;
    const now = load<i32>(tick + at);
    const step = <u32>(load<i32>(firstStep + at) + now);
    const u = uniform(
      step,
      load<u32>(trajectory + at),
      load<u32>(rule, 20),
      load<u32>(rule, 24),
      load<u32>(rule, 12),
      load<u32>(rule, 16),
    );
    const place = load<i32>(slot + at);
    const to = drawn + ((<usize>(now * slots + place)) << 3);
    const bits = legal == 0 ? legal : legal + <usize>place * words;
    const id = draw(logits + ((<usize>r * <usize>V) << 2), V, rule, u, bits, to + 4, scratch);
    store<i32>(to, id);
    store<i32>(tick + at, now + 1);
    store<i32>(token + at, id);
    store<i32>(position + at, load<i32>(position + at) + 1);
    if (id < 0 || isStop(rule, id) || now + 1 == load<i32>(rule, 28)) store<i32>(row + at, -1);
  }
}
