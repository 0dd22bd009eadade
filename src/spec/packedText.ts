/** A string as one short word of an address: deflated, in base64url. */
import { Inflate, deflateSync, strFromU8, strToU8 } from "fflate";
import { base64urlToBytes, bytesToBase64url } from "../numeric/base64.ts";
import { InputError } from "../numeric/inputError.ts";

/** Bytes inflated at once: at most a thousand times as many come out. */
const PIECE = 1024;

export function packText(text: string): string {
  const bytes = deflateSync(strToU8(text), { level: 9 });
  return bytesToBase64url(bytes);
}

/**
 * The string of a word. `what` starts the error sentence if it is invalid, or would exceed
 * `mostBytes`, at which inflating stops. @throws InputError
 */
export function unpackText(word: string, mostBytes: number, what: string): string {
  try {
    return strFromU8(inflated(base64urlToBytes(word), mostBytes, what));
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${what} cannot be read: the address is damaged or cut short`);
  }
}

function inflated(bytes: Uint8Array, mostBytes: number, what: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  const stream = new Inflate((part) => {
    size += part.length;
    if (size > mostBytes) throw new InputError(`${what} is larger than ${mostBytes} bytes`);
    parts.push(part);
  });
  // In small pieces: fflate inflates a whole piece before it returns any of it.
  for (let at = 0; at < bytes.length; at += PIECE)
    stream.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length);
  if (bytes.length === 0) throw new InputError(`${what} is empty`);
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
