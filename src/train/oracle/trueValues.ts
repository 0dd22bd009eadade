/**
 * What each turn was really worth under the policy that played it:
 *
 *   V(s_h)      = E[sum_{j >= h} gamma^(j-h) r_j]       over branches from s_h
 *   Q(s_h, a_h) = r_h + gamma V(s_{h+1})                the environments are deterministic
 *   A(s_h, a_h) = Q(s_h, a_h) - V(s_h)
 *
 * V after the last turn is 0: an episode that is over pays no more, whether it was ended or cut off. A state that
 * several turns stand in is branched once; branches of s_h and of s_{h+1} are independent.
 *
 * Intervals are t intervals of a sample to which imagined branches are added: for V two that earn what the best
 * player would and two that earn the least seen (Agresti and Coull, American Statistician 52, 1998), for a difference
 * one of each on either side (Agresti and Caffo, 54, 2000). Without them what happens less than once in K branches
 * would be ruled out: measured, of plain t intervals with K = 64 only a third covered where one in a hundred branches
 * solves the board. Means and standard errors are the plain ones. Where nobody knows what the best player would earn,
 * the most seen takes its place. Degrees of freedom of differences are Welch's (Biometrika 34, 1947), rounded down.
 */
import { max, mean, min, studentT, variance } from "../../numeric/statistics.ts";
import type { Episode } from "../../rollout/rollout.ts";
import {
  branchReturns,
  stateKey,
  statesOf,
  type BranchOptions,
  type Player,
  type State,
} from "./branches.ts";
import { bestValues } from "./bestValue.ts";

/** A quantity of each turn with its 95 % interval. All [K] */
export interface Estimates {
  /** Of the branches: unbiased. The interval need not be centred on it. */
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
  /** V*: what the best player would earn from the state; NaN where nobody can say. [K] */
  best: Float64Array;
  /** r_h + gamma V*(s_{h+1}) - V*(s_h): 0 for the best action, else how much it gave away. [K] */
  bestAdvantage: Float64Array;
  /** The distinct states, in order of first appearance. [S] */
  states: State[];
  /** Which of them each turn stands in. [K] */
  stateOf: Int32Array;
}

const LEVEL = 0.95;

/** A mean: where it is, the variance of it, and the degrees of freedom of that. */
interface Moment {
  mean: number;
  variance: number;
  df: number;
}

/** What is known of a state. */
interface Known {
  plain: Moment;
  /** With two imagined branches at either end, for V and Q. */
  padded: Moment;
  /** With one, for differences. */
  halfPadded: Moment;
}

/** A quantity as it is told and as its interval is made. */
interface Told {
  plain: Moment;
  padded: Moment;
}

/**
 * The truth of every turn of some episodes, in the order of a batch of them.
 * @throws InputError naming an option that is out of range.
 */
export async function trueValues(
  player: Player,
  episodes: readonly Episode[],
  options: BranchOptions,
): Promise<TrueValues> {
  const { states, stateOf } = distinctStates(player, episodes);
  const returns = await branchReturns(player, states, options);
  const best = bestValues(player.world, states, options.gamma); // [S]
  const known = returns.map((x, s) => knownOf(x, best[s]!)); // [S]
  const told = { value: [] as Told[], actionValue: [] as Told[], advantage: [] as Told[] };
  const bestAdvantage: number[] = [];
  for (const { reward, now, next } of transitions(episodes, stateOf)) {
    const V = known[now]!;
    const later = next === null ? OVER : known[next]!;
    const Q = (which: keyof Known) => discounted(later[which], reward, options.gamma);
    told.value.push(V);
    told.actionValue.push({ plain: Q("plain"), padded: Q("padded") });
    told.advantage.push({
      plain: difference(Q("plain"), V.plain),
      padded: difference(Q("halfPadded"), V.halfPadded),
    });
    bestAdvantage.push(reward + options.gamma * (next === null ? 0 : best[next]!) - best[now]!);
  }
  return {
    value: columns(told.value),
    actionValue: columns(told.actionValue),
    advantage: columns(told.advantage),
    best: Float64Array.from(stateOf, (s) => best[s]!), // [K]
    bestAdvantage: Float64Array.from(bestAdvantage), // [K]
    states,
    stateOf,
  };
}

const NOTHING: Moment = { mean: 0, variance: 0, df: 1 };
/** Nothing is paid any more, for certain. */
const OVER: Known = { plain: NOTHING, padded: NOTHING, halfPadded: NOTHING };

/** Every turn: what it paid, the state before it and the one after it, null after the last. [K] */
function transitions(episodes: readonly Episode[], stateOf: Int32Array) {
  let k = 0;
  return episodes.flatMap(({ turns }) =>
    turns.map(({ reward }, h) => {
      const now = stateOf[k++]!;
      return { reward, now, next: h + 1 < turns.length ? stateOf[k]! : null };
    }),
  );
}

function knownOf(returns: Float64Array, best: number): Known {
  const low = min(returns);
  const high = best === best ? Math.max(best, max(returns)) : max(returns);
  const padded = (n: number) =>
    momentOf(
      Float64Array.of(...returns, ...Array<number>(n).fill(low), ...Array<number>(n).fill(high)),
    );
  return { plain: momentOf(returns), padded: padded(2), halfPadded: padded(1) };
}

function momentOf(x: Float64Array): Moment {
  return { mean: mean(x), variance: variance(x) / x.length, df: x.length - 1 };
}

/** r + gamma x. */
function discounted({ mean, variance, df }: Moment, reward: number, gamma: number): Moment {
  return { mean: reward + gamma * mean, variance: gamma * gamma * variance, df };
}

function distinctStates(player: Player, episodes: readonly Episode[]) {
  const all = episodes.flatMap((episode) => statesOf(player.world, episode));
  const numbers = new Map<string, number>();
  const states: State[] = [];
  const stateOf = Int32Array.from(all, (state) => {
    const key = stateKey(state, player.context);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, states.length);
    return states.push(state) - 1;
  }); // [K]
  return { states, stateOf };
}

/** a - b of independent means. */
function difference(a: Moment, b: Moment): Moment {
  const sum = a.variance + b.variance;
  const squares = (a.variance * a.variance) / a.df + (b.variance * b.variance) / b.df;
  const df = squares > 0 ? Math.floor((sum * sum) / squares) : 1;
  return { mean: a.mean - b.mean, variance: sum, df: Math.max(1, df) };
}

function columns(told: Told[]): Estimates {
  const half = told.map(({ padded }) => tOf(padded.df) * Math.sqrt(padded.variance)); // [K]
  return {
    mean: Float64Array.from(told, ({ plain }) => plain.mean), // [K]
    low: Float64Array.from(told, ({ padded }, k) => padded.mean - half[k]!), // [K]
    high: Float64Array.from(told, ({ padded }, k) => padded.mean + half[k]!), // [K]
    standardError: Float64Array.from(told, ({ plain }) => Math.sqrt(plain.variance)), // [K]
  };
}

const quantiles = new Map<number, number>();

function tOf(df: number): number {
  const t = quantiles.get(df) ?? studentT(LEVEL, df);
  quantiles.set(df, t);
  return t;
}
