/** An episode of a question to the models: it left a recorded one. */
import type { EpisodeRecord } from "./runEvent.ts";

/** An episode that no training saw: its turns have no ratio, and no advantage but what is computed of them. */
export interface ForkedEpisode extends EpisodeRecord {
  origin: "fork";
  /** Where it left the recorded one, from 0. */
  turn: number;
  /** Turns before which the board was made another one, from 0. */
  boards: readonly number[];
  /** Which of the fork's continuations it ends with, from 0. */
  branch: number;
  /** The fork's, where it is kept. */
  number?: number;
}

export function isFork(episode: EpisodeRecord | undefined): episode is ForkedEpisode {
  return episode !== undefined && "origin" in episode && episode.origin === "fork";
}
