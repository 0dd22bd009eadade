/** How a fork's numbers stand to the truth of the same turn. */
import type { ForkAnswer } from "../../runtime/questions.ts";
import { TRUTH_BRANCHES } from "../../store/findTruth.ts";
import type { EpisodeTruth } from "../../reading/truths.ts";
import { policyName } from "../../figures/truthWords.ts";
import { words } from "./words.ts";

/** `truth`: what is known of the forked episode; null where nothing is. */
export function sameDraws(
  { branches, trained }: Pick<ForkAnswer, "branches" | "trained">,
  truth: EpisodeTruth | null,
): string {
  const found = truth?.found;
  // The run may have gone on since: the truth that is still to be found is the live policy's.
  if (!found)
    return words.ifSamePolicy(policyName(trained), compareDraws(branches, TRUTH_BRANCHES));
  if (found.trained !== trained) return words.otherPolicy(policyName(found.trained));
  return compareDraws(branches, found.branches);
}

/** Both of the same policy. */
function compareDraws(here: number, there: number): string {
  if (here === there) return words.sameDraws(there);
  return here < there ? words.fewerDraws(here, there) : words.moreDraws(here, there);
}
