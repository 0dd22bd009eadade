/** The recorded episodes of an iteration as a batch, for one row at a time. */
import { recordedBatch, voicesOf } from "../../algorithm/recordedBatch.ts";
import { finite } from "../../numeric/finite.ts";
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

/** The score of an episode as its last turn's reward, where the rewards of its turns are not known. */
function withScores(episodes: Episodes): Episodes {
  return episodes.map((episode) => {
    if (!lacksRewards(episode)) return episode;
    const last = episode.turns.length - 1;
    const paid = (h: number) => (h < last ? 0 : episode.reward);
    return { ...episode, turns: episode.turns.map((turn, h) => ({ ...turn, reward: paid(h) })) };
  });
}

/** Whether the reward of the whole is known, and that of some turn is not. */
function lacksRewards({ reward, turns }: EpisodeRecord): boolean {
  return finite(reward) !== null && turns.some((turn) => finite(turn.reward) === null);
}

/** Whether it is all the same to the row which turn a reward came from. */
function readsScores({ estimator }: AlgorithmConfig): boolean {
  return estimator === "group-score";
}

const batches = new Recent((episodes: Episodes) => ({
  valued: withCritics(episodes),
  byVoices: new Map<string, TrajectoryBatch>(),
}));

/** A row's batch; rows that read the same critics, and the same of the rewards, share one. */
export function batchOf(config: AlgorithmConfig, episodes: Episodes): TrajectoryBatch {
  const { valued, byVoices } = batches.of(episodes);
  const byScore = readsScores(config) && valued.some(lacksRewards);
  const key = JSON.stringify([voicesOf(config, valued), byScore]);
  const batch = byVoices.get(key) ?? recordedBatch(config, byScore ? withScores(valued) : valued);
  byVoices.set(key, batch);
  return batch;
}
