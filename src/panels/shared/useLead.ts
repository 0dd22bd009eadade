/** Who is ahead on held-out success, in the run that is shown; null before all were measured together. */
import { useStore } from "zustand";
import { leadOf, type Lead } from "../../reading/leader.ts";
import type { ExperimentState, ExperimentStore } from "../../store/experimentState.ts";

const selectView = ({ view }: ExperimentState) => view;

export function useLead(store: ExperimentStore): Lead | null {
  const { log } = useStore(store, selectView);
  const environment = log.start?.spec.environment.kind;
  return environment ? leadOf(log, `val-env/${environment}/success`, "heldout") : null;
}
