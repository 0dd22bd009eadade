/** The reader's own code in a row's formula. */
import type { AlgorithmConfig } from "../algorithms.ts";
import type { RowKind } from "../definitions.ts";
import { wording, type TexPiece } from "../../method/formula/tex.ts";

/** The function's name, marked as the reader's code; null if the row has no code for that choice. */
export function codeTerm({ own }: Pick<AlgorithmConfig, "own">, kind: RowKind): TexPiece | null {
  const name = own?.[kind];
  if (name === undefined) return null;
  return wording(`\\underbrace{\\texttt{${name.replaceAll("_", "\\_")}}}_{\\text{your code}}`);
}
