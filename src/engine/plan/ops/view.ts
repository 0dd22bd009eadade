/** Operands of an operation: ranges of 32-bit words of a store. */

/** Views start at multiples of this many words: 256 bytes, WebGPU's largest minStorageBufferOffsetAlignment. */
export const ALIGN = 64;

export interface BufferView {
  /** "arena", "input", "output", or a store that outlives the run, e.g. "params". */
  store: string;
  /** In words. */
  offset: number;
  /** In words. */
  size: number;
  /** Two numbers in each word, as BF16; the first in the lower half. Absent: a number is a word. */
  packed?: "bf16";
}
