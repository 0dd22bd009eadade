/** From a place on a map to one that the cursor can stand at. */
import { nearestIndex } from "../../charts/downsample.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import type { TurnChoice } from "../../store/turnChoice.ts";
import type { HeatPlace } from "./HeatMap.tsx";

/** The closest iteration with episodes, and there the first episode that has such a turn. */
export function nearestPlace(
  log: RunLog,
  algorithm: string,
  { iteration, turn }: HeatPlace,
): Partial<Pick<TurnChoice, "iteration" | "episode" | "turn">> {
  const iterations = log.iterationsWithEpisodes(algorithm);
  const nearest = iterations[nearestIndex(iterations, iteration)];
  if (nearest === undefined) return {};
  const episodes = log.episodes(algorithm, nearest);
  const episode = episodes.findIndex(({ turns }) => turns.length > turn);
  return { iteration: nearest, turn, ...(episode >= 0 && { episode }) };
}
