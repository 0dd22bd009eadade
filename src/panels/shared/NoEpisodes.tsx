/** What a panel shows instead of an episode: there is no run, the first iteration is pending, or none is recorded. */
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";
import { resolveChoice } from "../../store/turnChoice.ts";
import type { Manifest } from "../../figures/manifest.ts";
import { panelWords } from "./strings.ts";
import { waitingFor } from "./waiting.ts";
import { Empty } from "../../ui/Empty.tsx";

const selectOrigin = (state: ExperimentState) => state.view.origin;

/** What there is at the cursor: without a finished iteration, no setting would have recorded an episode. */
function selectThere({ view: { log }, choice }: ExperimentState) {
  const { algorithm, episodes } = resolveChoice(log, choice);
  if (episodes.length > 0) return "episodes";
  return log.iterations(algorithm).length > 0 ? "iterations" : "nothing";
}

/** For a panel that needs episodes. */
export function NoEpisodes({ panel }: { panel: Manifest }) {
  const { empty, none } = panel.needsEpisodes!;
  const waiting = useExperimentState(waitingFor);
  const origin = useExperimentState(selectOrigin);
  const there = useExperimentState(selectThere);
  // Out of sight a panel is drawn later than its run has episodes.
  if (there === "episodes") return <Empty>{panelWords.reading}</Empty>;
  const recorded = there === "iterations" ? none : panelWords.turns.noIteration;
  return <Empty>{waiting ?? (origin === "none" ? empty : recorded)}</Empty>;
}
