/**
 * An independent view of an experiment: a cell's own cursor and settings over a run shared with
 * other views.
 */
import { createStore } from "zustand/vanilla";
import type { ExperimentState, ExperimentStore } from "./experimentState.ts";

/** The view's own state. */
export type OwnPart = Pick<ExperimentState, "choice" | "lens" | "curves">;

const OWN = ["choice", "lens", "curves"] as const satisfies readonly (keyof OwnPart)[];

/** A store with its own part; everything else is shared with the experiment, whichever store it is written to. `end` unsubscribes it. */
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

type StateChange = Partial<ExperimentState>;

function split(change: StateChange): { kept: StateChange | null; shared: StateChange | null } {
  const isOwn = ([name]: [string, unknown]) => (OWN as readonly string[]).includes(name);
  const entries = Object.entries(change);
  const of = (chosen: typeof entries) => (chosen.length === 0 ? null : Object.fromEntries(chosen));
  return { kept: of(entries.filter(isOwn)), shared: of(entries.filter((entry) => !isOwn(entry))) };
}

/** Own views by the element that shows them, for actions on "the panel that has the focus". */
const shown = new WeakMap<Element, ExperimentStore>();

/** Returns the function that ends it. */
export function showOwnView(element: Element, store: ExperimentStore): () => void {
  shown.set(element, store);
  return () => void shown.delete(element);
}

/** The own view that contains an element; undefined if none does. */
export function ownViewAt(element: Element): ExperimentStore | undefined {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const store = shown.get(at);
    if (store) return store;
  }
  return undefined;
}
