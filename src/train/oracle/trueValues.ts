/**
 * The true value of each turn under the policy that played it:
 *
 *   V(s_h)      = E[sum_{j >= h} gamma^(j-h) r_j]       over branches from s_h
 *   Q(s_h, a_h) = r_h + gamma V(s_{h+1})                if the environment is deterministic
 *   A(s_h, a_h) = Q(s_h, a_h) - V(s_h)
 *
 * Per token gamma^(j-h) counts the tokens from the turn's beginning up to the last one of turn j.
 * If the environment is random, Q is the mean over branches that replay the turn (`turnBranches`).
 * V after the last turn is 0: a finished episode pays no more, whether it terminated or was
 * truncated. A state that several turns share is branched once; branches of s_h and of s_{h+1} are
 * independent.
 *
 * Intervals are t intervals of a sample to which imagined branches are added: for V two that earn
 * what the best player would and two that earn the least seen (Agresti and Coull, American
 * Statistician 52, 1998), for a difference one of each on either side (Agresti and Caffo, 54,
 * 2000). Without them, outcomes rarer than one in K branches would be ruled out: measured at K =
 * 64, only a third of plain t intervals covered the truth if one in a hundred branches solves the
 * board. Means and standard errors are the plain ones. If the best player's return is unknown, the
 * maximum seen is used. Degrees of freedom of differences are Welch's (Biometrika 34, 1947),
 * rounded down.
 */
import { turnWeights } from "../../method/credit/discount.ts";
import type { Episode, EpisodeTurn } from "../../rollout/rollout.ts";
import {
  branchReturns,
  discountIn,
  stateKey,
  statesOf,
  type BranchOptions,
  type Player,
  type State,
} from "./branches.ts";
import { bestAfterChance, bestValues } from "./bestValue.ts";
import { turnReturns, type SaidTurn } from "./turnBranches.ts";
import { after, gap, branchMoments, OVER, worth, type BranchMean } from "./branchEstimates.ts";

/** A quantity of each turn with its 95 % interval. All [K] */
export interface Estimates {
  /** Mean over the branches: unbiased. The interval need not be centred on it. */
  mean: Float64Array;
  low: Float64Array;
  high: Float64Array;
  standardError: Float64Array;
}

export interface TrueValues {
  /** V(s_h). */
  value: Estimates;
  /** Q(s_h, a_h). */
  actionValue: Estimates;
  /** A(s_h, a_h). */
  advantage: Estimates;
  /** V*: what the best player would earn from the state; NaN if unknown. [K] */
  best: Float64Array;
  /** r_h + gamma V*(s_{h+1}) - V*(s_h), averaged over randomness: 0 for the best action, else how much it loses. [K] */
  bestAdvantage: Float64Array;
  /** Shares of the branches from the states before and after a turn that end in success; NaN after the last turn. [K] */
  solved: { before: Float64Array; after: Float64Array };
  /** The distinct states, in order of first appearance. [S] */
  states: State[];
  /** Index of each turn's state among them. [K] */
  stateOf: Int32Array;
}

/** An episode with the states around its turns. */
interface PlayedEpisode {
  turns: readonly Pick<EpisodeTurn, "reward" | "responseIds">[];
  /** [turns] */
  before: readonly State[];
  /** Where each response led: to the state before the next turn, unless that was edited by hand; null: to the end. [turns] */
  after: readonly (State | null)[];
}

/**
 * The truth of every turn of some episodes, in the order of a batch of them.
 * @throws InputError naming an option that is out of range.
 */
export function trueValues(
  player: Player,
  episodes: readonly Episode[],
  options: BranchOptions,
): Promise<TrueValues> {
  const played = episodes.map((episode) => {
    const before = statesOf(player.world, episode);
    return { turns: episode.turns, before, after: before.map((_, h) => before[h + 1] ?? null) };
  });
  return trueValuesAround(player, played, options);
}

/**
 * The same from known states, e.g. of an episode in which a state was edited by hand: the turn
 * before is worth what it really led to.
 * @throws InputError naming an option that is out of range.
 */
