/**
 * The safetensors format: 8 bytes of header length, a JSON header with dtype, shape and byte range
 * per tensor, then the bytes. Everything is checked, because such files come from anywhere.
 */
import { fromBfloats, toBfloats } from "../numeric/bfloat.ts";
import { fromHalf, toHalf } from "../numeric/half.ts";
import type { WeightMap } from "../engine/engine.ts";
import { greatest } from "../numeric/lists.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { parseJsonObject } from "../spec/jsonText.ts";

type Dtype = "F32" | "F16" | "BF16";

/** A file that is read in parts: on a disk, in a page, on a server. */
export interface RangedFile {
  /** In bytes. */
  size: number;
  /** Bytes from `start` up to `end`; they may be overwritten by the next read. */
  read(start: number, end: number): Promise<Uint8Array>;
}

const BYTES: Record<Dtype, number> = { F32: 4, F16: 2, BF16: 2 };
const HEADER_LIMIT = 100_000_000;

interface TensorEntry {
  name: string;
  dtype: Dtype;
  shape: number[];
  /** Bytes after the header. */
  start: number;
  end: number;
}

/** A tensor in its file, unread. */
export interface StoredTensor {
  dtype: Dtype;
  shape: number[];
  /** Position of the first byte in the file. */
  at: number;
  bytes: number;
}

/** Numbers read at a time: 32 MiB as float32. */
const PIECE = 2 ** 23;

/**
 * Reads all tensors as float32. `file` names the file in error messages.
 * @throws InputError naming the tensor, its value and what is allowed.
 */
export function readSafetensors(bytes: Uint8Array, file: string): WeightMap {
  const start = dataStart(bytes, bytes.length, file);
  const stored = placesOf(bytes.subarray(8, start), bytes.length, file);
  const decoded = [...stored].map(([name, tensor]) => {
    const { dtype, shape, at, bytes: length } = tensor;
    const data = new Float32Array(length / BYTES[dtype]);
    decode(bytes.subarray(at, at + length), dtype, data);
    checkFinite(data, file, name, 0);
    return [name, { shape, data }] as const;
  });
  return new Map(decoded);
}

/** The tensors of a file by its header alone, in the file's order. @throws InputError as readSafetensors */
export async function safetensorsHeader(
  source: RangedFile,
  file: string,
): Promise<Map<string, StoredTensor>> {
  const start = dataStart(await source.read(0, Math.min(8, source.size)), source.size, file);
  return placesOf(await source.read(8, start), source.size, file);
}

/**
 * Float32 numbers of a tensor, in pieces of one reused array; `at` is the index of the first. `numbers`: that array, for several
 * tensors in turn.
 * @throws InputError if one is not finite, or the file has become shorter
 */
export async function* tensorNumbers(
  source: RangedFile,
  { dtype, at: start, bytes }: StoredTensor,
  file: string,
  name: string,
  numbers = new Float32Array(Math.min(PIECE, bytes / BYTES[dtype])),
) {
  const width = BYTES[dtype];
  const count = bytes / width;
  for (let at = 0; at < count; at += PIECE) {
    const data = numbers.subarray(0, Math.min(PIECE, count - at));
    const from = start + width * at;
    const part = await source.read(from, from + width * data.length);
    if (part.length !== width * data.length)
      throw new InputError(
        `${file}: tensor ${show(name)} ends early: the file was cut while it was read; download it again`,
      );
    decode(part, dtype, data);
    checkFinite(data, file, name, at);
    yield { at, data };
  }
}

/** An array for the pieces of any of these. */
export function pieceArray(tensors: readonly StoredTensor[]): Float32Array<ArrayBuffer> {
  const counts = tensors.map(({ bytes, dtype }) => bytes / BYTES[dtype]);
  return new Float32Array(Math.min(PIECE, greatest([...counts, 0])));
}

/** @throws InputError if a file begins as the small text that Git keeps in place of a large one: a clone without Git LFS has these. */
export function refusePointer(head: Uint8Array, file: string): void {
  if (new TextDecoder().decode(head.subarray(0, 8)) !== "version ") return;
  throw new InputError(
    `${file} is a pointer of Git LFS, not the file itself; run "git lfs pull" in the folder, or download the file`,
  );
}

/** Where the header ends. `head`: at least the first 8 bytes. */
function dataStart(head: Uint8Array, size: number, file: string): number {
  if (size < 8)
    throw new InputError(`${file} has ${size} bytes; a safetensors file has at least 8`);
  refusePointer(head, file);
  const view = new DataView(head.buffer, head.byteOffset, 8);
  const length = view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32;
  if (length > size - 8 || length > HEADER_LIMIT) {
    const room = Math.min(size - 8, HEADER_LIMIT);
    throw new InputError(
      `${file}: the header length is ${length}; the file has room for ${room} (truncated, or not a safetensors file)`,
    );
  }
  return 8 + length;
}

