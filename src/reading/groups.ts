/** The recorded rollouts of each task, and their comparison. */
import { groups } from "../method/credit/groups.ts";
import { least } from "../numeric/lists.ts";
import { mean, populationVariance, variance } from "../numeric/statistics.ts";
import type { EpisodeRecord } from "../record/runEvent.ts";
import type { GroupStd } from "../method/axes.ts";
import { isFork } from "../record/forkedEpisode.ts";
import { finite } from "../numeric/finite.ts";

interface Rollout {
  /** Its index among the recorded episodes of the iteration. */
  episode: number;
  record: EpisodeRecord;
  /** Reward minus the group's mean. */
  gap: number;
  /** Mean over the turns; null if not recorded. */
  advantage: number | null;
}

export interface Group {
  task: string;
  rollouts: Rollout[];
  mean: number;
  /** NaN for a single rollout. */
  std: number;
  solved: number;
  /** Rollouts whose outcome is missing in the file. */
  unknown: number;
  /** Several rollouts with the same reward. */
  flat: boolean;
}

/** Whether it has several rollouts whose rewards are all known. */
export function isComparable({ rollouts }: Group): boolean {
  return rollouts.length > 1 && rollouts.every(({ record }) => finite(record.reward) !== null);
}

export type Outcome = "solved" | "failed" | "unknown";

export function outcomeOf({ success }: EpisodeRecord): Outcome {
  return success === null ? "unknown" : success ? "solved" : "failed";
}

/** In order of first appearance. Without a divisor the spread is the sample's. */
export function groupsOf(episodes: readonly EpisodeRecord[], std: GroupStd): Group[] {
  const names = episodes.map(({ task }) => task);
  return groups(names).map((members) => groupFrom(episodes, members, std));
}

function groupFrom(episodes: readonly EpisodeRecord[], members: number[], std: GroupStd): Group {
  const records = members.map((b) => episodes[b]!);
  const rewards = Float64Array.from(records, ({ reward }) => reward); // [G]
  const equal = rewards.every((reward) => reward === rewards[0]);
  // Equal rewards are their own mean; summing them could round it.
  const center = equal ? rewards[0]! : mean(rewards);
  const spread = std === "population" ? populationVariance(rewards) : variance(rewards);
  return {
    task: records[0]!.task,
    rollouts: members.map((episode, i) => ({
      episode,
      record: records[i]!,
      gap: rewards[i]! - center,
      advantage: meanAdvantage(records[i]!),
    })),
    mean: center,
    std: rewards.length === 1 ? NaN : equal ? 0 : Math.sqrt(spread),
    solved: records.filter(({ success }) => success === true).length,
    unknown: records.filter(({ success }) => success === null).length,
    flat: equal && rewards.length > 1,
  };
}

function meanAdvantage({ turns }: EpisodeRecord): number | null {
  const all = turns.map(({ advantage }) => finite(advantage));
  if (all.length === 0 || all.includes(null)) return null;
  const same = all.every((advantage) => advantage === all[0]);
  return same ? all[0]! : all.reduce<number>((sum, A) => sum + A!, 0) / all.length;
}

/** First turn in which two episodes differ: in the response, or because only one has it; null: nowhere. */
export function firstDifference(a: EpisodeRecord, b: EpisodeRecord): number | null {
  const longest = Math.max(a.turns.length, b.turns.length);
  for (let h = 0; h < longest; h++) if (a.turns[h]?.text !== b.turns[h]?.text) return h;
  return null;
}

/** The first turn that is not the same for all rollouts of the group; null: nowhere. */
export function partingTurn({ rollouts }: Group): number | null {
  const first = rollouts[0]!.record;
  const places = rollouts.flatMap(({ record }) => firstDifference(first, record) ?? []);
  return places.length === 0 ? null : least(places);
}

export type Flatness =
  | "spread"
  | "flat"
  | "flatRecorded"
  | "flatOthersDiffer"
  | "flatElse"
  /** Unknown whether the advantages are 0. */
  | "flatUnknown";

/** Whether a group gives no learning signal, judged by the trained advantages; planned: rollouts of a task, null unknown. */
export function flatness(group: Group, planned: number | null): Flatness {
  if (!group.flat) return "spread";
  const isPart = planned !== null && group.rollouts.length < planned;
  // A fork has no advantages.
  const trained = group.rollouts.filter(({ record }) => !isFork(record));
  const advantages = trained.flatMap(({ record }) =>
    record.turns.map((turn) => finite(turn.advantage)),
  );
  if (advantages.every((advantage) => advantage === 0)) return isPart ? "flatRecorded" : "flat";
  if (advantages.every((advantage) => advantage === 0 || advantage === null)) return "flatUnknown";
  return isPart ? "flatOthersDiffer" : "flatElse";
}
