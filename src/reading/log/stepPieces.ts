/** A step's episodes in pieces, so that taking one in is a short task, and leaves no garbage on the page's thread. */
import { append } from "../../numeric/lists.ts";
import type { EpisodeRecord, TokenRecord } from "../../record/runEvent.ts";

/** Whole episodes, or more tokens of a turn of the last one. */
export type StepPiece =
  { episodes: EpisodeRecord[] } | { turn: number; tokens: readonly TokenRecord[] };

/** Tokens of a piece, and characters of its texts: a millisecond or two. */
const [TOKENS, TEXT] = [1000, 250_000];

export function* stepPieces(episodes: readonly EpisodeRecord[]): Generator<StepPiece> {
  let held: EpisodeRecord[] = [];
  let [tokens, text] = [0, 0];
  for (const episode of episodes) {
    const size = sizeOf(episode);
    if (held.length > 0 && (tokens + size.tokens > TOKENS || text + size.text > TEXT)) {
      yield { episodes: held };
      [held, tokens, text] = [[], 0, 0];
    }
    if (size.tokens > TOKENS) {
      yield* longEpisode(episode);
      continue;
    }
    held.push(episode);
    tokens += size.tokens;
    text += size.text;
  }
  if (held.length > 0) yield { episodes: held };
}

function sizeOf({ turns }: EpisodeRecord): { tokens: number; text: number } {
  let [tokens, text] = [0, 0];
  for (const turn of turns) {
    tokens += turn.tokens.length;
    text += turn.observation.length + turn.text.length;
  }
  return { tokens, text };
}

function* longEpisode(episode: EpisodeRecord): Generator<StepPiece> {
  const turns = episode.turns.map((turn) => ({ ...turn, tokens: [] }));
  yield { episodes: [{ ...episode, turns }] };
  for (const [turn, { tokens }] of episode.turns.entries())
    for (let at = 0; at < tokens.length; at += TOKENS)
      yield { turn, tokens: tokens.slice(at, at + TOKENS) };
}

/** Adds what a piece has to those of the pieces before. */
export function addPiece(episodes: EpisodeRecord[], piece: StepPiece): void {
  if ("episodes" in piece) append(episodes, piece.episodes);
  else append(episodes.at(-1)!.turns[piece.turn]!.tokens, piece.tokens);
}
