/** Splits token rows into the sequences that attention sees, and rounds shapes up to few sizes. */
import type { TokenRows } from "./engine.ts";

/** Token indices of each segment of each row, in order, up to the last wanted one. */
export function sequences(rows: TokenRows, wanted: (index: number) => boolean): number[][] {
  const { B, L, segment } = rows;
  const all: number[][] = [];
  for (let b = 0; b < B; b++) {
    const open = new Map<number, { tokens: number[]; used: number }>();
    for (let i = b * L; i < (b + 1) * L; i++) {
      const id = segment[i]!;
      if (id < 0) continue;
      const entry = open.get(id) ?? { tokens: [], used: 0 };
      open.set(id, entry);
      entry.tokens.push(i);
      if (wanted(i)) entry.used = entry.tokens.length;
    }
    for (const { tokens, used } of open.values()) if (used > 0) all.push(tokens.slice(0, used));
  }
  return all;
}

/** Next 2^k or 3*2^k: 1, 2, 3, 4, 6, 8, 12, ... */
export function countBucket(n: number): number {
  let size = 1;
  while (size < n) size *= 2;
  return size >= 4 && (size / 4) * 3 >= n ? (size / 4) * 3 : size;
}
