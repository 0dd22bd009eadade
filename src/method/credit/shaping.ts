/**
 * Potential-based reward shaping: F(s, s') = gamma Phi(s') - Phi(s), with Phi = 0 after an
 * episode's end. Along a trajectory the discounted sum of F is -Phi(s_0), whatever was done, so
 * every policy's return from a state moves by the same amount and the optimal policies stay exactly
 * those they were, for any Phi.
 *
 * The zero at the end is needed: a policy could else earn by ending where Phi is high. A turn limit
 * that the state shows (our queries do) is an end like any other; only an episode that continues
 * after the limit, which a critic values by V of its last state, keeps Phi there.
 *
 * Sources: Ng, Harada, Russell, ICML 1999, theorem 1; Grzes, AAMAS 2017, sec. 3 (ends of episodes).
 */
export interface ShapingInput {
  /** Phi of the state before each turn. [K] */
  potential: Float64Array;
  /** Phi of the state after each trajectory's last turn; 0 if nothing comes after it. [B] */
  finalPotential: Float64Array;
  /** [B+1] */
  turnStart: Int32Array;
  /** Discount from turn to turn, or from token to token in `tokenShaping`. */
  gamma: number;
}

/** F of each turn. [K] */
export function turnShaping(input: ShapingInput): Float64Array {
  const { potential, gamma } = input;
  return potentialAfter(input).map((after, k) => gamma * after - potential[k]!); // [K]
}

/**
 * F of each token where the discount is per token: the potential stays Phi(s_h) within turn h and
 * changes at its last token. With gamma 1 only that token has a reward. tokenStart [K+1] -> [N]
 */
export function tokenShaping(input: ShapingInput, tokenStart: Int32Array): Float64Array {
  const { potential, gamma } = input;
  const shaping = new Float64Array(tokenStart.at(-1)!); // [N]
  potentialAfter(input).forEach((after, k) => {
    const last = tokenStart[k + 1]! - 1;
    shaping.fill(gamma * potential[k]! - potential[k]!, tokenStart[k]!, last);
    shaping[last] = gamma * after - potential[k]!;
  });
  return shaping;
}

/** Phi of the state after each turn. [K] */
export function potentialAfter({
  potential,
  finalPotential,
  turnStart,
}: Omit<ShapingInput, "gamma">): Float64Array {
  const after = new Float64Array(potential.length); // [K]
  after.set(potential.subarray(1));
  for (let b = 0; b < finalPotential.length; b++) {
    if (turnStart[b + 1]! > turnStart[b]!) after[turnStart[b + 1]! - 1] = finalPotential[b]!;
  }
  return after;
}
