/** Which policies the true values belong to, if other policies played the episodes; nothing if the same did. */
import { otherPolicies } from "../../../figures/truthWords.ts";

/** `trained`: as in `otherPolicy`, for each truth shown. */
export function TruthPolicy({ trained }: { trained: readonly number[] }) {
  const text = otherPolicies(trained);
  if (text === null) return null;
  return (
    <p className="note truth-policy" data-testid="truth-policy">
      {text}
    </p>
  );
}
