/** How sure a policy was of a response. */
import { exp } from "../numeric/deterministic.ts";

/**
 * The geometric mean of the tokens' probabilities under a policy, exp(sum of log p / tokens), in 0 .. 1: of one length with another,
 * so that long responses are not unsure by their length. null without tokens or with a log-prob that is not finite.
 */
export function confidenceOf(logprobs: readonly number[]): number | null {
  const sum = logprobs.reduce((all, one) => all + one, 0);
  return logprobs.length > 0 && Number.isFinite(sum) ? exp(sum / logprobs.length) : null;
}
