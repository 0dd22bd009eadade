/** The Mersenne Twister MT19937, used by both CPython's `random` and NumPy's legacy generator. */
const N = 624;
const M = 397;

type Draw32 = () => number;

/** State after Matsumoto and Nishimura's `init_genrand`. */
function initGenrand(seed: number): Uint32Array {
  const state = new Uint32Array(N);
  state[0] = seed;
  for (let i = 1; i < N; i++) {
    const x = state[i - 1]! ^ (state[i - 1]! >>> 30);
    state[i] = Math.imul(1812433253, x) + i;
  }
  return state;
}

/** State after their `init_by_array`. */
function initByArray(key: readonly number[]): Uint32Array {
  const state = initGenrand(19650218);
  let i = 1;
  const mix = (factor: number, add: number) => {
    const x = state[i - 1]! ^ (state[i - 1]! >>> 30);
    state[i] = (state[i]! ^ Math.imul(x, factor)) + add;
    if (++i === N) {
      state[0] = state[N - 1]!;
      i = 1;
    }
  };
  for (let k = 0; k < Math.max(N, key.length); k++) {
    const j = k % key.length;
    mix(1664525, key[j]! + j);
  }
  for (let k = 0; k < N - 1; k++) mix(1566083941, -i);
  state[0] = 0x80000000;
  return state;
}

function twist(state: Uint32Array): void {
  for (let i = 0; i < N; i++) {
    const y = (state[i]! & 0x80000000) | (state[(i + 1) % N]! & 0x7fffffff);
    state[i] = state[(i + M) % N]! ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
  }
}

function drawer(state: Uint32Array): Draw32 {
  let index = N;
  return () => {
    if (index === N) {
      twist(state);
      index = 0;
    }
    let y = state[index++]!;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  };
}

/** 32-bit draws after seeding with one 32-bit number (NumPy's legacy seeding). */
function twisterFromSeed(seed: number): Draw32 {
  return drawer(initGenrand(seed));
}

/** 32-bit draws after seeding with an array of 32-bit numbers (CPython's seeding). */
export function twisterFromArray(key: readonly number[]): Draw32 {
  return drawer(initByArray(key));
}

/**
 * `np.random.seed(seed)`, then `np.random.randint(n)` of NumPy's legacy generator (numpy
 * `random/_bounded_integers`): integers in 0..n-1 by masked rejection; n = 1 draws nothing.
 */
export function numpyRandint(seed: number): (n: number) => number {
  const draw = twisterFromSeed(seed);
  return (n) => {
    if (n === 1) return 0;
    const mask = 0xffffffff >>> Math.clz32(n - 1);
    let value = (draw() & mask) >>> 0;
    while (value > n - 1) value = (draw() & mask) >>> 0;
    return value;
  };
}
