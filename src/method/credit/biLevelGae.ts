/**
 * Bi-level GAE. GAE over turns, with V read before each turn's last token, gives every turn a
 * return; inside a turn, GAE over its tokens leads towards that return, which is paid at the turn's
 * last token with nothing after it.
 *
 * Source: VAGEN, arXiv 2510.16907; RAGEN ragen/trainer/core_algos.py and VAGEN's fork of verl,
 * compute_bi_level_gae_advantage_return.
 */
import { gae, type Gae } from "./gae.ts";

export interface BiLevelInput {
  /** [N] */
  reward: Float64Array;
  /** V of the prefix before the token. [N] */
  value: Float64Array;
  /** Turns of each trajectory. [B+1] */
  turnStart: Int32Array;
  /** Tokens of each turn. [K+1] */
  tokenStart: Int32Array;
  /** V after the last turn, 0 where the episode ended there. [B] */
  bootstrap: Float64Array;
  gamma: number;
  lambda: number;
  /** Discount per turn; lambda is the same at both levels. */
  gammaTurn: number;
}

/** GAE of both levels. */
export interface BiLevel extends Gae {
  /** Of turns. [K] */
  turns: Gae;
}

/** Advantages, returns and TD errors of every token; an advantage is towards the turn's return. */
export function twoLevelGae(input: BiLevelInput): BiLevel {
  const { reward, value, turnStart, tokenStart, bootstrap, gamma, lambda, gammaTurn } = input;
  const ends = tokenStart.slice(1).map((next) => next - 1); // [K]
  const atEnds = (x: Float64Array) => Float64Array.from(ends, (t) => x[t]!); // [K]
  const turns = gae({
    reward: atEnds(reward),
    value: atEnds(value),
    start: turnStart,
    bootstrap,
    gamma: gammaTurn,
    lambda,
  });
  const paid = reward.slice(); // [N]
  ends.forEach((t, k) => (paid[t] = turns.ret[k]!));
  const nothing = new Float64Array(ends.length); // [K]
  const tokens = gae({ reward: paid, value, start: tokenStart, bootstrap: nothing, gamma, lambda });
  return { ...tokens, turns };
}

/** Turns as RAGEN's code finds them. */
export interface Turns {
  /** [B+1] */
  turnStart: Int32Array;
  /** [K'+1] */
  tokenStart: Int32Array;
}

/**
 * Turns that end at each token with a reward other than 0: one that is paid nothing runs on into
 * the next. RAGEN's code fails with an IndexError on a trajectory whose last token has no reward;
 * here its last token ends a turn whatever it is paid. reward [N], tokens of each trajectory [B+1]
 */
export function turnsByReward(reward: Float64Array, start: Int32Array): Turns {
  const turnStart = [0]; // [B+1]
  const tokenStart = [0]; // [K'+1]
  for (let b = 0; b < start.length - 1; b++) {
    for (let t = start[b]!; t < start[b + 1]!; t++) {
      if (reward[t] !== 0 || t === start[b + 1]! - 1) tokenStart.push(t + 1);
    }
    turnStart.push(tokenStart.length - 1);
  }
  return { turnStart: Int32Array.from(turnStart), tokenStart: Int32Array.from(tokenStart) };
}
