/**
 * Asks the live critic about the board at the cursor; an answer about another place is not shown.
 */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { ValuesAnswer } from "../../runtime/questions.ts";
import type { Asking } from "../../store/asking.ts";
import { forkKey } from "../../store/forks.ts";
import { useExperiment } from "../../store/hooks.ts";

interface ValuedEpisode {
  algorithm: string;
  iteration: number;
  episode: EpisodeRecord;
  turn: number;
}

export type ValuesState =
  | { state: "none" }
  | { state: "asking" }
  | { state: "known"; answer: ValuesAnswer }
  | { state: "refused"; message: string };

interface Values {
  values: ValuesState;
  ask: () => void;
}

/** Milliseconds that the cursor must rest before a question is sent. */
const TIME_LIMIT = 120;

const NOTHING: ValuesState = { state: "none" };

/** `follow`: asks again whenever the cursor moves. */
export function useValues(
  { algorithm, iteration, episode, turn }: ValuedEpisode,
  follow: boolean,
): Values {
  const { session } = useExperiment();
  const place = [algorithm, iteration, episode.trajectory, turn, forkKey(episode)].join("|");
  const [known, setKnown] = useState<{ place: string; values: ValuesState }>({
    place,
    values: NOTHING,
  });
  const asking = useRef<Asking<ValuesAnswer> | null>(null);
  const show = (state: ValuesState) => setKnown({ place, values: state });
  const ask = () => {
    asking.current?.withdraw();
    const mine = session.ask({ kind: "values", algorithm, episode, turn });
    asking.current = mine;
    show({ state: "asking" });
    const ifMine = (state: ValuesState) => {
      if (asking.current === mine) show(state);
    };
    mine.answer.then(
      (answer) => ifMine({ state: "known", answer }),
      (error: unknown) => ifMine({ state: "refused", message: (error as Error).message }),
    );
  };
  const askNow = useEffectEvent(ask);
  useEffect(() => {
    if (!follow) return;
    const timer = setTimeout(() => askNow(), TIME_LIMIT);
    return () => clearTimeout(timer);
  }, [place, follow]);
  useEffect(() => () => asking.current?.withdraw(), []);
  return { values: known.place === place ? known.values : NOTHING, ask };
}
