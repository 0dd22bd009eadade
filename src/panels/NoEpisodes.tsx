/** What a panel says in place of an episode: there is no run, the first iteration is on its way, or none is recorded. */
import type { ExperimentState } from "../store/experimentStore.ts";
import { useExperimentState } from "../store/hooks.ts";
import { waitingFor } from "./waiting.ts";

interface NoEpisodesProps {
  /** Said while there is no run. */
  empty: string;
  /** Said of a run that recorded no episodes. */
  none: string;
}

const selectOrigin = (state: ExperimentState) => state.view.origin;

export function NoEpisodes({ empty, none }: NoEpisodesProps) {
  const waiting = useExperimentState(waitingFor);
  const origin = useExperimentState(selectOrigin);
  return <p className="empty">{waiting ?? (origin === "none" ? empty : none)}</p>;
}
