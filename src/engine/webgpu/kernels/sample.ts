/**
 * Samples the next token in float32, an item per row. Each lane has a run of ids, so that sums and
 * the inverse of the distribution go in order of id. Cuts need no sorting: the least likely
 * remaining token is found by bisecting the 32 bits of the logits' order, each time with a count or
 * a sum over the vocabulary.
 */
import type { OpOf } from "../../plan/ops.ts";
import type { Dispatch, Operand } from "../shader.ts";
import { FINITE, LOWEST, NAN_BITS, type KernelTarget } from "./lanes.ts";
import { legalWords } from "../../sample.ts";

const GPU_LANES = 64;
/** Rows per workgroup on a software adapter. */
const ROWS = 8;

export function sample(op: OpOf<"sample">, { software }: KernelTarget): Dispatch[] {
  const { R, V, slots } = op;
  const lanes = software ? 1 : GPU_LANES;
  const items = software ? ROWS : 1;
  const state = (["token", "position", "row", "tick"] as const).map((name): Operand => ({
    name,
    type: "i32",
    view: op[name],
    writes: true,
  }));
  const operands: Operand[] = [
    { name: "logits", type: "f32", view: op.logits, bits: true },
    { name: "rule", type: "u32", view: op.rule },
    ...state,
    { name: "trajectory", type: "u32", view: op.trajectory },
    { name: "firstStep", type: "u32", view: op.firstStep },
    { name: "slot", type: "i32", view: op.slot },
    ...(op.legal ? [{ name: "legal", type: "u32", view: op.legal } as const] : []),
    { name: "drawn", type: "u32", view: op.drawn, writes: true },
  ];
  const run = Math.ceil(V / lanes);
  const body = `
  let asked = ${software ? `group * ${items}u + lid` : "group"};
  let r = min(asked, d.R - 1u);
  lane = ${software ? "0u" : "lid"};
  z0 = r * ${V}u;
  low = min(lane * ${run}u, ${V}u);
  high = min(low + ${run}u, ${V}u);
  ${op.legal ? `legal0 = u32(slot(r)) * ${legalWords(V)}u;` : ""}
  ${DRAW(V, software, op.legal !== undefined)}
  if (lane == 0u && asked < d.R && row(r) >= 0) {
    ${ADVANCE(slots)}
  }`;
  const runs = software ? ALONE : TOGETHER;
  return [
    {
      name: "sample",
      operands,
      dims: { R },
      declarations: [FINITE, PHILOX, allowed(op), PRIVATE, runs, CUT].join("\n"),
      body,
      workgroup: lanes * items,
      groups: Math.ceil(R / items),
    },
  ];
}

/** Philox4x32-10 (Salmon et al. 2011), as in numeric/rng; the uniform's top 24 bits. */
const PHILOX = `
fn mulHigh(a: u32, b: u32) -> u32 {
  let middle = (a >> 16u) * (b & 0xffffu) + (((a & 0xffffu) * (b & 0xffffu)) >> 16u);
  let carry = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
  return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (carry >> 16u);
}
fn uniformOf(counter: vec4u, key: vec2u) -> f32 {
  var c = counter;
  var k = key;
  for (var i = 0u; i < 10u; i++) {
    let high0 = mulHigh(0xd2511f53u, c.x);
    let high1 = mulHigh(0xcd9e8d57u, c.z);
    c = vec4u(high1 ^ c.y ^ k.x, 0xcd9e8d57u * c.z, high0 ^ c.w ^ k.y, 0xd2511f53u * c.x);
    k += vec2u(0x9e3779b9u, 0xbb67ae85u);
  }
  return f32(c.x >> 8u) / 16777216.0;
}`;

/** Whether the row may sample an id. */
const allowed = ({ legal }: OpOf<"sample">): string =>
  legal
    ? `var<private> legal0: u32;
fn allowed(v: u32) -> bool { return ((legal(legal0 + v / 32u) >> (v % 32u)) & 1u) == 1u; }`
    : `fn allowed(v: u32) -> bool { return true; }`;

