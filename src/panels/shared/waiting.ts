/** Whether panels wait for a run that has begun: then nothing is wrong with its settings. */
import { isBusy } from "../../store/experimentStore.ts";
import { type ExperimentState } from "../../store/experimentState.ts";
import { resolveChoice } from "../../store/turnChoice.ts";
import { titleOf } from "../../reading/titles.ts";
import { panelWords } from "./strings.ts";

type Going = Pick<ExperimentState, "state" | "view" | "choice">;

/** The message while the method at the cursor has no iteration yet, or it is being read; null else. */
export function waitingFor(now: Going): string | null {
  const { log, origin } = now.view;
  const at = resolveChoice(log, now.choice);
  if (log.isReading(at.algorithm, at.iteration)) return panelWords.turns.reading;
  if (!isGoing(now)) return null;
  if (origin === "none") return panelWords.turns.waiting("");
  const { algorithm } = at;
  const crashed = log.crashes.some((crash) => crash.algorithm === algorithm);
  if (crashed || log.iterations(algorithm).length > 0) return null;
  return panelWords.turns.waiting(titleOf(algorithm));
}

/** Models that were only loaded for questions are nothing to wait for; nor is a run other than the one shown. */
function isGoing({ state, view: { origin } }: Going): boolean {
  if (origin === "none") return state === "loading" || state === "running";
  return origin === "live" && isBusy({ state });
}
