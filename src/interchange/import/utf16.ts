/** Text in UTF-16, as the > of PowerShell, Excel and some editors write it. */

type ByteOrder = "utf-16le" | "utf-16be";

/** By the mark at the start, or where that is missing by the zeros of two plain letters (RFC 4627, 3); null for other bytes. */
export function utf16In([a, b, c, d]: Uint8Array): ByteOrder | null {
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? null : "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (isPlain(a) && b === 0 && isPlain(c) && d === 0) return "utf-16le";
  return a === 0 && isPlain(b) && c === 0 && isPlain(d) ? "utf-16be" : null;
}

const isPlain = (byte = 0) => /[\t\n\r -~]/.test(String.fromCharCode(byte));

/** The same text in UTF-8, piece by piece and without its mark; half a character becomes U+FFFD. */
export function* asUtf8(chunks: Iterable<Uint8Array>, order: ByteOrder): Generator<Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(order), new TextEncoder()];
  for (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}