/** A row's variables: its lane and run of ids, inverse temperature, largest logit, and which ids are kept. */
const PRIVATE = `
var<private> lane: u32;
var<private> z0: u32;
var<private> low: u32;
var<private> high: u32;
var<private> t: f32;
var<private> top: f32;
var<private> threshold: u32;
var<private> ties: u32;
var<private> tiesBefore: u32;
fn weightOf(v: u32) -> f32 {
  if (!allowed(v)) { return 0.0; }
  return exp(logits(z0 + v) * t - top);
}
fn orderOf(v: u32) -> u32 { // floats as unsigned numbers of the same order, zeros alike
  if (!allowed(v)) { return 0u; }
  let word = bits_logits(z0 + v);
  let bits = select(word, 0u, (word & 0x7fffffffu) == 0u);
  return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
}`;

/** Over the lanes of a row, in order: sum of all, sum of those before, maximum, the first that is true. */
const ALONE = `
fn runSum(x: f32) -> f32 { return x; }
fn runBefore(x: f32) -> f32 { return 0.0; }
fn runMax(x: f32) -> f32 { return x; }
fn runFirst(x: u32, yes: bool) -> u32 { return select(0xffffffffu, x, yes); }`;

const overLanes = (signature: string, put: string, start: string, end: string, step: string) => `
fn ${signature} {
  shares[lane] = ${put};
  workgroupBarrier();
  var all = ${start};
  for (var i = 0u; i < ${end}; i++) { ${step} }
  workgroupBarrier();
  return all;
}`;

const TOGETHER = [
  `var<workgroup> shares: array<u32, ${GPU_LANES}>;`,
  ...[
    ["runSum", `${GPU_LANES}u`],
    ["runBefore", "lane"],
  ].map(([name, end]) =>
    overLanes(
      `${name}(x: f32) -> f32`,
      "bitcast<u32>(x)",
      "0.0",
      end!,
      "all += bitcast<f32>(shares[i]);",
    ),
  ),
  overLanes(
    "runMax(x: f32) -> f32",
    "bitcast<u32>(x)",
    "x",
    `${GPU_LANES}u`,
    "all = max(all, bitcast<f32>(shares[i]));",
  ),
  overLanes(
    "runFirst(x: u32, yes: bool) -> u32",
    "select(0xffffffffu, x, yes)",
    "0xffffffffu",
    `${GPU_LANES}u`,
    "if (all == 0xffffffffu) { all = shares[i]; }",
  ),
  "var<workgroup> cuts: u32;",
].join("\n");

/** Sets the cut: the smallest set of the most likely ids, ties to the smaller id, whose count or mass reaches the goal. */
const CUT = `
fn measure(v: u32, byMass: bool) -> f32 { if (byMass) { return weightOf(v); } return 1.0; }
fn cutAt(goal: f32, byMass: bool) {
  var at = 0u;
  for (var bit = 0x80000000u; bit > 0u; bit /= 2u) {
    var inside = 0.0;
    for (var v = low; v < high; v++) { if (orderOf(v) >= (at | bit)) { inside += measure(v, byMass); } }
    if (runSum(inside) >= goal) { at |= bit; }
  }
  var above = 0.0;
  var same = 0.0;
  var share = 0.0;
  for (var v = low; v < high; v++) {
    let o = orderOf(v);
    if (o > at) { above += measure(v, byMass); }
    if (o == at) { same += 1.0; share = measure(v, byMass); }
  }
  let missing = goal - runSum(above);
  let each = runMax(share);
  let tied = runSum(same);
  threshold = at;
  ties = u32(clamp(ceil(missing / max(each, 1e-30)), 1.0, max(tied, 1.0)));
  tiesBefore = u32(runBefore(same));
}
fn keptBefore(v: u32, seen: u32) -> bool {
  let o = orderOf(v);
  return o > threshold || (o == threshold && seen < ties);
}
fn keptMass() -> f32 {
  var seen = tiesBefore;
  var mass = 0.0;
  for (var v = low; v < high; v++) {
    if (keptBefore(v, seen)) { mass += weightOf(v); }
    if (orderOf(v) == threshold) { seen++; }
  }
  return mass;
}`;

