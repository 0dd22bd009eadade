/** Where there is room for one pane: the one that is shown, and the page scrolls. */
import { useState } from "react";
import { useStore } from "zustand";
import { CursorBar } from "../../panels/lens/CursorBar.tsx";
import { paneTitle } from "../../panels/panes.ts";
import { panesOf } from "../../store/dock.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment } from "../../store/hooks.ts";
import { LayoutForm } from "./LayoutBar.tsx";
import { NarrowMenu } from "./LensMenus.tsx";
import { PaneView } from "./PaneView.tsx";
import { PaneTools } from "./PaneTools.tsx";

/** One bar, which stays: the panel with the way to others, the cursor, and the panel's own tools. */
export function NarrowBar() {
  const { store } = useExperiment();
  const shown = useStore(store, selectShown);
  const [naming, setNaming] = useState(false);
  return (
    <div className="narrow-bar">
      <NarrowMenu shown={shown} title={paneTitle(shown)} onSaveLayout={() => setNaming(true)} />
      {/* The name takes the cursor's place, so that the bar stays one line. */}
      {naming ? <LayoutForm onDone={() => setNaming(false)} /> : <CursorBar />}
      <PaneTools id={shown} onMove={null} />
    </div>
  );
}

export function NarrowDock() {
  const { store } = useExperiment();
  const shown = useStore(store, selectShown);
  // A pane keeps what was written and asked in it while others are looked at; one never seen is not there at all.
  const [seen, setSeen] = useState<readonly string[]>([shown]);
  if (!seen.includes(shown)) setSeen([...seen, shown]);
  return (
    <div className="narrow-dock">
      {seen.map((pane) => (
        <div key={pane} role="group" aria-label={paneTitle(pane)} hidden={pane !== shown}>
          <PaneView id={pane} />
        </div>
      ))}
    </div>
  );
}

/** What was asked for last; at first the ribbon, the spine of the lens. */
function selectShown({ lens: { dock, asked } }: ExperimentState): string {
  const panes = panesOf(dock);
  if (asked !== null && panes.includes(asked)) return asked;
  return panes.includes("ribbon") ? "ribbon" : panes[0]!;
}
