/** Metrics of the episodes themselves, before any model is evaluated: verl's and RAGEN's names. Rewards are unscaled. */
import { spread } from "../algorithm/registry.ts";
import { groupRewards } from "../algorithm/groupRewards.ts";
import { max, mean, std } from "../numeric/statistics.ts";
import type { Metrics } from "../record/runEvent.ts";
import type { Episode, EpisodeTurn } from "../rollout/rollout.ts";
import { readingOf, type ExperimentSpec } from "../spec/experiment.ts";
import { isCutOff } from "../text/promptAdapter.ts";
import type { TaskFamily } from "./world.ts";

export function episodeReturn({ turns }: Episode): number {
  return turns.reduce((sum, { reward }) => sum + reward, 0);
}

/** A group spread below this counts as zero: such a group gives a group baseline no signal. */
const ZERO_STD = 1e-6;

/** The maximum length of a response, and what marks one that ended by itself. */
interface ResponseEnds {
  maxTokensPerTurn: number;
  /** Tokens that end a response. Null before revision 2: whatever is shorter than the limit counts as ended. */
  stopIds: readonly number[] | null;
}

export function responseEnds(
  spec: ExperimentSpec,
  { world }: Pick<TaskFamily, "world">,
): ResponseEnds {
  const { maxTokensPerTurn } = spec.sampling;
  const { revision } = readingOf(spec);
  return { maxTokensPerTurn, stopIds: revision >= 2 ? world.prompter.stopIds : null };
}

/** @param family its name in metrics. */
export function rolloutMetrics(family: string, episodes: Episode[], ends: ResponseEnds): Metrics {
  const turns = episodes.flatMap(({ turns }) => turns);
  const returns = episodes.map(episodeReturn);
  const validShare = share(turns, ({ valid }) => valid);
  return {
    ...spread("critic/score", returns),
    ...(returns.length > 1 ? { reward_std: std(returns) } : {}),
    ...spread(
      "num_turns",
      episodes.map(({ turns }) => turns.length),
    ),
    ...spread(
      "prompt_length",
      turns.map(({ queryIds }) => queryIds.length),
    ),
    ...lengthMetrics(episodes, ends),
    [`${family}/success`]: share(episodes, ({ success }) => success),
    [`${family}/action_is_valid`]: validShare,
    "episode/valid_action_ratio": validShare,
    [`${family}/action_is_effective`]: mean(episodes.flatMap(effects)),
    [`${family}/num_actions`]: mean(episodes.map(actionCount)),
    "rollout/top_first_response": topShare(episodes),
    ...markMetrics(family, episodes),
    ...groupMetrics(family, episodes),
  };
}

const share = <T>(items: T[], test: (item: T) => boolean) =>
  items.filter(test).length / items.length;

/**
 * Tokens of a response (one turn, including its stop token): overall, of those that ended by
 * themselves, and by turn. `response_length/clip_ratio` is verl's share at the limit,
 * `completions/clipped_ratio` TRL's share without an end: a response whose stop token is its last
 * allowed token counts only in the first.
 */
function lengthMetrics(episodes: Episode[], { maxTokensPerTurn, stopIds }: ResponseEnds): Metrics {
  const length = ({ responseIds }: Pick<EpisodeTurn, "responseIds">) => responseIds.length;
  const responses = episodes.flatMap(({ turns }) => turns);
  const lengths = responses.map(length);
  const short = lengths.filter((n) => n < maxTokensPerTurn);
  const ended = stopIds
    ? responses.filter(({ responseIds }) => !isCutOff(responseIds, stopIds)).map(length)
    : short;
  const most = max(episodes.map(({ turns }) => turns.length));
  const byTurn = Array.from({ length: most }, (_, i): [string, number] => {
    const own = episodes.flatMap(({ turns }) => (turns[i] ? [length(turns[i])] : []));
    return [`turn_len/mean/${i + 1}`, mean(own)];
  });
  return {
    ...spread("response_length", lengths),
    "response_length/clip_ratio": (lengths.length - short.length) / lengths.length,
    ...(stopIds && {
      "completions/clipped_ratio": (lengths.length - ended.length) / lengths.length,
    }),
    ...(ended.length > 0 ? { "completions/mean_terminated_length": mean(ended) } : {}),
    ...Object.fromEntries(byTurn),
  };
}

/** 1 for each turn that changed what the environment shows, else 0. [K_i] */
function effects({ turns, finalObservation }: Episode): number[] {
  return turns.map(({ observation }, h) =>
    Number((turns[h + 1]?.observation ?? finalObservation) !== observation),
  );
}

/**
 * Share of the most common first response: near 1 regardless of the task is the sign of a template.
 */
function topShare(episodes: Episode[]): number {
  const counts = new Map<string, number>();
  for (const { turns } of episodes) {
    const text = turns[0]!.responseIds.join(" ");
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return max([...counts.values()]) / episodes.length;
}

/**
 * Share of episodes in which an event ever happened, for each event that the environment reports,
 * and share of turns for what it says of each turn.
 */
export function markMetrics(family: string, episodes: Episode[]): Metrics {
  const all = episodes.flatMap(({ turns }) => turns);
  const namesOf = (key: "marks" | "turnMarks") =>
    new Set(all.flatMap((turn) => Object.keys(turn[key] ?? {})));
  const events = [...namesOf("marks")].map((name): [string, number] => [
    name,
    share(episodes, ({ turns }) => turns.some(({ marks }) => marks[name])),
  ]);
  const truths = [...namesOf("turnMarks")].map((name): [string, number] => [
    name,
    share(all, ({ turnMarks }) => turnMarks?.[name] === true),
  ]);
  return Object.fromEntries(
    [...events, ...truths].map(([name, value]) => [`${family}/${name}`, value]),
  );
}

function actionCount({ turns }: Episode): number {
  return turns.reduce((sum, { actions }) => sum + actions.length, 0);
}

/** Spread and maximum of returns inside groups (RAGEN, TRL); empty if no task was played twice. */
function groupMetrics(family: string, episodes: Episode[]): Metrics {
  const byTask = new Map<string, Episode[]>();
  for (const episode of episodes) {
    const { name } = episode.task;
    const group = byTask.get(name);
    if (group) group.push(episode);
    else byTask.set(name, [episode]);
  }
  const groups = [...byTask.values()].filter((group) => group.length > 1);
  if (groups.length === 0) return {};
  const returns = groups.map((group) => group.map(episodeReturn));
  const solved = share(groups, (group) => group.some(({ success }) => success));
  return {
    ...groupRewards("in_group", returns),
    frac_reward_zero_std: share(returns, (group) => std(group) < ZERO_STD),
    [`${family}/pass@${groups[0]!.length}`]: solved,
  };
}
