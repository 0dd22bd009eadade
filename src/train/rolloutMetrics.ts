/** What the episodes themselves say, before any model is asked: verl's and RAGEN's names. Rewards are unscaled. */
import { spread } from "../algorithm/registry.ts";
import { mean, std } from "../numeric/statistics.ts";
import type { Metrics } from "../record/runEvent.ts";
import type { Episode } from "../rollout/rollout.ts";

export function episodeReturn({ turns }: Episode): number {
  return turns.reduce((sum, { reward }) => sum + reward, 0);
}

/** Group spread below this counts as zero: such a group teaches a group baseline nothing. */
const ZERO_STD = 1e-6;

export function rolloutMetrics(
  family: string,
  episodes: Episode[],
  maxTokensPerTurn: number,
): Metrics {
  const turns = episodes.flatMap(({ turns }) => turns);
  const returns = episodes.map(episodeReturn);
  const lengths = turns.map(({ responseIds }) => responseIds.length);
  const share = <T>(items: T[], test: (item: T) => boolean) =>
    items.filter(test).length / items.length;
  return {
    ...spread("critic/score", returns),
    ...spread(
      "num_turns",
      episodes.map(({ turns }) => turns.length),
    ),
    ...spread("response_length", lengths),
    "response_length/clip_ratio": share(lengths, (length) => length >= maxTokensPerTurn),
    [`${family}/success`]: share(episodes, ({ success }) => success),
    [`${family}/action_is_valid`]: share(turns, ({ valid }) => valid),
    [`${family}/num_actions`]: mean(episodes.map(actionCount)),
    ...markMetrics(family, episodes),
    ...groupMetrics(episodes, returns),
  };
}

/** Share of episodes in which a thing ever happened, for each that the environment tells of. */
export function markMetrics(family: string, episodes: Episode[]): Metrics {
  const happened =
    (name: string) =>
    ({ turns }: Episode) =>
      turns.some(({ marks }) => marks[name]);
  const names = new Set(
    episodes.flatMap(({ turns }) => turns.flatMap(({ marks }) => Object.keys(marks))),
  );
  return Object.fromEntries(
    [...names].map((name) => [
      `${family}/${name}`,
      episodes.filter(happened(name)).length / episodes.length,
    ]),
  );
}

function actionCount({ turns }: Episode): number {
  return turns.reduce((sum, { actions }) => sum + actions.length, 0);
}

/** Spread of returns inside groups; empty where no task was played twice. */
function groupMetrics(episodes: Episode[], returns: number[]): Metrics {
  const groups = new Map<string, number[]>();
  episodes.forEach(({ task }, i) =>
    groups.set(task.name, [...(groups.get(task.name) ?? []), returns[i]!]),
  );
  const stds = [...groups.values()].filter((scores) => scores.length > 1).map(std);
  if (stds.length === 0) return {};
  return {
    "rollout/in_group_reward_std": mean(stds),
    frac_reward_zero_std: stds.filter((value) => value < ZERO_STD).length / stds.length,
  };
}
