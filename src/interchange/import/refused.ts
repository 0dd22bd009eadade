/** What cannot be shown, and what to do about it. */
import { words } from "./words.ts";

/** Places named of those that could not be read. */
export const MOST_PLACES = 3;

/** A file that cannot be shown: why, and what to do about it. */
export class RefusedError extends Error {
  readonly action: string;

  /** `where`: a sentence on the place in the file, where there is one. */
  constructor([why, action]: readonly [string, string], where = "") {
    super(where === "" ? why : `${why} ${where}`);
    this.name = "RefusedError";
    this.action = action;
  }
}

/** Kinds of file that are known by their first bytes and cannot be read as text. */
const SIGNATURES: readonly [kind: "zipped" | "parquet" | "pickle", bytes: readonly number[]][] = [
  ["zipped", [0x1f, 0x8b]], // gzip
  ["zipped", [0x28, 0xb5, 0x2f, 0xfd]], // Zstandard
  ["parquet", [0x50, 0x41, 0x52, 0x31]], // PAR1
  ["pickle", [0x80, 0x02]],
  ["pickle", [0x80, 0x03]],
  ["pickle", [0x80, 0x04]],
  ["pickle", [0x80, 0x05]],
  // torch.save writes a pickle in a zip archive; a plain archive has to be unpacked all the same.
  ["zipped", [0x50, 0x4b, 0x03, 0x04]],
];

/** @throws RefusedError saying what to do instead. */
export function refuseBinary(bytes: Uint8Array): void {
  const found = SIGNATURES.find(([, signature]) => signature.every((byte, i) => bytes[i] === byte));
  if (found) throw new RefusedError(words.refused[found[0]]);
}
