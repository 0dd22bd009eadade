/** Where the cursor can jump: to the critic's largest TD error, to clipped turns, to either end. */
import { finite } from "../../numeric/finite.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { criticFor, isUntrained } from "../../reading/critics.ts";
import { indexOfLargest, tdErrors } from "../../reading/tdErrors.ts";
import { resolveChoice, type ChoiceMove, type TurnChoice } from "../../store/turnChoice.ts";

interface JumpPlace {
  episode: number;
  turn: number;
}

/** To the critic's largest TD error in the episode, or in all recorded episodes of the iteration; nowhere before it has learned. */
const toError =
  (isOfAll: boolean): ChoiceMove =>
  (log, choice) => {
    const { algorithm, episodes, episode } = resolveChoice(log, choice);
    const critic = criticFor(log.start?.spec, algorithm, episodes);
    const turns = episodes.flatMap((one) => one.turns);
    if (isUntrained(turns, critic)) return choice;
    const errors = episodes.map((one) => tdErrors(one, critic));
    const places = placesOf(episodes).filter((place) => isOfAll || place.episode === episode);
    const sizes = places.map((place) => errors[place.episode]![place.turn]!);
    const best = indexOfLargest(sizes);
    return best === null || sizes[best] === 0 ? choice : goTo(choice, places[best]!);
  };

/** To the next clipped turn, on into the next episodes and back to the first. */
const toNextClipped: ChoiceMove = (log, choice) => {
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
const toMostClipped: ChoiceMove = (log, choice) => {
  const { algorithm, iteration } = resolveChoice(log, choice);
  const away = (n: number) => Math.abs(n - iteration);
  const near = log
    .iterationsWithEpisodes(algorithm)
    .toSorted((a, b) => away(a) - away(b))
    .slice(0, NEARBY);
  for (const n of near) {
    const place = mostClipped(log.peekEpisodes(algorithm, n) ?? []);
    if (place) return goTo(n === iteration ? choice : { ...choice, iteration: n }, place);
  }
  return choice;
};

function mostClipped(episodes: readonly EpisodeRecord[]): JumpPlace | undefined {
  const clipped = placesOf(episodes).flatMap((place) => {
    const turn = episodes[place.episode]!.turns[place.turn]!;
    if (turn.clipped !== true) return [];
    const tokens = turn.tokens.filter((token) => token.clipped === true).length;
    return [{ place, tokens, move: finite(Math.abs(Math.log(turn.ratio))) ?? 0 }];
  });
  return clipped.sort((a, b) => b.tokens - a.tokens || b.move - a.move)[0]?.place;
}

const toLastTurn: ChoiceMove = (log, choice) => {
  const { episodes, episode } = resolveChoice(log, choice);
  const turns = episodes[episode]?.turns.length ?? 1;
  return goTo(choice, { episode, turn: Math.max(0, turns - 1) });
};

/** By their actions in the table of keys. */
export const jumps = {
  largestError: toError(false),
  largestErrorOfAll: toError(true),
  nextClipped: toNextClipped,
  mostClipped: toMostClipped,
  firstTurn: (log, choice) => goTo(choice, { ...resolveChoice(log, choice), turn: 0 }),
  lastTurn: toLastTurn,
} satisfies Record<string, ChoiceMove>;

/** The place of each turn of all episodes, one after another. */
function placesOf(episodes: readonly EpisodeRecord[]): JumpPlace[] {
  return episodes.flatMap((record, episode) => record.turns.map((_, turn) => ({ episode, turn })));
}

function goTo(choice: TurnChoice, { episode, turn }: JumpPlace): TurnChoice {
  return { ...choice, episode, turn, token: null };
}
