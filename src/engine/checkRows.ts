/** Checks of token rows that every engine needs: kernels use each id as an address. */
import type { TokenRows } from "./engine.ts";

/**
 * Padding tokens, and labels outside of `wanted`, may be anything.
 * @throws RangeError that names the row, the position, the value and what is allowed.
 */
export function checkTokenRows(
  { B, L, ids, position, segment, labels }: TokenRows,
  vocabSize: number,
  wanted: (index: number) => boolean,
): void {
  for (let i = 0; i < B * L; i++) {
    if (segment[i]! < 0) continue;
    if (!isToken(ids[i]!, vocabSize)) refuse("ids", i, L, ids[i], `0 to ${vocabSize - 1}`);
    if (!(position[i]! >= 0)) refuse("position", i, L, position[i], "0 or more");
    if (!labels || isToken(labels[i]!, vocabSize) || !wanted(i)) continue;
    refuse("labels", i, L, labels[i], `0 to ${vocabSize - 1}`);
  }
}

export const isToken = (id: number, vocabSize: number): boolean =>
  Number.isInteger(id) && id >= 0 && id < vocabSize;

function refuse(
  field: string,
  index: number,
  L: number,
  value: number | undefined,
  allowed: string,
): never {
  const [row, place] = [Math.floor(index / L), index % L];
  throw new RangeError(`rows.${field}, row ${row}, place ${place}: ${value}; allowed: ${allowed}`);
}
