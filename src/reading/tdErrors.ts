/**
 * A critic's TD error in each turn of an episode. Computed from recorded values: a log has V,
 * rewards and advantages but no TD errors, and any critic of the run can be used, whichever
 * algorithm sampled the episode.
 */
import { paid } from "../algorithm/recordedBatch.ts";
import { gae } from "../method/credit/gae.ts";
import { finite } from "../numeric/finite.ts";
import type { EpisodeRecord } from "../record/runEvent.ts";
import { turnValue, type Critic } from "./critics.ts";

/** The value that training put after the last turn of a truncated episode; null if not recorded, or none. */
export function endValue({ finalValues }: EpisodeRecord, { name }: Critic): number | null {
  return finite(finalValues?.[name]);
}

/** One per turn; null if a value is missing. After the last turn V is 0 unless the episode has an end value. */
export function tdErrors(episode: EpisodeRecord, critic: Critic | null): (number | null)[] {
  if (!critic) return episode.turns.map(() => null);
  const values = episode.turns.map((turn) => turnValue(turn, critic));
  if (critic.steps === "token") return tokenSums(episode, values, critic);
  const { delta } = gae({
    reward: Float64Array.from(episode.turns, paid), // [T]
    value: Float64Array.from(values, (value) => value ?? NaN), // [T]
    start: Int32Array.of(0, values.length),
    bootstrap: Float64Array.of(endValue(episode, critic) ?? 0),
    gamma: critic.gamma,
    lambda: 1,
  });
  return Array.from(delta, finite);
}

/**
 * For a token critic: the sum over the turn's n tokens of gamma^i delta_i. All V between the first
 * of this turn and the first of the next cancel, which leaves gamma^(n-1) r + gamma^n V(next turn)
 * - V(this turn).
 */
function tokenSums(
  episode: EpisodeRecord,
  values: readonly (number | null)[],
  critic: Critic,
): (number | null)[] {
  const { gamma } = critic;
  const { turns } = episode;
  const end = endValue(episode, critic) ?? 0;
  return turns.map((turn, h) => {
    const n = Math.max(1, turn.tokens.length);
    const next = h + 1 < turns.length ? values[h + 1]! : end;
    if (next === null || values[h] === null) return null;
    return finite(gamma ** (n - 1) * paid(turn) + gamma ** n * next - values[h]!);
  });
}

/** Index of the number furthest from 0, the first if tied; null if there is none. */
export function indexOfLargest(numbers: readonly (number | null)[]): number | null {
  let best: number | null = null;
  numbers.forEach((x, i) => {
    if (x === null) return;
    if (best === null || Math.abs(x) > Math.abs(numbers[best]!)) best = i;
  });
  return best;
}
