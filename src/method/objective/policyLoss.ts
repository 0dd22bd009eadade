/** The policy loss and its exact gradient: ratio level, clip rule and aggregation combined. */
import { clips, type ClipName } from "../clip/clips.ts";
import type { ClipNumbers, PolicyInput, PolicyLoss, RatioInput } from "./policyTypes.ts";
import { reinforceLoss } from "./reinforceLoss.ts";

/** The loss under the input's clip rule; without a ratio there is nothing to clip. */
export function policyLoss(
  input: PolicyInput & { clip: ClipNumbers & { clip: ClipName } },
): PolicyLoss {
  return hasRatio(input) ? clips[input.clip.clip].loss(input) : reinforceLoss(input);
}

function hasRatio(input: PolicyInput): input is RatioInput {
  return input.level !== "none";
}
