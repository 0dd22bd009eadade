/** The policy loss and its exact gradient: ratio level, clip rule and aggregation combined. */
import { clips, type ClipName } from "../clip/clips.ts";
import { lossOfUnits } from "../clip/unitLoss.ts";
import type {
  ClipNumbers,
  OwnObjective,
  PolicyInput,
  PolicyLoss,
  RatioInput,
} from "./policyTypes.ts";
import { reinforceLoss } from "./reinforceLoss.ts";

/** The loss under the input's clip rule; without a ratio there is nothing to clip. */
export function policyLoss(
  input: PolicyInput & { clip: ClipNumbers & { clip: ClipName } },
): PolicyLoss {
  if (!hasRatio(input)) return reinforceLoss(input);
  return input.own?.clip ? ownLoss(input, input.own.clip) : clips[input.clip.clip].loss(input);
}

/** A unit whose objective does not change with its ratio is clipped. */
function ownLoss(input: RatioInput, own: NonNullable<OwnObjective["clip"]>): PolicyLoss {
  return lossOfUnits(input, (ratio, adv) => {
    const { value, derivative } = own(ratio, adv);
    return {
      loss: value.map((x) => -x), // [U]
      dRatio: derivative.map((x) => -x), // [U]
      clipped: Uint8Array.from(derivative, (x, u) => (x === 0 && adv[u] !== 0 ? 1 : 0)), // [U]
      clippedLower: new Uint8Array(ratio.length), // [U]
    };
  });
}

function hasRatio(input: PolicyInput): input is RatioInput {
  return input.level !== "none";
}
