/** React hooks for the stores. */
import { createContext, use } from "react";
import { useStore } from "zustand";
import type { ExperimentStore } from "./experimentState.ts";
import type { ExperimentState } from "./experimentState.ts";
import type { Session } from "./sessionApi.ts";

export interface ExperimentHandle {
  id: string;
  store: ExperimentStore;
  session: Session;
}

/** The experiment of a cell, or the one that it depends on. */
export const ExperimentContext = createContext<ExperimentHandle | null>(null);

export function useExperiment(): ExperimentHandle {
  const experiment = use(ExperimentContext);
  if (!experiment) throw new Error("No experiment above this component.");
  return experiment;
}

/** Part of the experiment's state: a field by its name, or what a selector returns, which must be stable references. */
export function useExperimentState<K extends keyof ExperimentState>(name: K): ExperimentState[K];
export function useExperimentState<T>(selector: (state: ExperimentState) => T): T;
export function useExperimentState(
  what: keyof ExperimentState | ((state: ExperimentState) => unknown),
): unknown {
  const { store } = useExperiment();
  return useStore(store, typeof what === "function" ? what : (state) => state[what]);
}
