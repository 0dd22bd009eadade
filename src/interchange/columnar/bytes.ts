/**
 * Numbers as bytes in planes: all lowest bytes first, then all next ones. Bytes of the same
 * significance are similar, so they compress better than whole numbers. Little-endian, whatever the
 * machine's byte order.
 */
import { InputError } from "../../numeric/inputError.ts";

export type Width = 1 | 2 | 4 | 8;

export class ByteWriter {
  #parts: Uint8Array[] = [];
  #length = 0;

  bytes(part: Uint8Array): void {
    this.#parts.push(part);
    this.#length += part.length;
  }

  /** Words of this many bytes each, as they are in memory. [n * width] */
  planes(words: Uint8Array, width: Width): void {
    const n = words.length / width;
    const out = new Uint8Array(words.length);
    for (let b = 0; b < width; b++)
      for (let i = 0; i < n; i++) out[b * n + i] = words[i * width + b]!;
    this.bytes(out);
  }

  get whole(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

export class ByteReader {
  #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** @throws InputError if fewer bytes are left. */
  bytes(count: number): Uint8Array {
    const end = this.#at + count;
    if (!(count >= 0 && end <= this.#bytes.length))
      throw new InputError("the columns end too early");
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  /** The words of `ByteWriter.planes`, aligned. [n * width] */
  planes(n: number, width: Width): ArrayBuffer {
    const planes = this.bytes(n * width);
    const words = new Uint8Array(n * width);
    for (let b = 0; b < width; b++)
      for (let i = 0; i < n; i++) words[i * width + b] = planes[b * n + i]!;
    return words.buffer;
  }

  /** @throws InputError if bytes are left over. */
  end(): void {
    if (this.#at !== this.#bytes.length) throw new InputError("extra bytes follow the last column");
  }
}
