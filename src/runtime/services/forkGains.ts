/** What the turns of forks gained, for methods whose advantages are made of it. */
import type { Episode } from "../../rollout/rollout.ts";
import { turnGains } from "../../train/gains.ts";
import { learnsFromPairs } from "../../train/preference/learner.ts";
import { needsGains } from "../../train/signals.ts";
import { specNow, type AskedLearner, type Service } from "./asked.ts";

/**
 * As training measures it, by the asked policy; null where the learner needs none, and where a board was changed: no
 * response led there, so that there is nothing it gained. [episodes][turns]
 */
export async function forkGains(
  service: Service,
  { learner, player }: Pick<AskedLearner, "learner" | "player">,
  episodes: Episode[],
  boards: readonly number[],
): Promise<number[][] | null> {
  if (boards.length > 0 || learnsFromPairs(learner)) return null;
  if (!needsGains(learner.algorithm)) return null;
  const context = {
    spec: specNow(service, learner.algorithm.name),
    family: service.experiment.family,
  };
  const gains = await turnGains(context, { actor: player.model }, episodes); // [K]
  let k = 0;
  return episodes.map(({ turns }) => Array.from(gains.subarray(k, (k += turns.length))));
}
