/** The questions of a notebook whose bodies can be read. */
import { cellsWith, type Cell } from "../../cell.ts";
import { readFields } from "../../cellFields.ts";
import type { Quiz } from "../../quiz.ts";

export interface CellQuestion extends Quiz {
  id: string;
  /** Its text, which is the key of its answers. */
  body: string;
  isHidden: boolean;
}

export function questionsIn(cells: readonly Cell[]): CellQuestion[] {
  return cellsWith(cells, "isQuestion").flatMap(({ id, body, flags }) => {
    const quiz = readFields("quiz", body).value;
    return quiz ? [{ ...quiz, id, body, isHidden: flags.includes("hide") }] : [];
  });
}
