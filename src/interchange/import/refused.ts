/** Files that cannot be shown, and what to do about it. */
import type { Advice, UnreadKind } from "./advice.ts";

/** Maximum number of unreadable places that are named. */
export const MOST_PLACES = 3;

/** A file that cannot be shown: why, and what to do about it. */
export class RefusedError extends Error {
  readonly action: string;
  /** Names of columns that it has, for a reader to say what they are. */
  readonly columns: readonly string[];

  /** `where`: a sentence with the position in the file, if known. */
  constructor([why, action]: Advice, where = "", columns: readonly string[] = []) {
    super(where === "" ? why : `${why} ${where}`);
    this.name = "RefusedError";
    this.action = action;
    this.columns = columns;
  }
}

/** Kinds that are opened, and those that are not. */
type BinaryKind = "gzip" | "zstandard" | "zip" | "parquet" | "pickle" | UnreadKind;

/** First bytes of files that are not text. */
const SIGNATURES: readonly [kind: BinaryKind, bytes: readonly number[]][] = [
  ["gzip", [0x1f, 0x8b]],
  ["zstandard", [0x28, 0xb5, 0x2f, 0xfd]],
  // Skippable frames, as pzstd writes them first.
  ...Array.from({ length: 16 }, (_, i): [BinaryKind, number[]] => [
    "zstandard",
    [0x50 + i, 0x2a, 0x4d, 0x18],
  ]),
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["parquet", [0x50, 0x41, 0x52, 0x31]], // PAR1
  ["torch", [0x80, 0x02, 0x8a, 0x0a, 0x6c, 0xfc]], // before its zip archives
  ["pickle", [0x80, 0x02]],
  ["pickle", [0x80, 0x03]],
  ["pickle", [0x80, 0x04]],
  ["pickle", [0x80, 0x05]],
  ["zip", [0x50, 0x4b, 0x03, 0x04]],
  ["numpy", [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]],
  ["arrow", [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31]], // ARROW1
  ["sqlite", [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20]],
];

/** What a file is, by its first bytes; null if it may be text. */
export function kindOfBinary(bytes: Uint8Array): BinaryKind | null {
  const starts = ([, signature]: (typeof SIGNATURES)[number]) =>
    signature.every((byte, i) => bytes[i] === byte);
  return SIGNATURES.find(starts)?.[0] ?? null;
}
