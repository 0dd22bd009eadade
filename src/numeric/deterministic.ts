/**
 * Elementary functions using only IEEE + - * / and sqrt, so that every browser and machine gives
 * the same bits. `Math.exp` and its relatives differ between engines; ECMAScript leaves their last
 * bits open.
 *
 * The polynomials and argument reductions are those of FreeBSD's msun, which descend from:
 *
 *   Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
 *   Developed at SunPro, a Sun Microsystems, Inc. business.
 *   Permission to use, copy, modify, and distribute this software is freely granted,
 *   provided that this notice is preserved.
 *
 * Errors stay below 1 ulp except where a function says otherwise.
 */
const LN2_HI = 6.9314718036912381649e-1; // the upper 33 bits of ln 2
const LN2_LO = 1.90821492927058770002e-10;
const INV_LN2 = 1.442695040888963387;

/** 2^k for k in -1022 .. 1023, by exact halving and doubling. */
const POW2 = powersOfTwo(); // [2046]

function powersOfTwo(): Float64Array {
  const table = new Float64Array(2046);
  table[1022] = 1;
  for (let k = 1; k <= 1023; k++) table[1022 + k] = table[1021 + k]! * 2;
  for (let k = 1; k <= 1022; k++) table[1022 - k] = table[1023 - k]! / 2;
  return table;
}

/** x * 2^k for k in -2044 .. 2046, rounded once (results may be subnormal or infinite). */
function scale(x: number, k: number): number {
  if (k > 1023) return x * POW2[2045]! * POW2[1022 + k - 1023]!;
  if (k >= -1022) return x * POW2[1022 + k]!;
  // A first exact step keeps x normal, so that only the last product rounds.
  return x * POW2[1022 + k + 969]! * POW2[1022 - 969]!;
}

/** e^x. */
export function exp(x: number): number {
  if (x !== x) return x;
  if (x > 709.782712893383973096) return Infinity;
  if (x < -745.13321910194110842) return 0;
  const k = Math.abs(x) > 0.34657359027997264 ? Math.floor(x * INV_LN2 + 0.5) : 0;
  const hi = x - k * LN2_HI;
  const lo = k * LN2_LO;
  const r = hi - lo;
  const rr = r * r;
  const c =
    r -
    rr *
      (1.66666666666666019037e-1 +
        rr *
          (-2.77777777770155933842e-3 +
            rr *
              (6.61375632143793436117e-5 +
                rr * (-1.6533902205465251539e-6 + rr * 4.13813679705723846039e-8))));
  const y = 1 + ((r * c) / (2 - c) - lo + hi);
  return k === 0 ? y : scale(y, k);
}

/** e^x - 1, accurate near 0. */
export function expm1(x: number): number {
  if (x !== x || x === 0) return x;
  if (x > 709.782712893383973096) return Infinity;
  if (x < -38.816242111356935) return -1; // below -56 ln 2 the result rounds to -1
  const ax = Math.abs(x);
  if (ax < 5.551115123125783e-17) return x;
  let k = 0;
  if (ax > 1.0397207708399179) k = Math.trunc(x * INV_LN2 + (x < 0 ? -0.5 : 0.5));
  else if (ax > 0.34657359027997264) k = x < 0 ? -1 : 1;
  const hi = x - k * LN2_HI;
  const lo = k * LN2_LO;
  const r = hi - lo;
  return expm1Reduced(r, hi - r - lo, k);
}

