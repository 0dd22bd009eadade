/**
 * A column of finite numbers in as few bytes as its precision allows: integers and columns with few
 * distinct values exactly, others as 16-bit steps between minimum and maximum, or as 32-bit floats.
 */
import { quantile } from "../../numeric/statistics.ts";
import { significant } from "../../numeric/significant.ts";
import { InputError } from "../../numeric/inputError.ts";
import type { ByteReader, ByteWriter, Width } from "./bytes.ts";

/** exact: bit for bit. fine: to 7 digits. coarse: to 7 digits, or within `STEP_ERROR` of the column's interquartile range. */
export type Precision = "exact" | "fine" | "coarse";

/** How a column's numbers are encoded. */
export type NumberKind =
  | { kind: "same"; value: number }
  /** Integers. */
  | { kind: "u8" | "i16" | "i32" }
  /** Indices into `values`, one byte each. */
  | { kind: "few"; values: number[] }
  /** low + step * code, two bytes each. */
  | { kind: "step"; low: number; step: number }
  | { kind: "f32" }
  | { kind: "f64" };

/** If half a 16-bit step is more than this share of the interquartile range, 32 bits are used. */
export const STEP_ERROR = 1e-4;
/** Precision of a 32-bit float, as in logs. */
const DIGITS = 7;
const FEW = 256;
const CODES = 65535;
const WHOLE = [
  { kind: "u8", low: 0, high: 255 },
  { kind: "i16", low: -32768, high: 32767 },
  { kind: "i32", low: -(2 ** 31), high: 2 ** 31 - 1 },
] as const;

/** x: at least one number. Writes them and returns their encoding. */
export function writeNumbers(
  out: ByteWriter,
  x: readonly number[],
  precision: Precision,
): NumberKind {
  const kind = kindOf(x, precision);
  const word = wordsOf(kind, x);
  if (word) out.planes(new Uint8Array(word.buffer), word.BYTES_PER_ELEMENT as Width);
  return kind;
}

function kindOf(x: readonly number[], precision: Precision): NumberKind {
  const [low, high] = rangeOf(x);
  if (low === high && x.every((one) => Object.is(one, low))) return { kind: "same", value: low };
  // Minus zero does not count as an integer: it would lose its sign.
  const isWhole = x.every((one) => Number.isInteger(one) && !Object.is(one, -0));
  const whole = WHOLE.find((one) => low >= one.low && high <= one.high);
  if (isWhole && whole) return { kind: whole.kind };
  const values = [...new Set(x)];
  if (values.length <= FEW && values.length * 4 < x.length) return { kind: "few", values };
  if (precision === "exact") return { kind: "f64" };
  const step = (high - low) / CODES;
  const fits = precision === "coarse" && step / 2 <= STEP_ERROR * middleHalf(x);
  if (fits) return { kind: "step", low, step };
  return x.every(isSingle) ? { kind: "f32" } : { kind: "f64" };
}

function rangeOf(x: readonly number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const one of x) [low, high] = [Math.min(low, one), Math.max(high, one)];
  return [low, high];
}

/** Interquartile range: unlike the standard deviation, it is robust to outliers. */
function middleHalf(x: readonly number[]): number {
  return quantile(x, 0.75) - quantile(x, 0.25);
}

/** Whether a 32-bit float can represent it: neither too large nor too near 0. */
function isSingle(x: number): boolean {
  return x === 0 || Math.abs(Math.fround(x) / x - 1) < 1e-7;
}

function wordsOf(kind: NumberKind, x: readonly number[]) {
  switch (kind.kind) {
    case "same":
      return null;
    case "u8":
      return Uint8Array.from(x);
    case "i16":
      return Int16Array.from(x);
    case "i32":
      return Int32Array.from(x);
    case "few": {
      const code = new Map(kind.values.map((value, i) => [value, i]));
      return Uint8Array.from(x, (one) => code.get(one)!);
    }
    case "step":
      return Uint16Array.from(x, (one) => Math.round((one - kind.low) / kind.step));
    case "f32":
      return Float32Array.from(x);
    case "f64":
      return Float64Array.from(x);
  }
}

/** n: how many. @throws InputError if the bytes do not contain them, or one is not finite. */
export function readNumbers(from: ByteReader, kind: NumberKind, n: number): ArrayLike<number> {
  const x = numbersIn(from, kind, n);
  for (let i = 0; i < n; i++)
    if (!Number.isFinite(x[i])) throw new InputError("a column holds something other than numbers");
  return x;
}

function numbersIn(from: ByteReader, kind: NumberKind, n: number): ArrayLike<number> {
  switch (kind.kind) {
    case "same":
      return Array.from({ length: n }, () => kind.value);
    case "u8":
      return new Uint8Array(from.planes(n, 1));
    case "i16":
      return new Int16Array(from.planes(n, 2));
    case "i32":
      return new Int32Array(from.planes(n, 4));
    case "few": {
      const codes = new Uint8Array(from.planes(n, 1));
      return Array.from(codes, (code) => kind.values[code] ?? NaN);
    }
    case "step": {
      const codes = new Uint16Array(from.planes(n, 2));
      // Removes digits that are an artefact of the step size.
      return Array.from(codes, (code) => significant(kind.low + kind.step * code, DIGITS));
    }
    case "f32":
      return Array.from(new Float32Array(from.planes(n, 4)), (one) => significant(one, DIGITS));
    case "f64":
      return new Float64Array(from.planes(n, 8));
  }
}
