/**
 * The memory of an interpreter as it was at one moment, to be put back after each call. Its stack is left out: between
 * two calls nothing on it counts, and it is most of the bytes.
 */
export class MemoryState {
  #memory: WebAssembly.Memory;
  /** First and last byte of the stack: no other run of zeros is as long before anybody's code has been read. */
  #stack: readonly [number, number];
  #parts: { at: number; bytes: Uint8Array }[] = [];

  /** memory: of an interpreter that has read no code but ours. */
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

/** Up to the last byte that is not zero. */
function usedBytes(bytes: Uint8Array): number {
  const words = new Float64Array(bytes.buffer);
  let last = words.length;
  // -0 and subnormal numbers are no zeros of this comparison; they are no reason to stop early either.
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
