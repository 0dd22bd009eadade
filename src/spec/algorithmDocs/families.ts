/** Families of rows, by what a return is compared with: the sections of algorithm lists. */
import type { AlgorithmRow } from "../algorithmRows.ts";
import { baselines, type BaselineFacts } from "../../method/baselines.ts";

export type Family = BaselineFacts["family"];

export const families: Readonly<Record<Family, string>> = {
  plain: "No critic, no groups",
  group: "Compares rollouts of a task",
  "token-critic": "A critic over tokens",
  "turn-critic": "A critic over turns",
  "turns-in-group": "Compares turns within groups",
};

export function algorithmFamily({ baseline }: Pick<AlgorithmRow, "baseline">): Family {
  return baselines[baseline].family;
}
