/** How a fork's numbers stand to the truth of the same turn. */
import type { ForkAnswer } from "../../runtime/questions.ts";
import { TRUTH_BRANCHES } from "../../store/findTruth.ts";
import type { EpisodeTruth } from "../../store/truths.ts";
import { words as askWords } from "../ask/words.ts";
import { words } from "./words.ts";

/** `truth`: what is known of the forked episode; null where nothing is. */
export function sameDraws(
  { branches, trained }: Pick<ForkAnswer, "branches" | "trained">,
  truth: EpisodeTruth | null,
): string {
  const other = truth?.found?.trained ?? trained;
  if (other !== trained) return words.otherPolicy(askWords.policy(other));
  const K = truth?.found?.branches ?? TRUTH_BRANCHES;
  if (branches === K) return words.sameDraws(K);
  return branches < K ? words.fewerDraws(branches, K) : words.moreDraws(branches, K);
}
