/**
 * A snapshot of an interpreter's memory, restored after each call. The stack is left out: between
 * two calls nothing on it matters, and it is most of the bytes.
 */
export class MemoryState {
  #memory: WebAssembly.Memory;
  /** First and last byte of the stack: the longest run of zeros before any user code has been read. */
  #stack: readonly [number, number];
  #parts: { at: number; bytes: Uint8Array }[] = [];

  /** memory: of an interpreter that has read only our own code. */
  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
    this.#stack = longestZeros(new Uint8Array(memory.buffer));
  }

  keep(): void {
    const bytes = new Uint8Array(this.#memory.buffer);
    const [from, to] = this.#stack;
    const parts = [
      { at: 0, bytes: bytes.slice(0, from) },
      { at: to, bytes: bytes.slice(to, usedBytes(bytes)) },
    ];
    this.#parts = parts;
  }

  restore(): void {
    const now = new Uint8Array(this.#memory.buffer);
    for (const { at, bytes } of this.#parts) now.set(bytes, at);
  }
}

const PAGE = 1024;

/** Length up to the last nonzero byte. */
function usedBytes(bytes: Uint8Array): number {
  const words = new Float64Array(bytes.buffer);
  let last = words.length;
  // This comparison treats -0 and subnormal numbers as nonzero; that does not stop it early.
  while (last > 0 && Object.is(words[last - 1], 0)) last -= 1;
  return last * 8;
}

/** The longest run of pages of zeros below the last used byte. [from, to) */
function longestZeros(bytes: Uint8Array): readonly [number, number] {
  const used = usedBytes(bytes);
  let best: readonly [number, number] = [0, 0];
  let from = 0;
  for (let at = 0; at + PAGE <= used; at += PAGE) {
    if (bytes.subarray(at, at + PAGE).some((byte) => byte !== 0)) from = at + PAGE;
    else if (at + PAGE - from > best[1] - best[0]) best = [from, at + PAGE];
  }
  return best;
}
