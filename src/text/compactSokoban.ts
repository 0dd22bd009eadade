/**
 * The compact Sokoban format of the from-scratch models. Query: a token per cell, row by row, then
 * turns left, actions left and the state-end. Response: actions between separators, closed by the
 * turn's end. The board is the whole state, so a query is complete and turn context loses nothing.
 * With a think block the query ends in its opening tag, and the response begins with the moves that
 * the policy plans.
 */
import { compactWords, type CompactOptions, type PlanAdapter } from "./compactWords.ts";
import { sokobanTokenizer } from "./domainVocabulary.ts";

export type SokobanAdapter = PlanAdapter;

/** A board's rows, concatenated. */
export function compactSokoban(options: CompactOptions): SokobanAdapter {
  return compactWords(sokobanTokenizer(), options, (board) => board.replaceAll("\n", ""));
}
