/** Bytes of packed files, piece by piece, and the entries of zip archives; nothing is inflated beyond a limit. */
import { Gunzip, Inflate } from "fflate";
import { joinedBytes } from "../import/items.ts";
import { RefusedError } from "../import/refused.ts";
import { words } from "../import/words.ts";

/** Bytes fed at a time: a push returns all that they inflate to, up to about a thousand times as much. */
const PIECE = 1 << 14;
/** Unpacked bytes that are always allowed, and how many times the packed bytes more may be. */
export const ALLOWED = 64 << 20;
export const MOST_RATIO = 500;
/** Maximum bytes of a file that has to be read as a whole. */
export const MOST_WHOLE = 1 << 30;

interface Stream {
  push(chunk: Uint8Array, final?: boolean): void;
}
type MakeStream = (ondata: (chunk: Uint8Array) => void) => Stream;

export const gunzip: MakeStream = (ondata) => new Gunzip(ondata);
export const inflate: MakeStream = (ondata) => new Inflate(ondata);

/** The window that zstd itself allows unless it is told more: each block is copied into all of it. */
const LARGEST_WINDOW = 128 << 20;

/** For Zstandard: its library is loaded only then. */
export async function loadZstd(): Promise<MakeStream> {
  const { Decompress } = await import("fzstd");
  return (ondata) => {
    const stream = new Decompress((chunk) => {
      // Of the frame that is being read, as the library keeps it.
      const { s: frame } = stream as unknown as { s?: { w?: Uint8Array } };
      if ((frame?.w?.length ?? 0) > LARGEST_WINDOW)
        throw new RefusedError(words.refused.largePart(LARGEST_WINDOW >> 20));
      ondata(chunk);
    });
    return stream;
  };
}

/** What was unpacked before a fault is yielded first. @throws RefusedError if it is damaged, or a bomb */
export function* unpacked(make: MakeStream, chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  let ready: Uint8Array[] = [];
  let [packed, made] = [0, 0];
  const stream = make((chunk) => {
    made += chunk.length;
    // Within a piece: one of Zstandard may be thousands of blocks that repeat a byte.
    if (made > ALLOWED && made > MOST_RATIO * packed)
      throw new RefusedError(words.refused.bomb(MOST_RATIO));
    ready.push(chunk);
  });
  const push = (piece: Uint8Array, final: boolean): RefusedError | null => {
    packed += piece.length;
    try {
      stream.push(piece, final);
      return null;
    } catch (error) {
      return error instanceof RefusedError ? error : new RefusedError(words.refused.damaged(made));
    }
  };
  const next = function* (piece: Uint8Array, final: boolean) {
    const fault = push(piece, final);
    const parts = ready;
    ready = [];
    if (fault?.action !== undefined && made > ALLOWED) throw fault;
    yield* parts;
    if (fault) throw fault;
  };
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += PIECE)
      // Copied: a decoder may hold it, and a reader use its buffer again.
      yield* next(chunk.slice(at, at + PIECE), false);
  yield* next(new Uint8Array(0), true);
}

/** @throws RefusedError if there is more than `most` */
export function wholeOf(chunks: Iterable<Uint8Array>, most = MOST_WHOLE): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const chunk of chunks) {
    length += chunk.length;
    if (length > most) throw new RefusedError(words.refused.largePart(most >> 20));
    parts.push(chunk.slice());
  }
  return joinedBytes(parts);
}

export interface ZipEntry {
  name: string;
  size: number;
  /** 0 stored, 8 deflate, 93 Zstandard. */
  method: number;
  packed: Uint8Array;
}

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const END_SIZE = 22;
const MOST_COMMENT = 65_535;

/** By the archive's directory (PKWARE's APPNOTE, 4.3.12). @throws RefusedError if it is damaged */
export function zipEntries(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u16 = (at: number) => view.getUint16(at, true);
  const u32 = (at: number) => view.getUint32(at, true);
  try {
    let end = bytes.length - END_SIZE;
    while (u32(end) !== END) {
      if (--end < bytes.length - END_SIZE - MOST_COMMENT) throw new RangeError();
    }
    const entries: ZipEntry[] = [];
    let at = u32(end + 16);
    for (let i = 0; i < u16(end + 10); i++) {
      if (u32(at) !== DIRECTORY) throw new RangeError();
      const [method, packed, size] = [u16(at + 10), u32(at + 20), u32(at + 24)];
      const [nameLength, offset] = [u16(at + 28), u32(at + 42)];
      const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
      const from = offset + 30 + u16(offset + 26) + u16(offset + 28);
      if (from + packed > bytes.length) throw new RangeError();
      if (!name.endsWith("/"))
        entries.push({ name, size, method, packed: bytes.subarray(from, from + packed) });
      at += 46 + nameLength + u16(at + 30) + u16(at + 32);
    }
    // Entries that share their bytes make a bomb of any size.
    if (entries.reduce((sum, { packed }) => sum + packed.length, 0) > bytes.length)
      throw new RangeError();
    return entries;
  } catch (error) {
    if (error instanceof RangeError) throw new RefusedError(words.refused.damaged(0));
    throw error;
  }
}
