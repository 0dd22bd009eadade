/**
 * Turns that dual clip affected: with A < 0 the plain clip applies to responses that became less
 * likely, dual clip to those that became more likely.
 */
import { bandOf } from "../method/clip/band.ts";
import type { EpisodeRecord, TurnRecord } from "../record/runEvent.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";

/** Whether dual clip applied to the turn, or to any of its tokens if the clip is per token; false if unknown. */
export function isDual(turn: TurnRecord, config: AlgorithmConfig | null): boolean {
  if (!config || turn.clipped !== true || !(turn.advantage < 0)) return false;
  const { level, dual } = bandOf(config);
  if (dual === null) return false;
  // An episode's ratio is not a turn's; but with A < 0 the plain clip never applies above 1.
  const limit = level === "episode" ? 0 : dual;
  return logRatios(turn, level === "token").some((d) => d > limit);
}

function logRatios({ ratio, tokens }: TurnRecord, ofTokens: boolean): number[] {
  const own = tokens.map(({ logprob, oldLogprob }) => logprob - oldLogprob);
  return ofTokens && own.length > 0 ? own : [Math.log(ratio)];
}

/** How many of the turns clipped with A < 0 were clipped by dual clip. */
export function countDual(
  episodes: readonly EpisodeRecord[],
  config: AlgorithmConfig | null,
): { dual: number; low: number } {
  const turns = episodes.flatMap((episode) => episode.turns);
  const low = turns.filter(({ clipped, advantage }) => clipped === true && advantage < 0);
  return { dual: low.filter((turn) => isDual(turn, config)).length, low: low.length };
}
