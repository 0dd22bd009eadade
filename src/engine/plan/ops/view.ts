/** Operands of an operation: ranges of 32-bit words of a store. */

import type { Packing } from "../../modelConfig.ts";

/** Views start at multiples of this many words: 256 bytes, WebGPU's largest minStorageBufferOffsetAlignment. */
export const ALIGN = 64;

export interface BufferView {
  /** "arena", "input", "output", or a store that outlives the run, e.g. "params". */
  store: string;
  /** In words. */
  offset: number;
  /** In words. */
  size: number;
  /** Several numbers in each word, the first in its lowest bits. Absent: a number is a word. */
  packed?: Packing;
}

export const PER_WORD: Readonly<Record<Packing, number>> = { bf16: 2, int8: 4 };
