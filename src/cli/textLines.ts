/** The lines of a file or of bytes, one after the other, so that a log of any size is read in little memory. */
import { closeSync, openSync, readSync } from "node:fs";
import { InputError } from "../numeric/inputError.ts";

const CHUNK = 1 << 20;
/** An iteration with all its episodes takes a few MB. */
const LONGEST = 256 << 20;
const NEWLINE = 0x0a;

export interface TextLine {
  text: string;
  /** With its newline. */
  bytes: Uint8Array;
  /** Counted from 1. */
  number: number;
  /** Bytes up to and including its newline. */
  end: number;
  /** Whether it has its newline: the last line of a log may have been truncated by a kill. */
  whole: boolean;
}

/** The chunks of a file. */
export function* chunksOf(path: string): Generator<Buffer> {
  const file = openSync(path, "r");
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const size = readSync(file, chunk);
      if (size === 0) return;
      yield chunk.subarray(0, size);
    }
  } finally {
    closeSync(file);
  }
}

export function* textLines(chunks: Iterable<Uint8Array>): Generator<TextLine> {
  let held: Uint8Array[] = [];
  let [number, end] = [1, 0];
  const line = (whole: boolean): TextLine => {
    const bytes = Buffer.concat(held);
    held = [];
    end += bytes.length;
    if (bytes.length > LONGEST)
      throw new InputError(`line ${number} is longer than ${LONGEST >> 20} MiB`);
    const text = bytes.toString("utf8", 0, bytes.length - Number(whole));
    return { text, bytes, number: number++, end, whole };
  };
  for (const chunk of chunks) {
    let start = 0;
    for (let at; (at = chunk.indexOf(NEWLINE, start)) >= 0; start = at + 1) {
      held.push(chunk.subarray(start, at + 1));
      yield line(true);
    }
    if (start < chunk.length) held.push(chunk.subarray(start));
  }
  if (held.length > 0) yield line(false);
}
