/**
 * Evaluated in a sandbox before any user code: how values cross, the keyed generator, a console,
 * and error messages for missing globals. It keeps its own copies of the built-ins that it uses;
 * the host still checks every result.
 *
 * A value crosses as JSON and one list of doubles: a list of numbers is {"$n": [from, length]}, a
 * number that JSON lacks as {"$x": "NaN"}, a generator as {"$draw": [seed low, seed high, stream,
 * iteration, trajectory]}.
 */
export const PRELUDE = `(() => {
"use strict";
const { parse, stringify } = JSON;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const { isFinite: finite } = Number;
const { keys, getPrototypeOf, defineProperty, is } = Object;
const { imul, floor } = Math;
const F64 = Float64Array, Text = String, Bad = TypeError, plain = Object.prototype;
const hasOwn = Object.prototype.hasOwnProperty;
const own = (o, k) => Reflect.apply(hasOwn, o, [k]);

const missing = (what, instead) => { throw new Bad(what + " is not available here" + instead); };
defineProperty(Math, "random", { value: () => missing("Math.random", "; use draw(), which is keyed") });

// Philox4x32-10, as numeric/rng.ts has it.
const high = (a, b) => {
  const al = a & 0xffff, ah = a >>> 16, bl = b & 0xffff, bh = b >>> 16;
  const middle = ah * bl + ((al * bl) >>> 16);
  const carry = al * bh + (middle & 0xffff);
  return (ah * bh + floor(middle / 65536) + floor(carry / 65536)) >>> 0;
};
const unit = (step, trajectory, iteration, stream, low, top) => {
  let c0 = step, c1 = trajectory, c2 = iteration, c3 = stream, k0 = low, k1 = top;
  for (let round = 0; round < 10; round++) {
    const h0 = high(0xd2511f53, c0), h1 = high(0xcd9e8d57, c2);
    const l0 = imul(0xd2511f53, c0) >>> 0, l1 = imul(0xcd9e8d57, c2) >>> 0;
    c0 = (h1 ^ c1 ^ k0) >>> 0; c1 = l1; c2 = (h0 ^ c3 ^ k1) >>> 0; c3 = l0;
    k0 = (k0 + 0x9e3779b9) >>> 0; k1 = (k1 + 0xbb67ae85) >>> 0;
  }
  return ((c0 >>> 5) * 67108864 + (c1 >>> 6)) / 9007199254740992;
};
const generator = ([low, top, stream, iteration, trajectory]) => {
  let step = 0;
  return () => unit(step++, trajectory, iteration, stream, low, top);
};

const SPECIAL = { NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity, "-0": -0 };
const revive = (value, numbers) => {
  if (value === null || typeof value !== "object") return value;
  if (isArray(value)) { for (let i = 0; i < value.length; i++) value[i] = revive(value[i], numbers); return value; }
  if (own(value, "$n")) return numbers.subarray(value.$n[0], value.$n[0] + value.$n[1]);
  if (own(value, "$x")) return SPECIAL[value.$x];
  if (own(value, "$draw")) return generator(value.$draw);
  const copy = {};
  for (const key of keys(value)) copy[key[0] === "$" ? key.slice(1) : key] = revive(value[key], numbers);
  return copy;
};

const outgoing = (limits) => {
  let count = 0;
  const chunks = [];
  const list = (numbers) => {
    const from = count;
    count += numbers.length;
    if (count > limits.numbers) throw new Bad("the result has more than " + limits.numbers + " numbers");
    chunks[chunks.length] = numbers;
    return { $n: [from, numbers.length] };
  };
  const number = (x) => finite(x) && !is(x, -0) ? x : { $x: is(x, -0) ? "-0" : Text(x) };
  const allNumbers = (items) => {
    for (let i = 0; i < items.length; i++) if (typeof items[i] !== "number") return false;
    return items.length > 0;
  };
  const walk = (value, path, depth) => {
    const type = typeof value;
    if (type === "number") return number(value);
    if (value === null || type === "string" || type === "boolean") return value;
    if (value === undefined) return { $x: "undefined" };
    if (type !== "object") throw new Bad(path + " is a " + type + "; a result must be numbers, texts, lists and plain objects");
    if (depth > limits.depth) throw new Bad(path + " is nested more than " + limits.depth + " deep, or contains itself");
    if (value.length > limits.numbers) throw new Bad(path + " has more than " + limits.numbers + " items");
    if (isView(value) && value.length !== undefined) return list(new F64(value));
    if (isArray(value)) {
      if (allNumbers(value)) return list(new F64(value));
      const items = [];
      for (let i = 0; i < value.length; i++) items[i] = walk(value[i], path + "[" + i + "]", depth + 1);
      return items;
    }
    const proto = getPrototypeOf(value);
    if (proto !== plain && proto !== null)
      throw new Bad(path + " is not a plain object; a result must be numbers, texts, lists and plain objects");
    const copy = {};
    for (const key of keys(value)) {
      if (key === "__proto__") throw new Bad(path + " has a field named __proto__");
      copy[key[0] === "$" ? "$" + key : key] = walk(value[key], path + "." + key, depth + 1);
    }
    return copy;
  };
  const all = () => {
    const numbers = new F64(count);
    let at = 0;
    for (let i = 0; i < chunks.length; i++) { numbers.set(chunks[i], at); at += chunks[i].length; }
    return numbers;
  };
  return { walk, all };
};

let lines = [];
const shown = (value) => {
  if (typeof value === "string") return value;
  try { return stringify(value) ?? Text(value); } catch { return Text(value); }
};
const say = (level) => (...values) => {
  if (lines.length < 1000) lines[lines.length] = { level, text: values.map(shown).join(" ").slice(0, 4000) };
};
globalThis.console = { log: say("log"), info: say("log"), debug: say("log"), warn: say("warn"), error: say("error") };

const call = (target, thing, argsText, buffer, limitsText) => {
  lines = [];
  const limits = parse(limitsText);
  const args = revive(parse(argsText), new F64(buffer));
  const result = typeof target === "function" ? target(...args) : target;
  const out = outgoing(limits);
  const value = out.walk(result, thing, 0);
  const text = stringify({ value, lines });
  if (text.length > limits.characters) throw new Bad(thing + " is larger than " + limits.characters + " characters");
  return [text, out.all().buffer];
};
return { call, lines: () => stringify(lines) };
})()`;