/** e^(k ln 2 + r + c) - 1 for |r| at most half of ln 2, c the rounding error of r. */
function expm1Reduced(r: number, c: number, k: number): number {
  const hfx = 0.5 * r;
  const hxs = r * hfx;
  const r1 =
    1 +
    hxs *
      (-3.33333333333331316428e-2 +
        hxs *
          (1.58730158725481460165e-3 +
            hxs *
              (-7.93650757867487942473e-5 +
                hxs * (4.00821782732936239552e-6 + hxs * -2.01099218183624371326e-7))));
  const t = 3 - r1 * hfx;
  let e = hxs * ((r1 - t) / (6 - r * t));
  if (k === 0) return r - (r * e - hxs);
  e = r * (e - c) - c - hxs;
  if (k === -1) return 0.5 * (r - e) - 0.5;
  if (k === 1) return r < -0.25 ? -2 * (e - (r + 0.5)) : 1 + 2 * (r - e);
  if (k < 0 || k > 56) return scale(r - e + 1, k) - 1;
  return k < 20 ? scale(r - e + (1 - scale(1, -k)), k) : scale(r - (e + scale(1, -k)) + 1, k);
}

const bits = new DataView(new ArrayBuffer(8));

/** x = f * 2^k with f in [sqrt(1/2), sqrt(2)), for positive finite x. */
function splitExponent(x: number): { f: number; k: number } {
  const subnormal = x < 2.2250738585072014e-308;
  bits.setFloat64(0, subnormal ? x * 18014398509481984 : x);
  const high = bits.getUint32(0);
  const k = (high >>> 20) - 1023 - (subnormal ? 54 : 0);
  bits.setUint32(0, (high & 0xfffff) | 0x3ff00000);
  const f = bits.getFloat64(0); // in [1, 2)
  return f > 1.4142135623730951 ? { f: f / 2, k: k + 1 } : { f, k };
}

/** Natural logarithm; log(0) = -Infinity, log of a negative number = NaN. */
export function log(x: number): number {
  if (x !== x || x < 0) return NaN;
  if (x === 0) return -Infinity;
  if (x === Infinity) return x;
  const { f: m, k } = splitExponent(x);
  const f = m - 1;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even =
    w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1));
  const odd =
    z *
    (6.66666666666673513e-1 +
      w * (2.857142874366239149e-1 + w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)));
  const hfsq = 0.5 * f * f;
  return s * (hfsq + (odd + even)) + k * LN2_LO - hfsq + f + k * LN2_HI;
}

/** Hyperbolic tangent; within 2 ulp. */
export function tanh(x: number): number {
  if (x !== x || x === 0) return x;
  const ax = Math.abs(x);
  let y = 1;
  if (ax < 2.7755575615628914e-17) y = ax;
  else if (ax < 1) y = minusOverPlusTwo(expm1(-2 * ax));
  else if (ax < 22) y = 1 - 2 / (expm1(2 * ax) + 2);
  return x < 0 ? -y : y;
}

/** -t / (t + 2): tanh(x) for t = e^(-2x) - 1. */
function minusOverPlusTwo(t: number): number {
  return -t / (t + 2);
}

/** 1 / (1 + e^-x); within 2 ulp. */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + exp(-x));
  const e = exp(x);
  return e / (1 + e);
}

/**
 * The sine of x radians. Throws RangeError beyond +-2^20, where the reduction loses its accuracy.
 */
export function sin(x: number): number {
  const { quadrant, y, tail } = reduce(x);
  const value = quadrant & 1 ? kernelCos(y, tail) : kernelSin(y, tail);
  return quadrant & 2 ? -value : value;
}

/**
 * The cosine of x radians. Throws RangeError beyond +-2^20, where the reduction loses its accuracy.
 */
export function cos(x: number): number {
  const { quadrant, y, tail } = reduce(x);
  const value = quadrant & 1 ? kernelSin(y, tail) : kernelCos(y, tail);
  return quadrant === 1 || quadrant === 2 ? -value : value;
}

// pi/2 in four pieces of 33 bits, so that a piece times the quadrant count is exact; *_T is what
// remains.
const PIO2_1 = 1.57079632673412561417;
const PIO2_1T = 6.07710050650619224932e-11;
const PIO2_2 = 6.0771005063039659766e-11;
const PIO2_2T = 2.02226624879595063154e-21;
const PIO2_3 = 2.0222662487111664558e-21;
const PIO2_3T = 8.47842766036889956997e-32;

