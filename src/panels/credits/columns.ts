/** The columns of the table: an episode as its turns, their tokens, or as a whole. */
import type { EpisodeRecord } from "../../record/runEvent.ts";

export type Grain = "token" | "turn" | "episode";

export interface Column {
  /** "2" is turn 2, "2.3" its third token, "all" the episode. */
  id: string;
  /** From 0; null: the episode as a whole. */
  turn: number | null;
  /** From 0; null: the turn as a whole. */
  token: number | null;
  /** Text of a token, spaces and line breaks made visible. */
  text: string;
}

/** Beyond that many tokens a table cannot be read: only those of the turn at the cursor are shown then. */
export const MAX_TOKENS = 160;

/** Turns that are opened into their tokens. */
export function openTurns(
  episode: EpisodeRecord,
  grain: Grain,
  chosen: ReadonlySet<number>,
  cursor: number,
): Set<number> {
  if (grain === "episode") return new Set();
  if (grain === "turn") return new Set([...chosen].filter((h) => h < episode.turns.length));
  const tokens = episode.turns.reduce((sum, turn) => sum + turn.tokens.length, 0);
  return new Set(tokens > MAX_TOKENS ? [cursor] : episode.turns.keys());
}

export function columnsOf(
  episode: EpisodeRecord,
  grain: Grain,
  open: ReadonlySet<number>,
): Column[] {
  if (grain === "episode") return [{ id: "all", turn: null, token: null, text: "" }];
  return episode.turns.flatMap((turn, h) => {
    const tokens = turn.tokens.map(({ text }, t) => ({
      id: `${h + 1}.${t + 1}`,
      ...{ turn: h, token: t, text: visible(text) },
    }));
    const whole = { id: String(h + 1), turn: h, token: null, text: "" };
    if (!open.has(h)) return [whole];
    return grain === "token" && tokens.length > 0 ? tokens : [whole, ...tokens];
  });
}

/** Spaces and line breaks as something that one sees. */
export function visible(text: string): string {
  return text.replaceAll(" ", "·").replaceAll("\n", "⏎").replaceAll("\t", "→");
}
