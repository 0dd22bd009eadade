/** Says whose the true values are, where other policies played the episodes; nothing where the same did. */
import { otherPolicies } from "../../../figures/truthWords.ts";

/** `trained`: as `otherPolicy` has it, of each truth that is shown. */
export function TruthPolicy({ trained }: { trained: readonly number[] }) {
  const text = otherPolicies(trained);
  if (text === null) return null;
  return (
    <p className="note truth-policy" data-testid="truth-policy">
      {text}
    </p>
  );
}
