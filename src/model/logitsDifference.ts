/** How far the distributions of two sets of logits are apart. */
import { greatest } from "../numeric/lists.ts";
import { mean } from "../numeric/statistics.ts";

interface LogitsDifference {
  /** Mean over tokens of KL(expected || actual), in nats. */
  kl: number;
  /** Share of tokens for which both find the same id likeliest. */
  top1: number;
}

/** Both [L][V]. */
export function logitsDifference(
  expected: readonly (readonly number[])[],
  actual: readonly (readonly number[])[],
): LogitsDifference {
  const pairs = expected.map((row, t) => [logProbs(row), logProbs(actual[t]!)] as const);
  const kl = pairs.map(([p, q]) => p.reduce((sum, x, v) => sum + Math.exp(x) * (x - q[v]!), 0));
  const same = pairs.filter(([p, q]) => likeliest(p) === likeliest(q)).length;
  return { kl: mean(kl), top1: same / pairs.length };
}

const likeliest = (row: readonly number[]) => row.indexOf(greatest(row));

/** Log-softmax. */
function logProbs(row: readonly number[]): number[] {
  const most = greatest(row);
  const sum = Math.log(row.reduce((all, z) => all + Math.exp(z - most), 0));
  return row.map((z) => z - most - sum);
}
