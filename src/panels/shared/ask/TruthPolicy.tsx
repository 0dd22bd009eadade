/** Says whose the true values are, where other policies played the episodes; nothing where the same did. */
import { words } from "./words.ts";

/** `trained`: as `otherPolicy` has it, of each truth that is shown. */
export function TruthPolicy({ trained }: { trained: readonly number[] }) {
  const all = [...new Set(trained)].sort((a, b) => a - b);
  if (all.length === 0) return null;
  return (
    <p className="note truth-policy" data-testid="truth-policy">
      {words.truthOther(all)}
    </p>
  );
}
