/** BF16: the upper half of a float32. */

/** To the nearest, ties to even. `into` begins at the first number and may be longer. */
export function toBfloats(data: Float32Array, into: Uint16Array): void {
  const bits = new Uint32Array(data.buffer, data.byteOffset, data.length);
  for (let i = 0; i < bits.length; i++) {
    const b = bits[i]!;
    into[i] = (b + 0x7fff + ((b >>> 16) & 1)) >>> 16;
  }
}

/** Exact. `into`: as many numbers; absent: a new array. */
export function fromBfloats(
  half: Uint16Array,
  into: Float32Array = new Float32Array(half.length),
): Float32Array {
  const bits = new Uint32Array(into.buffer, into.byteOffset, into.length);
  for (let i = 0; i < half.length; i++) bits[i] = half[i]! << 16;
  return into;
}
