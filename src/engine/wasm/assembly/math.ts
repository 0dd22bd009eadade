/**
 * Elementary functions using only IEEE + - * / and sqrt, so that every machine gives the same bits:
 * exp on four floats, and the float64 exp and log of src/numeric/deterministic.ts (FreeBSD msun;
 * see the notice there), bit for bit.
 */

const LOG2_E: f32 = 1.44269504088896341;
/** ln 2 in two parts, the first short enough that n * LN2_HIGH is exact for the n that occur. */
const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.1219444e-4;

/** 1.5 * 2^23: added to a float below 2^22, it leaves the nearest integer (ties to even) in the low bits. */
const TO_INTEGER: f32 = 12582912;

/** e^x of four floats, within about 2 ulp (Cephes expf); 0 below -87.3, clamped at 88.3; NaN stays NaN. */
export function exp4(x: v128): v128 {
  const floor = f32x4.splat(-87.3);
  // pmin and pmax are one instruction each, and keep a NaN that comes first.
  const inside = f32x4.pmax(f32x4.pmin(x, f32x4.splat(88.3)), floor);
  const integer = f32x4.splat(TO_INTEGER);
  const shifted = f32x4.add(f32x4.mul(inside, f32x4.splat(LOG2_E)), integer);
  const n = f32x4.sub(shifted, integer);
  let r = f32x4.sub(inside, f32x4.mul(n, f32x4.splat(LN2_HIGH)));
  r = f32x4.sub(r, f32x4.mul(n, f32x4.splat(LN2_LOW)));
  let y = f32x4.splat(1.98756915e-4);
  y = f32x4.add(f32x4.mul(y, r), f32x4.splat(1.3981999507e-3));
  y = f32x4.add(f32x4.mul(y, r), f32x4.splat(8.3334519073e-3));
  y = f32x4.add(f32x4.mul(y, r), f32x4.splat(4.1665795894e-2));
  y = f32x4.add(f32x4.mul(y, r), f32x4.splat(1.6666665459e-1));
  y = f32x4.add(f32x4.mul(y, r), f32x4.splat(5.0000001201e-1));
  y = f32x4.add(f32x4.add(f32x4.mul(f32x4.mul(y, r), r), r), f32x4.splat(1));
  const exponent = i32x4.shl(i32x4.add(shifted, i32x4.splat(127)), 23);
  const scaled = f32x4.mul(y, exponent);
  return v128.andnot(scaled, f32x4.lt(x, floor));
}

/** e^x, by the same arithmetic. */
export function exp1(x: f32): f32 {
  return f32x4.extract_lane(exp4(f32x4.splat(x)), 0);
}

/** 1 / (1 + e^-x) of four floats. */
export function sigmoid4(x: v128): v128 {
  const one = f32x4.splat(1);
  return f32x4.div(one, f32x4.add(one, exp4(f32x4.neg(x))));
}

/** (x0 + x2) + (x1 + x3): the order in which four lanes are summed, everywhere. */
export function sum4(x: v128): f32 {
  const low = f32x4.extract_lane(x, 0) + f32x4.extract_lane(x, 2);
  return low + (f32x4.extract_lane(x, 1) + f32x4.extract_lane(x, 3));
}

export function max4(x: v128): f32 {
  const low = max(f32x4.extract_lane(x, 0), f32x4.extract_lane(x, 2));
  return max(low, max(f32x4.extract_lane(x, 1), f32x4.extract_lane(x, 3)));
}

/** a . b over n floats. */
export function dot(a: usize, b: usize, n: i32): f32 {
  let sum = f32x4.splat(0);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const at = (<usize>i) << 2;
    sum = f32x4.add(sum, f32x4.mul(v128.load(a + at), v128.load(b + at)));
  }
  let total = sum4(sum);
  for (; i < n; i++) {
    const at = (<usize>i) << 2;
    total += load<f32>(a + at) * load<f32>(b + at);
  }
  return total;
}

/** 2^k for k in -1022 .. 1023. */
function pow2(k: i32): f64 {
  return reinterpret<f64>((<i64>(k + 1023)) << 52);
}

/** x * 2^k, rounded once. */
function scale2(x: f64, k: i32): f64 {
  if (k > 1023) return x * pow2(1023) * pow2(k - 1023);
  if (k >= -1022) return x * pow2(k);
  return x * pow2(k + 969) * pow2(-969);
}

/** e^x, as in numeric/deterministic. */
export function exp64(x: f64): f64 {
  if (x != x) return x;
  if (x > 709.782712893383973096) return Infinity;
  if (x < -745.13321910194110842) return 0;
  const k = <i32>(abs(x) > 0.34657359027997264 ? floor(x * 1.442695040888963387 + 0.5) : 0);
  const hi = x - <f64>k * 6.9314718036912381649e-1;
  const lo = <f64>k * 1.90821492927058770002e-10;
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
  return k == 0 ? y : scale2(y, k);
}

/** Natural logarithm, as in numeric/deterministic. */
export function log64(x: f64): f64 {
  if (x != x || x < 0) return NaN;
  if (x == 0) return -Infinity;
  if (x == Infinity) return x;
  const subnormal = x < 2.2250738585072014e-308;
  const bits = reinterpret<u64>(subnormal ? x * 18014398509481984 : x);
  let k = <i32>(bits >> 52) - 1023 - (subnormal ? 54 : 0);
  let m = reinterpret<f64>((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  if (m > 1.4142135623730951) {
    m = m / 2;
    k++;
  }
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
  const kk = <f64>k;
  return (
    s * (hfsq + (odd + even)) +
    kk * 1.90821492927058770002e-10 -
    hfsq +
    f +
    kk * 6.9314718036912381649e-1
  );
}
