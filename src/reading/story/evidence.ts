/** The episode and turn that show a cause, chosen by rule from a recorded iteration. */
import { finite } from "../../numeric/finite.ts";
import { formatNumber, formatSigned } from "../../numeric/format.ts";
import { ends } from "../../numeric/lists.ts";
import { mean } from "../../numeric/statistics.ts";
import type { EpisodeRecord, TokenRecord, TurnRecord } from "../../record/runEvent.ts";
import { groupsOf, isComparable, type Group } from "../groups.ts";

/** Indices among the recorded episodes of an iteration, from 0, and what is seen there. */
interface ShownTurn {
  episode: number;
  turn: number;
  says: string;
}

type TurnPicker = (episodes: readonly EpisodeRecord[]) => ShownTurn | null;

const flat: TurnPicker = (episodes) => {
  const groups = numbered(episodes);
  const found = best(groups, ({ group }) => (group.flat ? group.rollouts.length : null));
  if (!found) return null;
  const { group, number } = found;
  const all = `all ${group.rollouts.length} recorded attempts earn ${formatNumber(group.mean)}`;
  return { episode: group.rollouts[0]!.episode, turn: 0, says: `Group ${number}: ${all}` };
};

/** The failed group with the largest credit, and in it the failure with the most. */
const cheapest: TurnPicker = (episodes) => {
  const failed = numbered(episodes).filter(
    ({ group }) => group.solved === 0 && group.unknown === 0 && !group.flat && isComparable(group),
  );
  const credit = ({ advantage }: Group["rollouts"][number]) => advantage;
  const top = (group: Group) => best(group.rollouts, credit);
  const found = best(failed, ({ group }) => top(group)?.advantage ?? null);
  const rollout = found && top(found.group);
  if (!rollout) return null;
  const { group, number } = found;
  const [low, high] = ends(group.rollouts.map(({ record }) => record.reward))!;
  const spread = `all ${group.rollouts.length} recorded attempts fail, ${formatNumber(low)} to ${formatNumber(high)}`;
  const credited = `episode ${rollout.episode + 1} earns ${formatNumber(rollout.record.reward)} and is credited ${formatSigned(rollout.advantage)}`;
  return { episode: rollout.episode, turn: 0, says: `Group ${number}: ${spread}; ${credited}` };
};

/** An episode of the commonest first response. */
const commonest: TurnPicker = (episodes) => {
  const first = ({ turns }: EpisodeRecord) => turns[0]?.text;
  const count = (text: string | undefined) => episodes.filter((one) => first(one) === text).length;
  const found = best(episodes, (one) => (first(one) === undefined ? null : count(first(one))));
  if (!found) return null;
  const says = `${count(first(found))} of ${episodes.length} recorded episodes begin with ${JSON.stringify(first(found)!.slice(0, 40))}`;
  return { episode: episodes.indexOf(found), turn: 0, says };
};

/** The turn with the largest number of a kind, put into words; none if it is below `least`. */
const turnBy =
  (
    number: (turn: TurnRecord, episode: EpisodeRecord) => number | null,
    words: (x: number) => string,
    least = -Infinity,
  ): TurnPicker =>
  (episodes) => {
    const turns = episodes.flatMap((record, episode) =>
      record.turns.map((one, turn) => ({ episode, turn, value: number(one, record) })),
    );
    const found = best(turns, ({ value }) => value);
    if (!found || found.value! < least) return null;
    const { episode, turn, value } = found;
    return { episode, turn, says: `Episode ${episode + 1}, turn ${turn + 1}: ${words(value!)}` };
  };

const overTokens = (
  tokens: readonly TokenRecord[],
  number: (token: TokenRecord) => number | undefined,
) => {
  const known = tokens.flatMap((token) => finite(number(token)) ?? []);
  return known.length === 0 ? null : mean(known);
};
const entropyOf = ({ tokens }: TurnRecord) => overTokens(tokens, ({ entropy }) => entropy);
const negative = (x: number | null) => (x === null ? null : -x);
const size = (x: number | null | undefined) => {
  const known = finite(x);
  return known === null ? null : Math.abs(known);
};
const length = ({ tokens }: TurnRecord) => (tokens.length === 0 ? null : tokens.length);

