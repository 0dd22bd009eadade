/** An episode from a what-if question to the models: it branched from a recorded one. */
import type { EpisodeRecord } from "./runEvent.ts";

/** An episode that was not trained on: its turns have no ratio, and only computed advantages. */
export interface ForkedEpisode extends EpisodeRecord {
  origin: "fork";
  /** Turn at which it branched from the recorded one, from 0. */
  turn: number;
  /** Turns before which the board was changed, from 0. */
  boards: readonly number[];
  /** Index of its continuation among the fork's, from 0. */
  branch: number;
  /** Number of the fork, if it is stored. */
  number?: number;
}

export function isFork(episode: EpisodeRecord | undefined): episode is ForkedEpisode {
  return episode !== undefined && "origin" in episode && episode.origin === "fork";
}
