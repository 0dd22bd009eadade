/** The recorded episodes of an iteration as a batch, for one row at a time. */
import { recordedBatch, criticColumns } from "../../algorithm/recordedBatch.ts";
import { finite } from "../../numeric/finite.ts";
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { estimators } from "../../method/estimators.ts";
import { Recent } from "../recent.ts";

export type Episodes = readonly EpisodeRecord[];

/**
 * Values of an older log belong to its own algorithm; these names represent a critic of either
 * kind.
 */
const OLD_CRITIC = { turn: "turn-ppo", token: "token-ppo" } as const;

/** The same episodes, with their own critic's values added to the run's critics if a log lacks the latter. */
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

/**
 * The part of an episode's reward that no turn is known to have received is added to its last turn.
 * This always applies to the part that a file gives to the episode alone: RAGEN adds its format
 * penalty at the last position of a row's scores, before they are normalised (mll-lab-nu/RAGEN,
 * `ragen/llm_agent/ctx_manager.py`, `_normalize_score_tensor`). If rewards of turns are unknown, or
 * sum up to something else, `byScore` gives the last turn the whole score.
 */
function withScores(episodes: Episodes, byScore: boolean): Episodes {
  return episodes.map((episode) => {
    const rest = unpaid(episode, byScore);
    if (rest === null) return episode;
    const last = episode.turns.length - 1;
    const known = !lacksRewards(episode) && !(byScore && episode.apart);
    const paid = (reward: number, h: number) => (known ? reward : 0) + (h < last ? 0 : rest);
    const turns = episode.turns.map((turn, h) => ({ ...turn, reward: paid(turn.reward, h) }));
    return { ...episode, turns };
  });
}

/** The reward that no turn is known to have received; null if that is zero or unknown. */
function unpaid(episode: EpisodeRecord, byScore: boolean): number | null {
  if (byScore && (lacksRewards(episode) || episode.apart)) return episode.reward;
  return lacksRewards(episode) ? null : finite(episode.penalty);
}

/** Whether the total reward is known, and that of some turn is not. */
function lacksRewards({ reward, turns }: EpisodeRecord): boolean {
  return finite(reward) !== null && turns.some((turn) => finite(turn.reward) === null);
}

/** Whether the row uses only total rewards, not which turn a reward came from. */
function readsScores({ estimator }: AlgorithmConfig): boolean {
  return estimators[estimator].level === "trajectory";
}

const batches = new Recent((episodes: Episodes) => ({
  valued: withCritics(episodes),
  byCritics: new Map<string, TrajectoryBatch>(),
}));

/** A row's batch; rows that use the same critics and rewards share one. */
export function sharedBatch(config: AlgorithmConfig, episodes: Episodes): TrajectoryBatch {
  const { valued, byCritics } = batches.of(episodes);
  const byScore = readsScores(config) && valued.some((one) => lacksRewards(one) || one.apart);
  const key = JSON.stringify([criticColumns(config, valued), byScore]);
  const batch = byCritics.get(key) ?? recordedBatch(config, withScores(valued, byScore));
  byCritics.set(key, batch);
  return batch;
}
