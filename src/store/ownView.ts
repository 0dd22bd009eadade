/** An experiment seen by itself: a cell's own cursor and settings over a run that others see too. */
import { createStore } from "zustand/vanilla";
import type { ExperimentState, ExperimentStore } from "./experimentState.ts";

/** What a view has for itself. */
export type OwnPart = Pick<ExperimentState, "choice" | "lens" | "curves">;

const OWN = ["choice", "lens", "curves"] as const satisfies readonly (keyof OwnPart)[];

/** A store with its own part; all else is the experiment's, whichever of the two it is written to. `end` lets go of it. */
export function createOwnView(
  experiment: ExperimentStore,
  own: Partial<OwnPart>,
): { store: ExperimentStore; end: () => void } {
  const store = createStore<ExperimentState>(() => ({ ...experiment.getState(), ...own }));
  const write = store.setState;
  store.setState = (change) => {
    const changed = typeof change === "function" ? change(store.getState()) : change;
    const { kept, shared } = split(changed);
    if (kept) write(kept);
    if (shared) experiment.setState(shared);
  };
  const end = experiment.subscribe((now) => write(split(now).shared!));
  return { store, end };
}

type Change = Partial<ExperimentState>;

function split(change: Change): { kept: Change | null; shared: Change | null } {
  const isOwn = ([name]: [string, unknown]) => (OWN as readonly string[]).includes(name);
  const entries = Object.entries(change);
  const of = (chosen: typeof entries) => (chosen.length === 0 ? null : Object.fromEntries(chosen));
  return { kept: of(entries.filter(isOwn)), shared: of(entries.filter((entry) => !isOwn(entry))) };
}
