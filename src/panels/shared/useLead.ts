/** Which method is ahead in the run shown: by held-out success, and before that in training. */
import { useStore } from "zustand";
import { curveKeys } from "../../reading/curveMetrics.ts";
import { leadOf, leadSoFar, type Lead, type TrainingLead } from "../../reading/leader.ts";
import type { ExperimentState, ExperimentStore } from "../../store/experimentState.ts";

const selectView = ({ view }: ExperimentState) => view;

/** Null before all were measured together. */
export function useLead(store: ExperimentStore): Lead | null {
  const { log } = useStore(store, selectView);
  const kind = log.start?.spec.environment.kind;
  if (!kind) return null;
  const { source, key } = curveKeys(kind).heldout;
  return leadOf(log, key, source);
}

/** Null before all have played a few iterations with trained policies. */
export function useLeadSoFar(store: ExperimentStore): TrainingLead | null {
  const { log } = useStore(store, selectView);
  const kind = log.start?.spec.environment.kind;
  return kind ? leadSoFar(log, curveKeys(kind).success.key) : null;
}
