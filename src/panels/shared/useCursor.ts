/** The run that panels show and the cursor they share. */
import { useMemo } from "react";
import type { EpisodeRecord, TokenRecord, TurnRecord } from "../../record/runEvent.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import {
  missedOf,
  resolveChoice,
  type Missed,
  type ResolvedChoice,
  type TurnChoice,
} from "../../store/turnChoice.ts";

export interface Cursor {
  view: RunView;
  /** Everything is in range for the run. */
  at: ResolvedChoice;
  /** The episode at the cursor; undefined if the run has none. */
  episode: EpisodeRecord | undefined;
  turn: TurnRecord | undefined;
  token: TokenRecord | undefined;
  /** The part of the chosen place that the run does not have. */
  missed: Missed | null;
  /** Moves the cursor of all panels. */
  move: (changes: Partial<TurnChoice>) => void;
}

export function useCursor(): Cursor {
  const { store } = useExperiment();
  const view = useExperimentState("view");
  const choice = useExperimentState("choice");
  const at = useMemo(() => resolveChoice(view.log, choice), [view, choice]);
  const episode = at.episodes[at.episode];
  const turn = episode?.turns[at.turn];
  const token = at.token === null ? undefined : turn?.tokens[at.token];
  const move = useMemo(
    () => (changes: Partial<TurnChoice>) =>
      store.setState((now) => ({ choice: { ...now.choice, ...changes } })),
    [store],
  );
  return { view, at, episode, turn, token, missed: missedOf(choice, at), move };
}
