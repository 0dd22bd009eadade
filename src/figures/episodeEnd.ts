/** How an episode ended, in words. */
import { outcomeOf, type Outcome } from "../reading/groups.ts";
import type { EpisodeRecord } from "../record/runEvent.ts";

const OUTCOMES: Record<Outcome, string> = {
  solved: "solved",
  failed: "not solved",
  unknown: "outcome not in the file",
};

export function episodeEnd(episode: EpisodeRecord): string {
  const outcome = OUTCOMES[outcomeOf(episode)];
  return episode.truncated ? `${outcome}, cut off by the turn or move limit` : outcome;
}
