/** Stacks returns for a picture. */
import { mean } from "../../numeric/statistics.ts";

/** Returns of one size, and their number. */
interface Stack {
  value: number;
  count: number;
}

/** Similar returns in columns, ascending: each column is at the mean of its own. */
export function stacks(
  returns: readonly number[],
  bins: number,
  from: number,
  to: number,
): Stack[] {
  const width = (to - from) / bins || 1;
  const columns = new Map<number, number[]>();
  for (const G of returns) {
    const at = Math.min(bins - 1, Math.floor((G - from) / width));
    columns.set(at, [...(columns.get(at) ?? []), G]);
  }
  return [...columns]
    .sort(([a], [b]) => a - b)
    .map(([, values]) => ({ value: mean(values), count: values.length }));
}
