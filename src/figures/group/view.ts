/** Everything that the group panel draws of the iteration at the cursor. */
import { finite } from "../../numeric/finite.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { groupSizeOf } from "../../spec/groups.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { runConfig } from "../../reading/runConfig.ts";
import { groupedMethods } from "../../reading/groupedMethods.ts";
import {
  flatness,
  groupsOf,
  partingTurn,
  type Flatness,
  type Group,
} from "../../reading/groups.ts";

export interface GroupView {
  algorithm: string;
  groups: Group[];
  /** The group at the cursor. */
  current: number;
  /** The episode at the cursor, and its turn. */
  episode: number;
  turn: number;
  /** Rollouts per task in the run's settings; null if they do not say. */
  planned: number | null;
  /** What the method divides by. */
  std: AlgorithmConfig["std"];
  /** Whether some task has several recorded rollouts. */
  compares: boolean;
  /** Of the group at the cursor. */
  flatness: Flatness;
  parting: number | null;
  /** Other methods of the run that compare rollouts. */
  others: string[];
}

/** Null if there is no episode. */
export function groupView({ log }: RunView, at: ResolvedChoice): GroupView | null {
  const { algorithm, episodes, episode, turn } = at;
  if (episodes.length === 0) return null;
  const spec = log.start?.spec;
  const config = runConfig(spec, algorithm);
  const std = config?.std ?? "sample";
  const groups = groupsOf(episodes, std);
  const current = groups.findIndex(({ rollouts }) =>
    rollouts.some((rollout) => rollout.episode === episode),
  );
  const planned = spec && config ? finite(groupSizeOf(spec, config)) : null;
  return {
    algorithm,
    groups,
    current,
    episode,
    turn,
    planned,
    std,
    compares: groups.some(({ rollouts }) => rollouts.length > 1),
    flatness: flatness(groups[current]!, planned),
    parting: partingTurn(groups[current]!),
    others: groupedMethods(log).filter((name) => name !== algorithm),
  };
}
