/** Recorded turns as one step, for logs without steps: each at its last use in an update. */
import { finite } from "../numeric/finite.ts";
import type { Band } from "../method/clip/band.ts";
import { ratioHistogram } from "../algorithm/ratioHistogram.ts";
import type { EpisodeRecord, Histogram, TurnRecord, UpdateRecord } from "../record/runEvent.ts";

/** Null if no turn has a ratio. The share of the gradient that was clipped is unknown: NaN. */
export function lastUse(
  episodes: readonly EpisodeRecord[],
  band: Band | null,
): UpdateRecord | null {
  const turns = episodes.flatMap((episode) => episode.turns);
  const turn = turns.map(({ ratio }) => Math.log(ratio)).filter(Number.isFinite);
  if (turn.length === 0) return null;
  const tokens = turns.flatMap(tokenLogRatios);
  return {
    epoch: 0,
    minibatch: 0,
    cutShare: NaN,
    token: histogram(tokens, band?.level === "token" ? band : null),
    turn: histogram(turn, band?.level === "turn" ? band : null),
    turns: byTurn(episodes, hasClipData),
    cutHigh: byTurn(episodes, (one) => hasClipData(one) && one.clipped && one.advantage > 0),
    cutLow: byTurn(episodes, (one) => hasClipData(one) && one.clipped && one.advantage < 0),
  };
}

/**
 * Whether the log has the turn's clip data, and its side: foreign turns may lack either, and
 * counting only unclipped turns without an advantage would make the share too small.
 */
function hasClipData(turn: TurnRecord): turn is TurnRecord & { clipped: boolean } {
  return turn.clipped !== null && finite(turn.advantage) !== null;
}

/** The number of recorded turns left out because the log lacks their clip data. */
export function withoutClipData(episodes: readonly EpisodeRecord[]): number {
  return episodes.flatMap(({ turns }) => turns).filter((turn) => !hasClipData(turn)).length;
}

function tokenLogRatios({ tokens }: TurnRecord): number[] {
  return tokens
    .map(({ logprob, oldLogprob }) => logprob - oldLogprob)
    .filter((d) => Number.isFinite(d));
}

/** The number of h-th turns of a kind. */
function byTurn(
  episodes: readonly EpisodeRecord[],
  counts: (turn: TurnRecord) => boolean,
): number[] {
  const longest = episodes.reduce((most, { turns }) => Math.max(most, turns.length), 0);
  const found = Array<number>(longest).fill(0);
  for (const { turns } of episodes) turns.forEach((turn, h) => (found[h]! += Number(counts(turn))));
  return found;
}

function histogram(x: readonly number[], band: Band | null): Histogram {
  const limit = x.reduce((most, d) => Math.max(most, Math.abs(d)), 1e-6) * 1.005;
  return ratioHistogram(x, limit, band);
}
