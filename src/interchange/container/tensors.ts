/** Torch's tensors and NumPy's arrays of a pickle, as nested lists of numbers. */
import { RefusedError } from "../import/refused.ts";

/** The numbers behind a tensor. */
export type Storage = ArrayLike<number | bigint>;

type Read = (view: DataView, at: number) => number;

const HALF: Read = (view, at) => halfOf(view.getUint16(at, true));
const READ: Readonly<Record<string, readonly [size: number, read: Read]>> = {
  f4: [4, (view, at) => view.getFloat32(at, true)],
  f8: [8, (view, at) => view.getFloat64(at, true)],
  f2: [2, HALF],
  bf2: [2, (view, at) => bfloatOf(view.getUint16(at, true))],
  i8: [8, (view, at) => Number(view.getBigInt64(at, true))],
  i4: [4, (view, at) => view.getInt32(at, true)],
  i2: [2, (view, at) => view.getInt16(at, true)],
  i1: [1, (view, at) => view.getInt8(at)],
  u8: [8, (view, at) => Number(view.getBigUint64(at, true))],
  u4: [4, (view, at) => view.getUint32(at, true)],
  u2: [2, (view, at) => view.getUint16(at, true)],
  u1: [1, (view, at) => view.getUint8(at)],
  b1: [1, (view, at) => view.getUint8(at)],
};

/** Types by the names of torch's storages, NumPy's dtypes and their codes. */
const CODE = new Map(
  (
    "Float:f4 Double:f8 Half:f2 BFloat16:bf2 Long:i8 Int:i4 Short:i2 Char:i1 Byte:u1 Bool:b1 " +
    "float32:f4 float64:f8 float16:f2 int64:i8 int32:i4 int16:i2 int8:i1 " +
    "uint64:u8 uint32:u4 uint16:u2 uint8:u1 bool:b1"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);

function halfOf(bits: number): number {
  const [sign, exponent, fraction] = [bits >> 15, (bits >> 10) & 31, bits & 1023];
  const scale = sign ? -1 : 1;
  if (exponent === 0) return (scale * fraction) / 2 ** 24;
  if (exponent === 31) return fraction ? NaN : scale * Infinity;
  return scale * 2 ** (exponent - 15) * (1 + fraction / 1024);
}

function bfloatOf(bits: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, bits << 16);
  return view.getFloat32(0);
}

function odd(what: string): RefusedError {
  return new RefusedError([`This file has ${what}.`, "Choose the file that the program wrote."]);
}

/** Little-endian numbers of a type such as "float32", "<f4" or torch's "Float". @throws RefusedError */
export function numbersFrom(type: string, bytes: Uint8Array): number[] {
  const found = READ[CODE.get(type) ?? type.replace(/^[<|=]/, "")];
  if (!found) throw odd(`numbers of the type ${type}, which are not read`);
  const [size, read] = found;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, i) => read(view, i * size));
}

/** Numbers in row order as nested lists. @throws RefusedError if there are too few */
export function shaped(numbers: Storage, shape: readonly number[]): unknown {
  const strides = shape.map((_, d) => shape.slice(d + 1).reduce((a, b) => a * b, 1));
  return strided(numbers, 0, shape, strides);
}

function strided(
  numbers: Storage,
  offset: number,
  [size, ...sizes]: readonly number[],
  [stride, ...strides]: readonly number[],
): unknown {
  if (size === undefined) {
    if (offset < 0 || offset >= numbers.length) throw odd("a tensor that is larger than its data");
    return Number(numbers[offset]);
  }
  if (size > numbers.length && size > 0) throw odd("a tensor that is larger than its data");
  return Array.from({ length: size }, (_, i) =>
    strided(numbers, offset + i * stride!, sizes, strides),
  );
}

function wholeNumbers(value: unknown): number[] {
  const list = Array.isArray(value) ? value.map(Number) : [];
  if (!list.every((one) => Number.isInteger(one) && one >= 0)) throw odd("a tensor of no shape");
  return list;
}

function typeIn(value: unknown): string {
  return String(Object(value).dtype ?? "");
}

/** Counts values before they are made: a few bytes may ask for one tensor again and again. @throws RefusedError */
export type Spend = (values: number) => void;

/** Lists count, too, where there are no numbers in them. */
function sizeOf(shape: readonly number[]): number {
  return shape.reduce((all, size) => all * Math.max(1, size), 1);
}

/** What a pickle calls, as data. */
export const rebuild = {
  /** torch._utils._rebuild_tensor_v2(storage, offset, size, stride, …) */
  tensor([storage, offset, size, stride]: readonly unknown[], spend: Spend): unknown {
    const numbers = storage as Storage;
    if (typeof numbers !== "object" || numbers === null) throw odd("a tensor without data");
    const shape = wholeNumbers(size);
    spend(sizeOf(shape));
    return strided(numbers, Number(offset), shape, wholeNumbers(stride));
  },
  emptyArray: (): unknown[] => [],
  /** numpy.ndarray.__setstate__((version, shape, dtype, isFortran, data)) */
  fillArray(array: unknown[], state: unknown, spend: Spend): void {
    if (!Array.isArray(state)) return;
    const [, shape, type, , data] = state as unknown[];
    const sizes = wholeNumbers(shape);
    spend(sizeOf(sizes) + (Array.isArray(data) || data instanceof Uint8Array ? data.length : 0));
    const values =
      data instanceof Uint8Array ? shaped(numbersFrom(typeIn(type), data), sizes) : data;
    if (Array.isArray(values)) for (const value of values) array.push(value);
  },
  /** numpy.core.multiarray.scalar(dtype, bytes) */
  scalar([type, data]: readonly unknown[]): unknown {
    return data instanceof Uint8Array ? numbersFrom(typeIn(type), data.subarray(0, 8))[0] : data;
  },
};
