/** Which rows of the table can be computed from an imported run's episodes. */
import { withApart, type ForeignEpisode } from "../../interchange/import/foreign.ts";
import { algorithmNames, resolveAlgorithm } from "../../spec/algorithms.ts";
import { readDetails } from "../log/episodeSchema.ts";
import { creditOf } from "./rowCredit.ts";

/** Their names, in the order of the table. @param episodes of one step, whole groups */
export function computableRows(episodes: readonly ForeignEpisode[]): string[] {
  const lines = episodes.map((episode, trajectory) => ({ trajectory, ...withApart(episode) }));
  const { episodes: read } = readDetails({ episodes: lines });
  if (read.length === 0) return [];
  return algorithmNames.filter((name) => {
    const { ok } = creditOf(resolveAlgorithm(name), read);
    return ok !== null && ok.credit.turnAdvantage.some(Number.isFinite);
  });
}
