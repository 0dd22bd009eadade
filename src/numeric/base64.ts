/** Bytes as text: base64, and base64url without padding for addresses (RFC 4648, sections 4 and 5). */
import { textOfCodes } from "./lists.ts";

export function bytesToBase64(bytes: Uint8Array): string {
  return btoa(textOfCodes(bytes));
}

/** @throws DOMException if the text is not base64 */
export function base64ToBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

const DIGITS: Readonly<Record<string, string>> = { "+": "-", "/": "_", "=": "", "-": "+", _: "/" };

export function bytesToBase64url(bytes: Uint8Array): string {
  return bytesToBase64(bytes).replace(/[+/=]/g, (digit) => DIGITS[digit]!);
}

/** @throws DOMException if the text is not base64url */
export function base64urlToBytes(text: string): Uint8Array<ArrayBuffer> {
  return base64ToBytes(text.replace(/[-_]/g, (digit) => DIGITS[digit]!));
}
