/** With space for one pane: the current one, in a scrolling page. */
import { useState } from "react";
import { useShallow } from "zustand/shallow";
import { CursorBar } from "../../panels/lens/CursorBar.tsx";
import { paneTitle } from "../../panels/panes.ts";
import { panesOf } from "../../store/dock.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { panelsIn, setLens, withPanel } from "../../store/lens.ts";
import { useStrip } from "../../ui/useStrip.ts";
import { LayoutForm } from "./LayoutBar.tsx";
import { NarrowMenu } from "./LensMenus.tsx";
import { PaneView } from "./PaneView.tsx";
import { PaneTools } from "./PaneTools.tsx";
import { words } from "./words.ts";

/** One sticky bar: the cursor and the current panel's tools, and below them all panels as tabs. */
export function NarrowBar() {
  const shown = useExperimentState(selectShown);
  const [naming, setNaming] = useState(false);
  return (
    <div className="narrow-bar">
      {/* The form replaces the cursor, so that the bar keeps its height. */}
      {naming ? <LayoutForm onDone={() => setNaming(false)} /> : <CursorBar />}
      <PaneTools id={shown} onMove={null} />
      <PaneTabs shown={shown} />
      <NarrowMenu shown={shown} title={paneTitle(shown)} onSaveLayout={() => setNaming(true)} />
    </div>
  );
}

const selectPanes = ({ lens }: ExperimentState) => panesOf(lens.dock);

/** One press to every pane of the layout; the menu beside them has all others. */
function PaneTabs({ shown }: { shown: string }) {
  const { store } = useExperiment();
  const panes = useExperimentState(useShallow(selectPanes));
  const show = (pane: string) =>
    setLens(store, (lens) => withPanel(lens, panelsIn(lens.table, pane)[0]!, true));
  const { ref, onKeyDown, item } = useStrip<HTMLDivElement>(
    panes.indexOf(shown),
    panes.length,
    (i) => show(panes[i]!),
  );
  return (
    <div
      ref={ref}
      className="narrow-tabs"
      role="tablist"
      aria-label={words.panels}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {panes.map((pane, i) => (
        <button
          key={pane}
          type="button"
          role="tab"
          aria-selected={pane === shown}
          aria-controls={pane === shown ? placeOf(pane) : undefined}
          data-tab={pane}
          {...item(i)}
          onClick={() => show(pane)}
        >
          {paneTitle(pane)}
        </button>
      ))}
    </div>
  );
}

const placeOf = (pane: string) => `pane-${pane}`;

export function NarrowDock() {
  const shown = useExperimentState(selectShown);
  // A pane keeps its state while others are shown; one that was never shown is not mounted.
  const [seen, setSeen] = useState<readonly string[]>([shown]);
  if (!seen.includes(shown)) setSeen([...seen, shown]);
  return (
    <div className="narrow-dock">
      {seen.map((pane) => (
        <div
          key={pane}
          id={placeOf(pane)}
          role="tabpanel"
          aria-label={paneTitle(pane)}
          hidden={pane !== shown}
        >
          <PaneView id={pane} />
        </div>
      ))}
    </div>
  );
}

/** The last requested pane; initially the ribbon, the most important of the lens. */
function selectShown({ lens: { dock, asked } }: ExperimentState): string {
  const panes = panesOf(dock);
  if (asked !== null && panes.includes(asked)) return asked;
  return panes.includes("ribbon") ? "ribbon" : panes[0]!;
}
