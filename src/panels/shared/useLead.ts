/** Who is ahead in the run that is shown: on held-out success, and before that in training. */
import { useStore } from "zustand";
import { leadOf, leadSoFar, type Lead } from "../../reading/leader.ts";
import type { ExperimentState, ExperimentStore } from "../../store/experimentState.ts";

const selectView = ({ view }: ExperimentState) => view;

/** Null before all were measured together. */
export function useLead(store: ExperimentStore): Lead | null {
  const { log } = useStore(store, selectView);
  const environment = log.start?.spec.environment.kind;
  return environment ? leadOf(log, `val-env/${environment}/success`, "heldout") : null;
}

/** Null before all have trained for a few iterations. */
export function useLeadSoFar(store: ExperimentStore): Lead | null {
  const { log } = useStore(store, selectView);
  const environment = log.start?.spec.environment.kind;
  return environment ? leadSoFar(log, `${environment}/success`) : null;
}