/** Each returns null if nothing recorded shows it. */
const PICKERS = {
  "flat-group": flat,
  "cheapest-failure": cheapest,
  "commonest-answer": commonest,
  "largest-ratio": turnBy(
    ({ ratio }) => (ratio > 0 ? Math.abs(Math.log(ratio)) : null),
    (x) => `log-ratio of size ${formatNumber(x)}`,
    0.1,
  ),
  "unmoved-turn": turnBy(
    ({ ratio }) => (ratio > 0 ? -Math.abs(Math.log(ratio)) : null),
    (x) => `log-ratio of size ${formatNumber(-x)}`,
  ),
  "worst-value": turnBy(
    ({ value, return: target }) =>
      finite(value) === null || finite(target) === null ? null : Math.abs(value! - target!),
    (x) => `the critic is off its target by ${formatNumber(x)}`,
  ),
  "least-entropy": turnBy(
    (turn) => negative(entropyOf(turn)),
    (x) => `mean entropy of its tokens ${formatNumber(-x)}`,
  ),
  "most-entropy": turnBy(entropyOf, (x) => `mean entropy of its tokens ${formatNumber(x)}`),
  "longest-response": turnBy(length, (x) => `a response of ${x} tokens`),
  "invalid-turn": turnBy(
    ({ actions, formatPenalty }) =>
      actions?.length === 0 || formatPenalty < 0 ? -formatPenalty : null,
    () => "the response is no valid action",
  ),
  "farthest-from-reference": turnBy(
    ({ tokens }) =>
      overTokens(tokens, ({ logprob, refLogprob }) =>
        refLogprob === undefined ? undefined : Math.abs(logprob - refLogprob),
      ),
    (x) => `its tokens are ${formatNumber(x)} nats from the reference on average`,
  ),
  "paid-failure": turnBy(
    (turn, { success }) => (success === false ? turn.reward + (turn.processReward ?? 0) : null),
    (x) => `pays ${formatSigned(x)} in an episode that fails`,
  ),
  failure: turnBy(
    (_, { success, reward }) => (success === false ? finite(reward) : null),
    (x) => `fails and earns ${formatNumber(x)}`,
  ),
  success: turnBy(
    (_, { success, reward }) => (success === true ? finite(reward) : null),
    (x) => `solves a training task and earns ${formatNumber(x)}`,
  ),
  "first-turn": turnBy(
    ({ advantage }, { success, turns: [first] }) =>
      success === true && first?.advantage === advantage ? negative(size(advantage)) : null,
    (x) => `opens an episode that succeeds, with credit of size ${formatNumber(-x)}`,
  ),
  "untrained-turn": turnBy(
    ({ tokens }) => overTokens(tokens, ({ advantage }) => (advantage === 0 ? 1 : 0)),
    (x) => `${formatNumber(100 * x)} % of its tokens have no credit`,
  ),
} satisfies Record<string, TurnPicker>;

export type EvidenceName = keyof typeof PICKERS;

/** What the episodes of an iteration show of a cause; null: nothing. */
export function shownBy(name: EvidenceName, episodes: readonly EpisodeRecord[]): ShownTurn | null {
  return PICKERS[name](episodes);
}

/** Groups with their number among the recorded ones, from 1. */
function numbered(episodes: readonly EpisodeRecord[]): { group: Group; number: number }[] {
  return groupsOf(episodes, "population").map((group, i) => ({ group, number: i + 1 }));
}

/** The first of the best; null if no number is known. */
function best<T>(list: readonly T[], number: (one: T) => number | null): T | null {
  let found: { one: T; value: number } | null = null;
  for (const one of list) {
    const value = number(one);
    if (value !== null && Number.isFinite(value) && !(found && found.value >= value))
      found = { one, value };
  }
  return found?.one ?? null;
}