/** The rule may be in memory that is also written: only this makes it uniform over all lanes for the compiler. */
const shareFlags = (software: boolean) =>
  software
    ? "let flags = asks;"
    : "if (lane == 0u) { cuts = asks; } let flags = workgroupUniformLoad(&cuts);";

/** The log-prob is over the full vocabulary: its largest logit and sum equal those of the legal ids only if all are legal. */
const overAll = (masked: boolean) =>
  masked
    ? `
  let fullTop = runMax(mostOfAll) * t;
  var rest = 0.0;
  for (var v = low; v < high; v++) { rest += exp(logits(z0 + v) * t - fullTop); }
  let fullTotal = runSum(rest);`
    : `
  let fullTop = top;
  let fullTotal = total;`;

const DRAW = (V: number, software: boolean, masked: boolean) => `
  let temperature = bitcast<f32>(rule(0u));
  let greedy = temperature == 0.0;
  t = 1.0 / select(temperature, 1.0, greedy);
  var best = 0u;
  var bad = 0.0;
  var most = ${LOWEST};
  var mostOfAll = ${LOWEST};
  for (var v = low; v < high; v++) {
    let z = logits(z0 + v);
    if (!finite(bits_logits(z0 + v))) { bad = 1.0; }
    mostOfAll = max(mostOfAll, z);
    if (allowed(v) && z > most) { most = z; best = v; }
  }
  let broken = runMax(bad) > 0.0;
  let largest = runMax(most);
  best = runFirst(best, low < high && most == largest);
  top = largest * t;
  threshold = 0u;
  ties = 0u;
  tiesBefore = 0u;
  let total = runSum(keptMass());
  ${overAll(masked)}
  let topK = rule(2u);
  let topP = bitcast<f32>(rule(1u));
  let byCount = !greedy && topK > 0u && topK < ${V}u;
  let byMass = !greedy && topP < 1.0;
  let asks = select(0u, 1u, byCount) | select(0u, 2u, byMass);
  ${shareFlags(software)}
  var kept = total;
  if ((flags & 1u) != 0u) { cutAt(f32(topK), false); kept = runSum(keptMass()); }
  if ((flags & 2u) != 0u) { cutAt(topP * kept, true); kept = runSum(keptMass()); }
  let ticks = tick(r);
  let counter = vec4u(firstStep(r) + u32(ticks), trajectory(r), rule(5u), rule(6u));
  let mass = keptMass();
  let before = runBefore(mass);
  var left = uniformOf(counter, vec2u(rule(3u), rule(4u))) * kept - before;
  var mine = 0xffffffffu;
  if (left >= 0.0 && left < mass) {
    var seen = tiesBefore;
    for (var v = low; v < high && left >= 0.0; v++) {
      let w = weightOf(v);
      if (keptBefore(v, seen) && w > 0.0) { left -= w; mine = v; }
      if (orderOf(v) == threshold) { seen++; }
    }
  }
  var id = runFirst(mine, true);
  if (greedy || id == 0xffffffffu) { id = best; }
  let logprob = bitcast<u32>(logits(z0 + id) * t - fullTop - log(fullTotal));`;

const ADVANCE = (slots: number) => `
    let to = (u32(ticks) * ${slots}u + u32(slot(r))) * 2u;
    put_drawn(to, select(id, 0xffffffffu, broken));
    put_drawn(to + 1u, select(logprob, ${NAN_BITS}, broken));
    var stop = broken || ticks + 1 == i32(rule(7u));
    for (var i = 0u; i < rule(8u); i++) { if (rule(16u + i) == id) { stop = true; } }
    put_token(r, select(i32(id), -1, broken));
    put_position(r, position(r) + 1);
    put_tick(r, ticks + 1);
    if (stop) { put_row(r, -1); }`;
