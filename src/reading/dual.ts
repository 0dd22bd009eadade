/** Turns that dual clip cut: with A < 0 the plain clip cuts what has become unlikely enough, dual clip the opposite. */
import { bandOf } from "../objective/clipBand.ts";
import type { EpisodeRecord, TurnRecord } from "../record/runEvent.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";

/** Whether dual clip cut the turn, or any of its tokens where the clip looks at each; false where it is unknown. */
export function isDual(turn: TurnRecord, config: AlgorithmConfig | null): boolean {
  if (!config || turn.clipped !== true || !(turn.advantage < 0)) return false;
  const { level, dual } = bandOf(config);
  if (dual === null) return false;
  // An episode's ratio is no turn's; but with A < 0 the plain clip cuts none above 1.
  const limit = level === "episode" ? 0 : dual;
  return logRatios(turn, level === "token").some((d) => d > limit);
}

function logRatios({ ratio, tokens }: TurnRecord, ofTokens: boolean): number[] {
  const own = tokens.map(({ logprob, oldLogprob }) => logprob - oldLogprob);
  return ofTokens && own.length > 0 ? own : [Math.log(ratio)];
}

/** How many of the turns cut with A < 0 dual clip cut. */
export function countDual(
  episodes: readonly EpisodeRecord[],
  config: AlgorithmConfig | null,
): { dual: number; low: number } {
  const turns = episodes.flatMap((episode) => episode.turns);
  const low = turns.filter(({ clipped, advantage }) => clipped === true && advantage < 0);
  return { dual: low.filter((turn) => isDual(turn, config)).length, low: low.length };
}
