/**
 * Upper bounds of credit: advantages computed with the true V of each state instead of a critic's,
 * by GAE at lambda 1 (the return minus V) and at a row's own lambda. The remaining difference to
 * the truth is randomness in the rest of the episode, which no critic removes. Their V comes from
 * separate branches: those of the truth share its noise, which would add correlation.
 */
import { gae } from "../../method/credit/gae.ts";
import { offsets } from "../../numeric/segments.ts";
import { mean } from "../../numeric/statistics.ts";
import type { Episode } from "../../rollout/rollout.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { resolveAlgorithm } from "../../spec/algorithms.ts";
import { branchReturns, type BranchOptions, type Player } from "./branches.ts";
import type { CreditEstimate } from "./creditErrors.ts";
import type { TrueValues } from "./trueValues.ts";

/** Iteration numbers beyond any run: separate draws from those of the truth. */
const APART = 2 ** 31;

/** One row per lambda among the given rows, 1 first. Discounted by the options' gamma. */
export async function ceilingsOf(
  player: Player,
  episodes: readonly Episode[],
  { states, stateOf }: Pick<TrueValues, "states" | "stateOf">,
  { rows }: { rows: readonly AlgorithmConfig[] },
  options: BranchOptions,
): Promise<CreditEstimate[]> {
  const key = { ...options.key, iteration: options.key.iteration + APART };
  const returns = await branchReturns(player, states, { ...options, key });
  const V = returns.map(mean); // [S]
  const value = Float64Array.from(stateOf, (s) => V[s]!); // [K]
  return lambdas(rows).map((lambda) => {
    const raw = advantages(episodes, value, options.gamma, lambda);
    return { config: ceiling(lambda), raw, advantage: raw, inRewardUnits: true, critic: null };
  });
}

/** The lambdas of the rows that use GAE, and 1. */
function lambdas(rows: readonly AlgorithmConfig[]): number[] {
  const own = rows.filter(({ critic }) => critic === "turn").map(({ lambda }) => lambda);
  return [...new Set([1, ...own])].sort((a, b) => b - a);
}

function ceiling(lambda: number): AlgorithmConfig {
  const title = lambda === 1 ? "Return minus true V" : `GAE with true V, λ ${lambda}`;
  return { ...resolveAlgorithm("turn-ppo", { lambda }), name: `true-v-${lambda}`, title };
}

/** GAE over turns, nothing after the last one. [K] */
function advantages(
  episodes: readonly Episode[],
  value: Float64Array,
  gamma: number,
  lambda: number,
): Float64Array {
  const reward = Float64Array.from(
    episodes.flatMap(({ turns }) => turns.map((turn) => turn.reward)),
  );
  const start = offsets(episodes.map(({ turns }) => turns.length)); // [B+1]
  const bootstrap = new Float64Array(episodes.length); // [B]
  return gae({ reward, value, start, bootstrap, gamma, lambda }).adv;
}
