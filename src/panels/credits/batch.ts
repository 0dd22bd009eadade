/** The recorded episodes of an iteration as a batch, for one row at a time. */
import { recordedBatch, voicesOf } from "../../algorithm/recordedBatch.ts";
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import type { TrajectoryBatch } from "../../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { Recent } from "./recent.ts";

export type Episodes = readonly EpisodeRecord[];

/** Values of an older log are its algorithm's own; these names stand for a critic of either kind. */
const OLD_CRITIC = { turn: "turn-ppo", token: "token-ppo" } as const;

/** The same episodes, their own critic's values among those of the run's critics where a log lacks the latter. */
export function withCritics(episodes: Episodes): Episodes {
  const turns = episodes.flatMap((episode) => episode.turns);
  if (turns.length === 0 || turns[0]!.critics) return episodes;
  const known = (x: number | null | undefined) => typeof x === "number";
  const ofTokens = turns.some(({ tokens }) => tokens.some(({ value }) => known(value)));
  if (!ofTokens && !turns.some(({ value }) => known(value))) return episodes;
  const critics = ({ value, tokens }: TurnRecord): Record<string, number[]> =>
    ofTokens
      ? { [OLD_CRITIC.token]: tokens.map((token) => token.value ?? NaN) }
      : { [OLD_CRITIC.turn]: [value ?? NaN] };
  return episodes.map((episode) => ({
    ...episode,
    turns: episode.turns.map((turn) => ({ ...turn, critics: critics(turn) })),
  }));
}

const batches = new Recent((episodes: Episodes) => ({
  valued: withCritics(episodes),
  byVoices: new Map<string, TrajectoryBatch>(),
}));

/** A row's batch; rows that read the same critics share one. */
export function batchOf(config: AlgorithmConfig, episodes: Episodes): TrajectoryBatch {
  const { valued, byVoices } = batches.of(episodes);
  const key = JSON.stringify(voicesOf(config, valued));
  const batch = byVoices.get(key) ?? recordedBatch(config, valued);
  byVoices.set(key, batch);
  return batch;
}
