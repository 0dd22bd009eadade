/** Where the cursor can jump: to the critic's largest TD error, to clipped turns, to either end. */
import { finite } from "../../numeric/finite.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { resolveChoice, type ChoiceMove, type TurnChoice } from "../../store/turnChoice.ts";
import { criticFor, isUntrained, type Critic } from "../../reading/critics.ts";
import { indexOfLargest, tdErrors } from "../../reading/tdErrors.ts";

interface JumpPlace {
  episode: number;
  turn: number;
}

/** To the turn of the episode with the critic's largest TD error. */
export const toLargestError: ChoiceMove = (log, choice) => {
  const { algorithm, episodes, episode } = resolveChoice(log, choice);
  const record = episodes[episode];
  if (!record) return choice;
  const critic = criticFor(log.start?.spec, algorithm, episodes);
  const errors = errorsOf([record], episodes, critic);
  const turn = indexOfLargest(errors);
  return turn === null || errors[turn] === 0 ? choice : goTo(choice, { episode, turn });
};

/** The same over all recorded episodes of the iteration. */
export const toLargestErrorOfAll: ChoiceMove = (log, choice) => {
  const { algorithm, episodes } = resolveChoice(log, choice);
  const critic = criticFor(log.start?.spec, algorithm, episodes);
  const places = placesOf(episodes);
  const best = indexOfLargest(errorsOf(episodes, episodes, critic));
  return best === null ? choice : goTo(choice, places[best]!);
};

/** To the next clipped turn, on into the next episodes and back to the first. */
export const toNextClipped: ChoiceMove = (log, choice) => {
  const { episodes, episode, turn } = resolveChoice(log, choice);
  const places = placesOf(episodes);
  const here = places.findIndex((place) => place.episode === episode && place.turn === turn);
  const ahead = [...places.slice(here + 1), ...places.slice(0, here)];
  const next = ahead.find((place) => episodes[place.episode]!.turns[place.turn]!.clipped === true);
  return next ? goTo(choice, next) : choice;
};

/** Iterations around the cursor's that are searched for a clipped turn if its own has none. */
const NEARBY = 20;

/**
 * To the most clipped turn of the iteration, or of the nearest iteration with one: the turn with
 * the most clipped tokens; if the log has no clip data of tokens, the clipped turn whose ratio is
 * furthest from 1.
 */
export const toMostClipped: ChoiceMove = (log, choice) => {
  const { algorithm, iteration } = resolveChoice(log, choice);
  const away = (n: number) => Math.abs(n - iteration);
  const near = log
    .iterationsWithEpisodes(algorithm)
    .toSorted((a, b) => away(a) - away(b))
    .slice(0, NEARBY);
  for (const n of near) {
    const place = mostClipped(log.peekEpisodes(algorithm, n) ?? []);
    if (!place) continue;
    return goTo(n === iteration ? choice : { ...choice, iteration: n }, place);
  }
  return choice;
};

function mostClipped(episodes: readonly EpisodeRecord[]): JumpPlace | null {
  const clipped = placesOf(episodes).flatMap((place) => {
    const turn = episodes[place.episode]!.turns[place.turn]!;
    if (turn.clipped !== true) return [];
    const tokens = turn.tokens.filter((token) => token.clipped === true).length;
    return [{ place, tokens, move: finite(Math.abs(Math.log(turn.ratio))) ?? 0 }];
  });
  const most = clipped.sort((a, b) => b.tokens - a.tokens || b.move - a.move)[0];
  return most ? most.place : null;
}

export const toFirstTurn: ChoiceMove = (log, choice) => {
  const { episode } = resolveChoice(log, choice);
  return goTo(choice, { episode, turn: 0 });
};

export const toLastTurn: ChoiceMove = (log, choice) => {
  const { episodes, episode } = resolveChoice(log, choice);
  const turns = episodes[episode]?.turns.length ?? 1;
  return goTo(choice, { episode, turn: Math.max(0, turns - 1) });
};

/** Of the given episodes, one after another; empty if the critic has not learned anything yet. */
function errorsOf(
  asked: readonly EpisodeRecord[],
  all: readonly EpisodeRecord[],
  critic: Critic | null,
): (number | null)[] {
  const turns = all.flatMap((episode) => episode.turns);
  if (isUntrained(turns, critic)) return [];
  return asked.flatMap((episode) => tdErrors(episode, critic));
}

/** The place of each turn of all episodes, one after another. */
function placesOf(episodes: readonly EpisodeRecord[]): JumpPlace[] {
  return episodes.flatMap((record, episode) => record.turns.map((_, turn) => ({ episode, turn })));
}

function goTo(choice: TurnChoice, { episode, turn }: JumpPlace): TurnChoice {
  return { ...choice, episode, turn, token: null };
}
