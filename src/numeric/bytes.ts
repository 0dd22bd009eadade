/** Bytes without garbage. */

const encoder = new TextEncoder();
/** One for all: a buffer for each text would be as much garbage as there is text. */
const scratch = new Uint8Array(1 << 16);

/** Bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length;) {
    const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), scratch);
    at += read;
    length += written;
  }
  return length;
}

/** In browsers of 2024 and later. */
type Freeable = ArrayBuffer & { transfer?(length: number): ArrayBuffer };

/** Frees them at once, not at the next collection: from then on they are empty. */
export function freeBytes({ buffer }: Uint8Array<ArrayBuffer>): void {
  (buffer as Freeable).transfer?.(0);
}
