/** A cache's slots in float16, as kernels keep them: word i of a slot of d numbers has number i, in its lower half, and i + d/2. */
import { fromHalf, toHalf } from "../../numeric/half.ts";

/** numbers [.., d] -> words [.., d/2] */
export function toHalfSlots(numbers: ArrayLike<number>, d: number): Int32Array {
  return Int32Array.from({ length: numbers.length / 2 }, (_, w) => {
    const at = Math.floor(w / (d / 2)) * d + (w % (d / 2));
    return toHalf(numbers[at]!) | (toHalf(numbers[at + d / 2]!) << 16);
  });
}

/** words [.., d/2] -> numbers [.., d] */
export function fromHalfSlots(words: Int32Array, d: number): Float64Array {
  return Float64Array.from({ length: words.length * 2 }, (_, i) => {
    const word = words[(Math.floor(i / d) * d) / 2 + (i % (d / 2))]!;
    return fromHalf((i % d < d / 2 ? word : word >>> 16) & 0xffff);
  });
}
