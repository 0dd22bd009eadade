/** The rows in families, by what a return is compared with: how lists of algorithms are cut up. */
import type { AlgorithmRow } from "../algorithmRows.ts";

export const families = {
  plain: "Neither critic nor group",
  group: "Rollouts of a task compared",
  "token-critic": "A critic over tokens",
  "turn-critic": "A critic over turns",
  "turn-group": "Turns compared within groups",
} as const;

export type Family = keyof typeof families;

const BY_BASELINE: Record<AlgorithmRow["baseline"], Family> = {
  none: "plain",
  "batch-mean": "plain",
  greedy: "plain",
  "group-mean": "group",
  "leave-one-out": "group",
  "length-weighted-mean": "group",
  "token-critic": "token-critic",
  "turn-critic": "turn-critic",
  "group-and-anchor": "turn-group",
  "turn-group": "turn-group",
};

export function familyOf({ baseline }: Pick<AlgorithmRow, "baseline">): Family {
  return BY_BASELINE[baseline];
}
