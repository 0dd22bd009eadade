/** What a panel shows instead of an episode: there is no run, the first iteration is pending, or none is recorded. */
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";
import { resolveChoice } from "../../store/turnChoice.ts";
import type { Manifest } from "../../figures/manifest.ts";
import { panelWords } from "./strings.ts";
import { waitingFor } from "./waiting.ts";
import { Empty } from "../../ui/Empty.tsx";

const selectOrigin = (state: ExperimentState) => state.view.origin;

/** Whether the method at the cursor has finished an iteration: if not, no setting would have recorded one. */
const selectPlayed = ({ view: { log }, choice }: ExperimentState) =>
  log.iterations(resolveChoice(log, choice).algorithm).length > 0;

/** For a panel that needs episodes. */
export function NoEpisodes({ panel }: { panel: Manifest }) {
  const { empty, none } = panel.needsEpisodes!;
  const waiting = useExperimentState(waitingFor);
  const origin = useExperimentState(selectOrigin);
  const played = useExperimentState(selectPlayed);
  const recorded = played ? none : panelWords.turns.noIteration;
  return <Empty>{waiting ?? (origin === "none" ? empty : recorded)}</Empty>;
}
