/** Long conversations in parts: few enough tokens and turns at once that the page stays fast. */

/** Whole turns, or a part of one turn that is too long. */
import { append } from "../../numeric/lists.ts";
export interface TokenPage {
  fromTurn: number;
  toTurn: number;
  /** Tokens of the turn; null for whole turns. */
  tokens: { from: number; to: number } | null;
}

export const MOST_TOKENS = 1000;
const MOST_TURNS = 50;

/** Independent of the cursor, so that nothing shifts while it moves within a part. counts: tokens per turn. */
export function pagesOf(counts: readonly number[]): TokenPage[] {
  const pages: TokenPage[] = [];
  let open: TokenPage | null = null;
  let tokens = 0;
  counts.forEach((count, h) => {
    if (count > MOST_TOKENS) {
      open = null;
      append(pages, stretches(h, count));
      return;
    }
    if (!open || tokens + count > MOST_TOKENS || h - open.fromTurn >= MOST_TURNS) {
      open = { fromTurn: h, toTurn: h, tokens: null };
      tokens = 0;
      pages.push(open);
    }
    open.toTurn = h + 1;
    tokens += count;
  });
  return pages;
}

function stretches(turn: number, count: number): TokenPage[] {
  const number = Math.ceil(count / MOST_TOKENS);
  return Array.from({ length: number }, (_, i) => ({
    fromTurn: turn,
    toTurn: turn + 1,
    tokens: { from: i * MOST_TOKENS, to: Math.min((i + 1) * MOST_TOKENS, count) },
  }));
}

/** The part that contains a place. */
export function pageAt(pages: readonly TokenPage[], turn: number, token: number): number {
  return Math.max(
    0,
    pages.findIndex(
      ({ fromTurn, toTurn, tokens }) =>
        turn >= fromTurn &&
        turn < toTurn &&
        (!tokens || (token >= tokens.from && token < tokens.to)),
    ),
  );
}
