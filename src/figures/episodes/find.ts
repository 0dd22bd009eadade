/** Searches for a text in observations, responses and actions. */
import type { EpisodeRecord } from "../../record/runEvent.ts";

type Where = "observation" | "response" | "action";

/** The first position of a text in an episode, with its context. */
export interface Hit {
  turn: number;
  where: Where;
  before: string;
  match: string;
  after: string;
}

/** Characters shown on either side. */
const AROUND = 28;

/** Null without a search text. Case-insensitive; all other characters are literal. */
export function finder(query: string): ((episode: EpisodeRecord) => Hit | null) | null {
  if (query === "") return null;
  const pattern = new RegExp(query.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), "iu");
  return (episode) => firstIn(episode, pattern);
}

function firstIn({ turns, finalObservation }: EpisodeRecord, pattern: RegExp): Hit | null {
  for (const [turn, { observation, text, actions }] of turns.entries()) {
    const hit =
      hitIn(observation, pattern, turn, "observation") ??
      hitIn(text, pattern, turn, "response") ??
      hitIn(actions?.join(" ") ?? "", pattern, turn, "action");
    if (hit) return hit;
  }
  return hitIn(finalObservation, pattern, Math.max(0, turns.length - 1), "observation");
}

function hitIn(text: string, pattern: RegExp, turn: number, where: Where): Hit | null {
  const found = pattern.exec(text);
  if (!found) return null;
  const end = found.index + found[0].length;
  const from = Math.max(0, found.index - AROUND);
  const to = Math.min(text.length, end + AROUND);
  return {
    turn,
    where,
    before: (from > 0 ? "…" : "") + copy(text.slice(from, found.index)),
    match: copy(found[0]),
    after: copy(text.slice(end, to)) + (to < text.length ? "…" : ""),
  };
}

/** On one line; copied character by character, because a slice would keep the whole original string in memory. */
function copy(part: string): string {
  return [...part.replaceAll(/\s+/g, " ")].join("");
}
