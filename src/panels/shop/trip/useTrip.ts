/** What a reader does with a trip: guess, go from page to page and from attempt to attempt, play, open a page. */
import { useEffect, useState, type RefObject } from "react";
import type { TripCredit } from "../../../reading/shop/tripCredit.ts";
import { useGuessKeys } from "../../../store/guessKeys.ts";
import type { ResolvedChoice } from "../../../store/turnChoice.ts";
import { useActions } from "../../../ui/useActions.ts";
import { useCursor } from "../../shared/useCursor.ts";
import { bestOf } from "./facts.ts";

/** Milliseconds per page while it plays. */
const PACE = 900;

/** `root`: the element with the keys' scope. */
export function useTrip(
  root: RefObject<HTMLElement | null>,
  { record: { trajectory, turns }, truth }: TripCredit,
  at: ResolvedChoice,
) {
  const { move } = useCursor();
  const id = [at.algorithm, at.iteration, trajectory].join("|");
  const [guesses, setGuesses] = useState<Readonly<Record<string, number>>>({});
  const [moved, setMoved] = useState<string | null>(null);
  const [isOpen, open] = useState(false);
  const guess = guesses[id] ?? null;
  const go = (turn: number) => {
    move({ episode: at.episode, turn, token: null });
    setMoved(id);
  };
  const [plays, setPlays] = usePlay(at.turn, turns.length, go);
  useEffect(() => {
    if (guess === null) return;
    const find = (selector: string) => root.current?.querySelector<HTMLElement>(selector);
    // What was pressed is gone.
    if (document.activeElement === document.body)
      find(".trip-page[aria-pressed=true]")?.focus({ preventScroll: true });
    find("[role=status]")?.scrollIntoView({ block: "nearest" });
  }, [root, guess]);
  const by = (turn: number) => {
    setPlays(false);
    go(Math.max(0, Math.min(turn, turns.length - 1)));
  };
  const choose = (turn: number) => {
    if (!truth || guess !== null) return by(turn);
    setGuesses({ ...guesses, [id]: turn });
    // The answer speaks of the best turn.
    by(bestOf(truth));
  };
  const attempt = (episode: number) => {
    setPlays(false);
    move({ episode: Math.max(0, Math.min(episode, at.episodes.length - 1)), turn: 0, token: null });
  };
  const play = () => {
    if (!plays) go(at.turn === turns.length - 1 ? 0 : at.turn);
    setPlays(!plays);
  };
  const here = guess !== null || moved === id ? at.turn : null;
  const acts: Readonly<Record<string, () => void>> = {
    // The first press shows the cursor.
    nextPage: () => by(here === null ? 0 : here + 1),
    previousPage: () => by((here ?? 1) - 1),
    nextAttempt: () => attempt(at.episode + 1),
    previousAttempt: () => attempt(at.episode - 1),
    playReplay: play,
    openPage: () => open(true),
  };
  useActions(root, (action) => acts[action]?.());
  useGuessKeys(turns.length, choose);
  return { here, guess, plays, isOpen, choose, play, open, attempt };
}

/** Turn by turn, to the last. */
function usePlay(turn: number, count: number, go: (turn: number) => void) {
  const [wanted, setPlays] = useState(false);
  const plays = wanted && turn < count - 1;
  useEffect(() => {
    if (!plays) return undefined;
    const timer = setTimeout(() => go(turn + 1), PACE);
    return () => clearTimeout(timer);
  });
  return [plays, setPlays] as const;
}
