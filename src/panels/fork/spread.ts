/** What K returns tell: their mean with its interval, and how two of them differ. */
import { mean, studentT, variance } from "../../numeric/statistics.ts";
import type { Estimate } from "../../runtime/questions.ts";

const LEVEL = 0.95;

/** Mean of the returns with its 95 % t interval; the interval is NaN for fewer than two. */
export function meanOf(returns: readonly number[]): Estimate {
  const n = returns.length;
  return around(mean(returns), n < 2 ? NaN : variance(returns) / n, n - 1);
}

/** mean(a) - mean(b) of independent samples, with Welch's interval. */
export function difference(a: readonly number[], b: readonly number[]): Estimate {
  const parts = [a, b].map((x) => (x.length < 2 ? NaN : variance(x) / x.length));
  const sum = parts[0]! + parts[1]!;
  const squares = parts[0]! ** 2 / (a.length - 1) + parts[1]! ** 2 / (b.length - 1);
  const df = squares > 0 ? Math.floor(sum ** 2 / squares) : 1;
  return around(mean(a) - mean(b), sum, Math.max(1, df));
}

function around(x: number, spread: number, df: number): Estimate {
  const half = Number.isNaN(spread) ? NaN : spread === 0 ? 0 : studentT(LEVEL, df) * spread ** 0.5;
  return { mean: x, low: x - half, high: x + half };
}

/** Returns of one height, and how many there are. */
export interface Stack {
  value: number;
  count: number;
}

/** Returns of like size in columns, ascending: each stands at the mean of its own. */
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
