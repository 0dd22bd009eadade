/** Which panes show the explanation behind their “?”. */
import { createStore } from "zustand/vanilla";

interface PaneNotes {
  explained: Readonly<Record<string, boolean>>;
}

export const paneNotes = createStore<PaneNotes>(() => ({ explained: {} }));

export const isExplained = (pane: string) => (state: PaneNotes) => state.explained[pane] === true;

export function explain(pane: string): void {
  paneNotes.setState(({ explained }) => ({
    explained: { ...explained, [pane]: !explained[pane] },
  }));
}
