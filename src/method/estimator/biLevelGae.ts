/**
 * Bi-level GAE: GAE over turns, with V read before each turn's last token, gives each turn a return; GAE over its tokens
 * leads towards that return, which is paid at the turn's last token with nothing after it.
 *
 *   L = -1/N sum_t min(rho_t A_t, clip(rho_t, 1 - epsLow, 1 + epsHigh) A_t)
 *   rho_t = exp(d_t)
 *
 * Source: VAGEN, arXiv 2510.16907; RAGEN ragen/trainer/core_algos.py and VAGEN's fork of verl,
 * compute_bi_level_gae_advantage_return.
 */
import type { Estimate } from "../credit/estimate.ts";
import { fromTokens } from "../credit/givenAdvantage.ts";
import { gae, type Gae } from "../credit/gae.ts";
import { bootstraps, tokenRewards } from "../credit/rewards.ts";
import type { Trace } from "../credit/trace.ts";
import { readTurnValues } from "../credit/turnValues.ts";
import { requireColumn } from "../requireColumn.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { offsetsOf } from "../objective/ratio.ts";
import { gaeLine } from "../formula/parts.ts";
import { gaeFacts, type EstimatorConfig, type EstimatorFacts } from "./estimator.ts";
import { tokenPpo } from "./tokenPpo.ts";
import { f, open } from "../formula/tex.ts";

export const biLevelGae: EstimatorFacts = {
  ...gaeFacts,
  about: "GAE over turns, then GAE over each turn's tokens towards the turn's return",
  lesson: "biLevelGae",
  level: "token",
  steps: "token",
  // Of its two discounts, the one of whole turns: inside a turn, returns only lead to the turn's
  // own.
  discount: { by: "gammaTurn", per: "turn" },
  settings: ["gamma", "lambda", "gammaTurn", "turnEnds"],
  verl: [{ name: "gae", baseline: "token-critic", whiten: "tokens", targets: ["ragen"] }],
  formula: (choices) => [
    choices.turnEnds === "explicit"
      ? open`${"turn.value"} &:= ${"token.value"}\ \text{at the last token } t \text{ of turn } h`
      : open`${"turn.value"} &:= ${"token.value"}\ \text{at token } t \text{, wherever } ${"token.reward"}\ne 0`,
    f`${"turn.delta"} &= ${"turn.reward"} + ${"settings.gammaTurn"}·${"turn.nextValue"} - ${"turn.value"}`,
    f`${"turn.highAdvantage"} &= ${"turn.delta"} + ${"settings.gammaTurn"}·${"settings.lambda"}·${"turn.nextHighAdvantage"}`,
    f`${"turn.target"} &= ${"turn.highAdvantage"} + ${"turn.value"}`,
    open`${"token.delta"} &= \begin{cases}${"turn.target"} - ${"token.value"} & t \text{ ends turn } h\\ ${"token.reward"} + ${"settings.gamma"}·${"token.nextValue"} - ${"token.value"} & \text{else}\end{cases}`,
    open`${gaeLine(choices, "token")}\ \text{within the turn}`,
  ],
  estimate,
  criticLoss: tokenPpo.criticLoss,
};

/**
 * turns:  delta_h = r_h + gammaTurn V_{h+1} - V_h,  A_h = delta_h + gammaTurn lambda A_{h+1}
 * tokens: delta_t = r_t + gamma V_{t+1} - V_t,  A_t = delta_t + gamma lambda A_{t+1} within turn h,
 *         where r_t = A_h + V_h and V_{t+1} = 0 at its last token; R_t = A_t + V_t
 * V_h = V before the last token of turn h
 */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const reward = tokenRewards(batch); // [N]
  const turns =
    config.turnEnds === "explicit" ? batch : turnsByReward(reward, offsetsOf(batch).trajectory);
  const value = requireColumn(batch, "tokenValue", config.name); // [N]
  const {
    delta,
    adv,
    ret,
    turns: high,
  } = twoLevelGae({
    reward,
    value,
    turnStart: turns.turnStart, // [B+1]
    tokenStart: turns.tokenStart, // [K+1]
    bootstrap: bootstraps(batch), // [B]
    gamma: config.gamma,
    lambda: config.lambda,
    gammaTurn: config.gammaTurn,
  });
  // Turns that are found by their rewards are not the batch's.
  const ofTurns = config.turnEnds === "explicit" ? turnTrace(high) : {};
  const trace = {
    "turn.value": readTurnValues("turn-end", value, batch.tokenStart), // [K]
    ...ofTurns,
    "token.delta": delta, // [N]
  };
  return { adv: fromTokens(adv, batch), turnReturn: null, tokenReturn: ret, delta, trace };
}

function turnTrace({ delta, adv, ret }: Gae): Trace {
  return { "turn.delta": delta, "turn.highAdvantage": adv, "turn.target": ret }; // [K]
}

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
