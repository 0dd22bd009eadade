/** The reader's changes to a turn, as a question to the models. */
import { recordedResponse } from "../../figures/fork/numbers.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { ForkQuestion } from "../../runtime/questions.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";

/** The reader's changes to a turn. */
export interface Draft {
  /** Equal while the cursor is on the same turn. */
  place: string;
  response: string;
  /** The policy responds, whatever `response` contains. */
  free: boolean;
  board: string;
  branches: number;
}

export function draftOf(
  place: string,
  episode: EpisodeRecord,
  turn: number,
  branches: number,
): Draft {
  const { observation } = episode.turns[turn]!;
  const response = recordedResponse(episode, turn);
  return { place, response, free: false, board: observation, branches };
}

/** The question to the models; an unchanged board does not count as a change. */
export function questionOf(
  draft: Draft,
  { algorithm, iteration, turn }: Pick<ResolvedChoice, "algorithm" | "iteration" | "turn">,
  episode: EpisodeRecord,
): ForkQuestion {
  const changed = draft.board !== episode.turns[turn]!.observation;
  return {
    kind: "fork",
    algorithm,
    iteration,
    episode,
    turn,
    branches: draft.branches,
    response: draft.free ? null : draft.response,
    board: changed ? draft.board : null,
  };
}
