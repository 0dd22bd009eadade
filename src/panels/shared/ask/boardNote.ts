/** A note on the truth of a fork whose board was changed by hand. */
import type { EpisodeRecord } from "../../../record/runEvent.ts";
import { isFork } from "../../../record/forkedEpisode.ts";
import { words } from "./words.ts";

/** No response led to a changed board, but algorithms' credit includes it; "" if that makes no difference. */
export function boardNote(episode: EpisodeRecord): string {
  const changed = isFork(episode) ? episode.boards.filter((h) => h > 0) : [];
  return changed.length === 0 ? "" : words.changedBoard([...changed].sort((a, b) => a - b));
}