/** The tensors that a header names. `size`: of the whole file. */
function placesOf(header: Uint8Array, size: number, file: string): Map<string, StoredTensor> {
  const start = 8 + header.length;
  const data = size - start;
  const entries = Object.entries(
    parseJsonObject(new TextDecoder().decode(header), `${file}: the header`),
  )
    .filter(([name]) => name !== "__metadata__")
    .map(([name, value]) => checkEntry(name, value, data, file))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  checkLayout(entries, data, file);
  return new Map(
    entries.map(({ name, dtype, shape, start: from, end }) => [
      name,
      { dtype, shape, at: start + from, bytes: end - from },
    ]),
  );
}

function checkEntry(name: string, value: unknown, size: number, file: string): TensorEntry {
  const bad = (field: string, found: unknown, rule: string): never => {
    throw new InputError(`${file}: ${field} of tensor ${show(name)} is ${show(found)}; ${rule}`);
  };
  const { dtype, shape, data_offsets: offsets } = (value ?? {}) as Record<string, unknown>;
  if (typeof dtype !== "string" || !Object.hasOwn(BYTES, dtype)) {
    return bad("dtype", dtype, `it must be one of ${Object.keys(BYTES).join(", ")}`);
  }
  if (!isCounts(shape)) return bad("shape", shape, "it must be a list of whole numbers");
  if (!isCounts(offsets) || offsets.length !== 2) {
    return bad("data_offsets", offsets, "it must be two whole numbers");
  }
  const [start, end] = offsets as [number, number];
  if (start > end || end > size) {
    return bad(
      "data_offsets",
      offsets,
      `it must lie within the ${size} data bytes of the file (truncated? download it again)`,
    );
  }
  const needed = shape.reduce((a, b) => a * b, 1) * BYTES[dtype as Dtype];
  if (end - start !== needed) {
    return bad("data_offsets", offsets, `shape ${show(shape)} in ${dtype} takes ${needed} bytes`);
  }
  return { name, dtype: dtype as Dtype, shape, start, end };
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && n >= 0);
}

/** The ranges must tile the data: no overlap, no hole, nothing after the last. */
function checkLayout(entries: TensorEntry[], size: number, file: string): void {
  let at = 0;
  for (const { name, start, end } of entries) {
    if (start < at)
      throw new InputError(
        `${file}: tensor ${show(name)} starts at byte ${start}, inside another tensor; tensors must not overlap`,
      );
    if (start > at)
      throw new InputError(
        `${file}: ${start - at} bytes before tensor ${show(name)} belong to no tensor; holes are not allowed`,
      );
    at = end;
  }
  if (at < size)
    throw new InputError(
      `${file}: the last ${size - at} bytes belong to no tensor; nothing may follow the last one`,
    );
}

/** Little-endian numbers as float32: `bytes` may start anywhere. */
function decode(bytes: Uint8Array, dtype: Dtype, into: Float32Array): void {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  const { buffer, byteOffset } = aligned;
  if (dtype === "F32") {
    into.set(new Float32Array(buffer, byteOffset, into.length));
    return;
  }
  const half = new Uint16Array(buffer, byteOffset, into.length);
  if (dtype === "BF16") fromBfloats(half, into);
  else {
    for (let i = 0; i < half.length; i++) into[i] = fromHalf(half[i]!);
  }
}

/** `index`: of the first within the tensor. */
function checkFinite(data: Float32Array, file: string, name: string, index: number): void {
  // The sum of 0 x: NaN as soon as one is not finite.
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += 0 * data[i]!;
  if (sum === 0) return;
  const wrong = data.findIndex((x) => !Number.isFinite(x));
  throw new InputError(
    `${file}: tensor ${show(name)} holds ${data[wrong]} at index ${index + wrong}; weights must be finite`,
  );
}

/** Writes tensors in name order; BF16 and F16 round to the nearest, ties to even. */
export function writeSafetensors(weights: WeightMap, dtype: Dtype = "F32"): Uint8Array {
  const names = [...weights.keys()].sort();
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  let at = 0;
  for (const name of names) {
    const { shape, data } = weights.get(name)!;
    const end = at + data.length * BYTES[dtype];
    header[name] = { dtype, shape, data_offsets: [at, end] };
    at = end;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = Math.ceil(text.length / 8) * 8; // the data starts aligned
  const file = new Uint8Array(8 + length + at).fill(0x20, 8, 8 + length);
  new DataView(file.buffer).setUint32(0, length, true);
  file.set(text, 8);
  at = 8 + length;
  for (const name of names) {
    const part = encode(weights.get(name)!.data, dtype);
    file.set(part, at);
    at += part.length;
  }
  return file;
}

function encode(data: Float32Array, dtype: Dtype): Uint8Array {
  if (dtype === "F32") return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (dtype === "F16") return new Uint8Array(Uint16Array.from(data, toHalf).buffer);
  const half = new Uint16Array(data.length);
  toBfloats(data, half);
  return new Uint8Array(half.buffer);
}
