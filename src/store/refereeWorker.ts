/** Scores one row on one task, off the page's thread. */
import { refereeTasks } from "../reading/referee/tasks.ts";
import type { RefereeLine, RefereeReport } from "../reading/referee/lines.ts";
import { refereeLines } from "../reading/referee/report.ts";
import { openCourt } from "../reading/referee/score.ts";
import { resolveAlgorithm } from "../spec/algorithms.ts";

export type ToReferee = Pick<RefereeLine, "task" | "row" | "critic"> &
  Pick<RefereeReport, "seeds" | "episodes">;

self.addEventListener("message", ({ data }: MessageEvent<ToReferee>) => {
  self.postMessage(refereeAnswer(data));
});

/** undefined if there is no such task. */
export function refereeAnswer({ task, row, critic, seeds, episodes }: ToReferee) {
  const known = refereeTasks.find(({ name }) => name === task);
  if (!known) return undefined;
  const court = openCourt(known, seeds, episodes);
  return refereeLines(court, resolveAlgorithm(row), critic ?? undefined)[0];
}
