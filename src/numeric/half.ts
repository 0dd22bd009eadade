/** Float16: 1 bit for the sign, 5 for the exponent, 10 for the fraction. (IEEE 754, binary16) */

/** Exact. */
export function fromHalf(h: number): number {
  const sign = h & 0x8000 ? -1 : 1;
  const exponent = (h >> 10) & 31;
  const fraction = h & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  // All factors are powers of two, so nothing rounds.
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** The nearest 16-bit number; beyond 65504 infinite. */
export function toHalf(x: number): number {
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const size = Math.abs(x);
  // Numbers below 2^-14 keep the step of 2^-14.
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  const step = 2 ** (exponent - 10);
  const steps = nearestEven(size / step);
  if (steps * step > 65504) return sign | 0x7c00;
  // A fraction that rounds up to 2048 carries into the exponent automatically.
  return sign | (exponent === -14 ? steps : ((exponent + 15) << 10) + (steps - 1024));
}

function nearestEven(x: number): number {
  const below = Math.floor(x);
  const rest = x - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
}
