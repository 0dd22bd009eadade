/** SHA-256 as lower-case hex: of bytes by the platform if available (a page served without HTTPS lacks it). */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (!subtle) return bytesToHex(sha256(bytes));
  return bytesToHex(new Uint8Array(await subtle.digest("SHA-256", bytes as BufferSource)));
}

/** Of a string, synchronously: for short strings. */
export function sha256OfText(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}

/** Of bytes that arrive in parts and are never in memory together. */
export async function sha256OfParts(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = sha256.create();
  for await (const part of parts) hash.update(part);
  return bytesToHex(hash.digest());
}