export async function trueValuesAround(
  player: Player,
  played: readonly PlayedEpisode[],
  options: BranchOptions,
): Promise<TrueValues> {
  const { states, stateOf, nextOf } = distinctStates(player, played);
  const { returns, solved } = await branchesOf(player, states, options);
  const discount = discountIn(options);
  const best = bestValues(player.world, states, discount); // [S]
  const known = returns.map((x, s) => branchMoments(x, best[s]!)); // [S]
  const value: BranchMean[] = [];
  const actionValue: BranchMean[] = [];
  const advantage: BranchMean[] = [];
  const bestAdvantage: number[] = [];
  const said = saidIn(played);
  const again = player.world.chancy ? await turnReturns(player, said, options) : null;
  const average = again && bestAfterChance(player.world, said, discount); // [K]
  for (const [k, { reward, tokens, now, next }] of transitions(played, stateOf, nextOf).entries()) {
    const V = known[now]!;
    const weight = turnWeights(discount, tokens);
    const paid = weight.reward * reward;
    const Q = again
      ? branchMoments(again[k]!, NaN)
      : after(paid, next === null ? OVER : known[next]!, weight.later);
    value.push(worth(V));
    actionValue.push(worth(Q));
    advantage.push(gap(Q, V));
    const bestQ = average ? average[k]! : paid + weight.later * (next === null ? 0 : best[next]!);
    bestAdvantage.push(bestQ - best[now]!);
  }
  return {
    value: columns(value),
    actionValue: columns(actionValue),
    advantage: columns(advantage),
    best: Float64Array.from(stateOf, (s) => best[s]!), // [K]
    bestAdvantage: Float64Array.from(bestAdvantage), // [K]
    solved: {
      before: Float64Array.from(stateOf, (s) => solved[s]!), // [K]
      after: Float64Array.from(nextOf, (s) => (s === null ? NaN : solved[s]!)), // [K]
    },
    states,
    stateOf,
  };
}

/** Returns of each state's branches [S][K], and the share of them that end in success [S]. */
async function branchesOf(player: Player, states: readonly State[], options: BranchOptions) {
  const ends = new Float64Array(states.length);
  const returns = await branchReturns(player, states, {
    ...options,
    onEpisode: (state, branch, episode) => {
      ends[state]! += Number(episode.success);
      options.onEpisode?.(state, branch, episode);
    },
  });
  return { returns, solved: ends.map((count) => count / options.branches) };
}

/** The response of each turn. [K] */
function saidIn(played: readonly PlayedEpisode[]): SaidTurn[] {
  return played.flatMap(({ turns, before }) =>
    turns.map(({ responseIds }, h) => ({ state: before[h]!, responseIds })),
  );
}

/** For every turn: its reward, its tokens, the state before it and the one after it, null after the last. [K] */
function transitions(
  played: readonly PlayedEpisode[],
  stateOf: Int32Array,
  nextOf: readonly (number | null)[],
) {
  const turns = played.flatMap(({ turns }) => turns);
  return turns.map(({ reward, responseIds }, k) => {
    return { reward, tokens: responseIds.length, now: stateOf[k]!, next: nextOf[k]! };
  });
}

/** States before turns come first, so that an episode's draws are the same with and without edits by hand. */
function distinctStates({ context }: Player, played: readonly PlayedEpisode[]) {
  const numbers = new Map<string, number>();
  const states: State[] = [];
  const numberOf = (state: State) => {
    const key = stateKey(state, context);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, states.length);
    return states.push(state) - 1;
  };
  const [before, after] = [played.flatMap((one) => one.before), played.flatMap((one) => one.after)];
  const stateOf = Int32Array.from(before, numberOf); // [K]
  const nextOf = after.map((state) => (state ? numberOf(state) : null)); // [K]
  return { states, stateOf, nextOf };
}

function columns(means: readonly BranchMean[]): Estimates {
  return {
    mean: Float64Array.from(means, ({ mean }) => mean), // [K]
    low: Float64Array.from(means, ({ low }) => low), // [K]
    high: Float64Array.from(means, ({ high }) => high), // [K]
    standardError: Float64Array.from(means, ({ standardError }) => standardError), // [K]
  };
}
