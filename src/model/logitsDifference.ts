/** How far the distributions of two sets of logits are apart. */
import type { EngineModel } from "../engine/engine.ts";
import { greatest } from "../numeric/lists.ts";
import { mean } from "../numeric/statistics.ts";
import { singleRow } from "./speak.ts";

export interface LogitsDifference {
  /** Mean over tokens of KL(expected || actual), in nats. */
  kl: number;
  /** Share of tokens for which both find the same id likeliest. */
  top1: number;
}

/** A model's logits for one row of tokens. [L][V] */
export async function rowLogits(model: EngineModel, ids: readonly number[]): Promise<number[][]> {
  const rows = singleRow(ids);
  const { logits } = await model.forward({ rows, temperature: 1, logits: true });
  const V = logits!.length / ids.length;
  return ids.map((_, t) => [...logits!.subarray(t * V, (t + 1) * V)]);
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