/** x = n pi/2 + y + tail with |y| at most about pi/4; quadrant = n mod 4. */
function reduce(x: number): { quadrant: number; y: number; tail: number } {
  if (x !== x || x === Infinity || x === -Infinity) return { quadrant: 0, y: NaN, tail: 0 };
  if (Math.abs(x) > 1048576) throw new RangeError(`angle ${x} is beyond 2^20 radians`);
  if (Math.abs(x) <= 0.7853981633974483) return { quadrant: 0, y: x, tail: 0 };
  const n = Math.floor(x * 6.36619772367581382433e-1 + 0.5);
  let r = x - n * PIO2_1;
  let w = n * PIO2_1T;
  let y = r - w;
  // Near a multiple of pi/2 the difference cancels, and further pieces of pi/2 count.
  if (Math.abs(y) < Math.abs(x) * 1.52587890625e-5) {
    const t = r;
    w = n * PIO2_2;
    r = t - w;
    w = n * PIO2_2T - (t - r - w);
    y = r - w;
    if (Math.abs(y) < Math.abs(x) * 1.7763568394002505e-15) {
      const t2 = r;
      w = n * PIO2_3;
      r = t2 - w;
      w = n * PIO2_3T - (t2 - r - w);
      y = r - w;
    }
  }
  return { quadrant: n & 3, y, tail: r - y - w };
}

/** sin(x + tail) for |x| at most pi/4. */
function kernelSin(x: number, tail: number): number {
  if (Math.abs(x) < 7.450580596923828e-9) return x; // keeps -0 and subnormals
  const z = x * x;
  const v = z * x;
  const r =
    8.33333333332248946124e-3 +
    z *
      (-1.98412698298579493134e-4 +
        z *
          (2.75573137070700676789e-6 +
            z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)));
  return x - (z * (0.5 * tail - v * r) - tail - v * -1.66666666666666324348e-1);
}

/** cos(x + tail) for |x| at most pi/4. */
function kernelCos(x: number, tail: number): number {
  const z = x * x;
  const r =
    z *
    (4.16666666666666019037e-2 +
      z *
        (-1.38888888888741095749e-3 +
          z *
            (2.48015872894767294178e-5 +
              z *
                (-2.75573143513906633035e-7 +
                  z * (2.0875723212981748279e-9 + z * -1.13596475577881948265e-11)))));
  const hz = 0.5 * z;
  const w = 1 - hz;
  return w + (1 - w - hz + (z * r - x * tail));
}

/** x^n for an integer n, by repeated squaring; about log2(n) roundings. */
export function powInt(x: number, n: number): number {
  if (!Number.isInteger(n)) throw new RangeError(`exponent ${n} is not a whole number`);
  let result = 1;
  for (let base = x, m = Math.abs(n); m > 0; m = Math.floor(m / 2), base *= base) {
    if (m % 2 === 1) result *= base;
  }
  return n < 0 ? 1 / result : result;
}

/** log(sum(e^x)), shifted by the maximum so that nothing overflows; -Infinity for no values. */
export function logSumExp(x: ArrayLike<number>): number {
  let max = -Infinity;
  for (let i = 0; i < x.length; i++) if (x[i]! > max || x[i] !== x[i]) max = x[i]!;
  if (max === Infinity || max === -Infinity || max !== max) return max;
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += exp(x[i]! - max);
  return max + log(sum);
}

/** e^x / sum(e^x), shifted by the maximum. [n] -> [n] */
export function softmax(x: ArrayLike<number>): Float64Array {
  let max = -Infinity;
  for (let i = 0; i < x.length; i++) if (x[i]! > max) max = x[i]!;
  const p = new Float64Array(x.length); // [n]
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += p[i] = exp(x[i]! - max);
  return p.map((e) => e / sum);
}
