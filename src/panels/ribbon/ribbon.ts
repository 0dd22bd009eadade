/** An episode as the numbers of its ribbon: what a critic expected of each turn, and by how much it was surprised. */
import { gae } from "../../credit/gae.ts";
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import { turnValue, type Critic } from "./critics.ts";
import { finite } from "./runConfig.ts";

/** Numbers that are not there, or are not finite, are null. */
export interface RibbonTurn {
  reward: number | null;
  value: number | null;
  delta: number | null;
  advantage: number | null;
  /** The critic's target, or the discounted rewards from here on. */
  return: number | null;
  ratio: number | null;
  clipped: boolean;
}

export interface Ribbon {
  critic: Critic | null;
  turns: RibbonTurn[];
  /** Whether `return` is what the method's critic is trained towards. */
  hasTargets: boolean;
  /** Turn of the largest |TD error|; null where there is none. */
  peak: number | null;
}

/** gamma discounts the returns of methods without a critic. */
export function ribbonOf(episode: EpisodeRecord, critic: Critic | null, gamma: number): Ribbon {
  const deltas = tdErrors(episode, critic);
  const hasTargets = episode.turns.some((turn) => finite(turn.return) !== null);
  const toGo = returnsToGo(episode, gamma);
  const turns = episode.turns.map((turn, h) => ({
    reward: finite(turn.reward),
    value: critic && turnValue(turn, critic),
    delta: deltas[h]!,
    advantage: finite(turn.advantage),
    return: finite(hasTargets ? turn.return : toGo[h]),
    ratio: finite(turn.ratio),
    clipped: turn.clipped,
  }));
  return { critic, turns, hasTargets, peak: largest(deltas) };
}

/** What training paid for a turn: its reward, and what process rewards added. */
function paid(turn: TurnRecord): number {
  return turn.reward + (finite(turn.processReward) ?? 0);
}

/** One per turn; null where a value is missing. After the last turn V is 0. */
export function tdErrors(episode: EpisodeRecord, critic: Critic | null): (number | null)[] {
  if (!critic) return episode.turns.map(() => null);
  const values = episode.turns.map((turn) => turnValue(turn, critic));
  if (critic.steps === "token") return tokenSums(episode, values, critic.gamma);
  const { delta } = gae({
    reward: Float64Array.from(episode.turns, paid), // [T]
    value: Float64Array.from(values, (value) => value ?? NaN), // [T]
    start: Int32Array.of(0, values.length),
    bootstrap: Float64Array.of(0),
    gamma: critic.gamma,
    lambda: 1,
  });
  return Array.from(delta, finite);
}

/**
 * Of a token critic: the sum over the turn's n tokens of gamma^i delta_i. All V between the first and the next
 * turn's first cancel, which leaves gamma^(n-1) r + gamma^n V(next turn) - V(this turn).
 */
function tokenSums(
  { turns }: EpisodeRecord,
  values: readonly (number | null)[],
  gamma: number,
): (number | null)[] {
  return turns.map((turn, h) => {
    const n = Math.max(1, turn.tokens.length);
    const next = h + 1 < turns.length ? values[h + 1]! : 0;
    if (next === null || values[h] === null) return null;
    return finite(gamma ** (n - 1) * paid(turn) + gamma ** n * next - values[h]!);
  });
}

function returnsToGo({ turns }: EpisodeRecord, gamma: number): number[] {
  const returns: number[] = [];
  let later = 0;
  for (const turn of turns.toReversed()) returns.push((later = turn.reward + gamma * later));
  return returns.reverse();
}

/** Place of the number furthest from 0, the first of equals; null where there is none. */
export function largest(numbers: readonly (number | null)[]): number | null {
  let best: number | null = null;
  numbers.forEach((x, i) => {
    if (x === null) return;
    if (best === null || Math.abs(x) > Math.abs(numbers[best]!)) best = i;
  });
  return best;
}
