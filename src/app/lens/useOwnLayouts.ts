/** The reader's own layouts, stored in the browser. */
import { useStore } from "zustand";
import { readDock, writeDock } from "../../store/dock.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { paneNames, setLens, withDock } from "../../store/lens.ts";
import { preferences, setPreferences } from "../../store/preferences.ts";

const selectText = ({ lens }: ExperimentState) => writeDock(lens.dock);

/** `now`: the text of the current layout. Panes that no longer exist are left out when it is opened. */
export function useOwnLayouts() {
  const { store } = useExperiment();
  const now = useExperimentState(selectText);
  const own = useStore(preferences, ({ layouts }) => layouts);
  const open = (dock: string) =>
    setLens(store, (lens) => withDock(lens, readDock(dock, paneNames(lens.table))));
  const forget = (name: string) =>
    setPreferences({ layouts: own.filter((one) => one.name !== name) });
  return { own, now, open, forget };
}
