/** A game between the reader and the live policy: who said what, and what the worker makes of it. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { PlayAnswer, PlayQuestion, Said } from "../../runtime/questions.ts";
import { useExperiment } from "../../store/hooks.ts";
import { useAsking } from "../ask/useAsking.ts";

export type Who = "you" | "policy" | "recorded";

export interface Turn {
  who: Who;
  said: Said;
}

export interface Game {
  seed: number;
  turns: readonly Turn[];
  /** Where that leads; null until the worker has said. */
  answer: PlayAnswer | null;
}

/** Milliseconds between two turns of the policy, so that one can follow. */
const STEP = 400;

export function useGame(algorithm: string) {
  const { session } = useExperiment();
  const asking = useAsking();
  const { ask } = asking;
  const [game, setGame] = useState<Game | null>(null);
  const [auto, setAuto] = useState(false);
  // Other chances each time, the same ones for the same sequence of presses.
  const draws = useRef(0);
  const send = useCallback(
    (seed: number, turns: readonly Turn[], take: boolean) => {
      const draw = take ? draws.current++ : 0;
      const said = turns.map((turn) => turn.said);
      const question: PlayQuestion = { kind: "play", algorithm, seed, said, take, draw };
      ask(
        (onProgress) => session.ask(question, onProgress),
        (answer) => {
          const more = answer.taken ? [{ who: "policy" as const, said: answer.taken }] : [];
          setGame({ seed, turns: [...turns, ...more], answer });
          if (answer.over) setAuto(false);
        },
      );
    },
    [algorithm, ask, session],
  );
  // One turn after the other, while the policy has it.
  useEffect(() => {
    if (!auto || !game || asking.progress) return;
    const timer = setTimeout(() => send(game.seed, game.turns, true), STEP);
    return () => clearTimeout(timer);
  }, [auto, game, asking.progress, send]);
  const hand = (next: () => void) => {
    setAuto(false);
    next();
  };
  const over = game?.answer?.over ?? true;
  return {
    game,
    asking,
    auto,
    begin: (seed: number, turns: readonly Turn[] = []) => hand(() => send(seed, turns, false)),
    say: (text: string) => {
      if (!game || over) return;
      hand(() => send(game.seed, [...game.turns, { who: "you", said: { text } }], false));
    },
    take: () => game && !over && hand(() => send(game.seed, game.turns, true)),
    takeBack: () =>
      game && game.turns.length > 0 && hand(() => send(game.seed, game.turns.slice(0, -1), false)),
    setAuto: (on: boolean) => setAuto(on && !over),
    /** The same place, seen by the policy as it is now. */
    refresh: () => game && send(game.seed, game.turns, false),
  };
}

export type GameControls = ReturnType<typeof useGame>;
