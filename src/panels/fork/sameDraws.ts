/** How a fork's numbers relate to the truth of the same turn. */
import type { ForkAnswer } from "../../runtime/questions.ts";
import { TRUTH_BRANCHES } from "../../store/findTruth.ts";
import type { EpisodeTruth } from "../../reading/truths.ts";
import { policyName } from "../../figures/truthWords.ts";
import { words } from "./words.ts";

/** `truth`: the known truth of the forked episode; null if unknown. */
export function sameDraws(
  { branches, trained }: Pick<ForkAnswer, "branches" | "trained">,
  truth: EpisodeTruth | null,
): string {
  const found = truth?.found;
  // The run may have continued since: a truth estimated now is the live policy's.
  if (!found)
    return words.ifSamePolicy(policyName(trained), compareDraws(branches, TRUTH_BRANCHES));
  if (found.trained !== trained) return words.otherPolicy(policyName(found.trained));
  return compareDraws(branches, found.branches);
}

/** Both under the same policy. */
function compareDraws(here: number, there: number): string {
  if (here === there) return words.sameDraws(there);
  return here < there ? words.fewerDraws(here, there) : words.moreDraws(here, there);
}
