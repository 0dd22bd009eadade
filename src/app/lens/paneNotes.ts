/** Which panes show the explanation behind their “?”, and in a low pane their options. */
import { createStore } from "zustand/vanilla";

type PaneNotes = Readonly<Record<"explained" | "options", Readonly<Record<string, boolean>>>>;

export const paneNotes = createStore<PaneNotes>(() => ({ explained: {}, options: {} }));

export const isNoted = (kind: keyof PaneNotes, pane: string) => (state: PaneNotes) =>
  state[kind][pane] === true;

export function toggleNote(kind: keyof PaneNotes, pane: string): void {
  paneNotes.setState(({ [kind]: shown }) => ({ [kind]: { ...shown, [pane]: !shown[pane] } }));
}
