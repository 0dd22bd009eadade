/** The columns of the table: an episode as its turns, their tokens, or as a whole. */
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import { visible } from "../../text/visible.ts";
import { stretchAt, type Stretch } from "../../numeric/stretch.ts";

/** What the cells of the table show. */
export type Quantity = "advantage" | "ratio" | "clip";

export type Grain = "token" | "turn" | "episode";

export interface CreditColumn {
  /** "2" is turn 2, "2.3" its third token, "all" the episode. */
  id: string;
  /** From 0; null: the episode as a whole. */
  turn: number | null;
  /** From 0; null: the turn as a whole. */
  token: number | null;
  /** Text of a token, with visible spaces and line breaks. */
  text: string;
}

/** With more columns a table is illegible: then only those around the cursor are shown. */
const MAX_TOKENS = 160;

/** Cells of strips are narrower. */
export const MOST_CELLS = 1000;

/** Turns that are expanded into their tokens. */
export function openTurns(
  episode: EpisodeRecord,
  grain: Grain,
  chosen: ReadonlySet<number>,
  cursor: number,
): Set<number> {
  if (grain === "episode") return new Set();
  if (grain === "turn") return new Set([...chosen].filter((h) => h < episode.turns.length));
  const tokens = episode.turns.reduce((sum, turn) => sum + turn.tokens.length, 0);
  return new Set(tokens > MOST_CELLS ? [cursor] : episode.turns.keys());
}

/** Maximum turns with columns at a time. */
export const MAX_TURNS = 48;

/** The part of a long episode that has columns. */
interface ColumnPart {
  turns: Stretch;
  /** For a turn with more than MAX_TOKENS: the first token with a column; in other turns all have one. */
  token: { turn: number; from: number };
  /** Tokens of a turn that have columns. */
  most: number;
}

/** The part around the cursor; the same for any cursor position in it. */
export function partAt(
  { turns }: EpisodeRecord,
  turn: number,
  token: number | null,
  grain: Grain = "turn",
): ColumnPart {
  const tokens = turns[turn]?.tokens.length ?? 0;
  const most = grain === "token" ? MOST_CELLS : MAX_TOKENS;
  const { from } = stretchAt(token ?? 0, tokens, most);
  // Turn 0 represents all turns in which nothing is left out.
  const at = from === 0 ? { turn: 0, from: 0 } : { turn, from };
  return { turns: stretchAt(turn, turns.length, MAX_TURNS), token: at, most };
}

export function columnsOf(
  episode: EpisodeRecord,
  grain: Grain,
  open: ReadonlySet<number>,
  part: ColumnPart = partAt(episode, 0, null),
): CreditColumn[] {
  if (grain === "episode") return [{ id: "all", turn: null, token: null, text: "" }];
  const { from, to } = part.turns;
  return episode.turns.slice(from, to).flatMap((turn, i) => {
    const h = from + i;
    const whole = { id: String(h + 1), turn: h, token: null, text: "" };
    if (!open.has(h)) return [whole];
    const tokens = tokensOf(turn, h, part.token.turn === h ? part.token.from : 0, part.most);
    return grain === "token" && tokens.length > 0 ? tokens : [whole, ...tokens];
  });
}

function tokensOf(
  { tokens }: TurnRecord,
  turn: number,
  from: number,
  most: number,
): CreditColumn[] {
  return tokens.slice(from, from + most).map(({ text }, i) => {
    const token = from + i;
    return { id: `${turn + 1}.${token + 1}`, turn, token, text: visible(text) };
  });
}
