/**
 * Where a turn's value is read. At the state-end a turn critic gives it: V(s_h), before acting. At
 * the turn's end or as the mean over its tokens it is read off a token critic, whose prefixes hold
 * some of the action: such a value depends on more than the state, and biases the policy gradient.
 * Both are kept because published code does so.
 *
 * Sources: arXiv 2512.17008, sec. 2.3 (state-end); VAGEN's fork of verl,
 * compute_turn_wise_gae_advantage_return (turn-end); AgileRL agilerl/algorithms/ppo_llm.py,
 * turn_value_reduction "final_value" and "mean".
 */
import { segmentMean } from "../../numeric/segments.ts";
import type { Settings } from "../axes.ts";

export type ReadOff = Exclude<Settings["valueAt"], "state-end">;

/** One value per turn from values per token. value [N], tokens of each turn [K+1] -> [K] */
export function readTurnValues(valueAt: ReadOff, value: Float64Array, tokenStart: Int32Array) {
  if (valueAt === "turn-mean") return segmentMean(value, tokenStart);
  return Float64Array.from(tokenStart.subarray(1), (next) => value[next - 1]!); // [K]
}

/**
 * The transpose of `readTurnValues`: how much each token's value contributes to the turn's, times a
 * number per turn. It takes dL/dV of turns to dL/dV of tokens. perTurn [K] -> [N]
 */
export function spreadTurns(valueAt: ReadOff, perTurn: Float64Array, tokenStart: Int32Array) {
  const x = new Float64Array(tokenStart.at(-1)!); // [N]
  perTurn.forEach((g, k) => {
    const [from, to] = [tokenStart[k]!, tokenStart[k + 1]!];
    if (valueAt === "turn-end") x[to - 1] = g;
    else x.fill(g / (to - from), from, to);
  });
  return x;
}

/**
 * Targets of the tokens that are read: the turn's return at its last token, or at every token.
 * Tokens that are not read have none: NaN. turnReturn [K] -> [N]
 */
export function tokenTargets(valueAt: ReadOff, turnReturn: Float64Array, tokenStart: Int32Array) {
  const target = new Float64Array(tokenStart.at(-1)!).fill(NaN); // [N]
  turnReturn.forEach((R, k) => {
    const to = tokenStart[k + 1]!;
    target.fill(R, valueAt === "turn-end" ? to - 1 : tokenStart[k]!, to);
  });
  return target;
}
