/** Where there is room for one pane: the layout's panes behind tabs, and the page scrolls. */
import { useState } from "react";
import { Tabs } from "radix-ui";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { paneTitle } from "../../panels/panes.ts";
import { panesOf } from "../../store/dock.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment } from "../../store/hooks.ts";
import { setLens, withPaneOpen } from "../../store/lens.ts";
import { PaneView } from "./PaneView.tsx";
import { PaneTools } from "./PaneTools.tsx";
import { words } from "./words.ts";

const selectPanes = ({ lens: { dock, asked } }: ExperimentState) => ({ dock, asked });

export function NarrowDock() {
  const { store } = useExperiment();
  const { dock, asked } = useStore(store, useShallow(selectPanes));
  const panes = panesOf(dock);
  const shown = asked !== null && panes.includes(asked) ? asked : firstOf(panes);
  // A pane keeps what was written and asked in it while others are looked at; one never seen is not there at all.
  const [seen, setSeen] = useState<readonly string[]>([shown]);
  if (!seen.includes(shown)) setSeen([...seen, shown]);
  return (
    <Tabs.Root
      className="narrow-dock"
      value={shown}
      onValueChange={(pane) => setLens(store, (lens) => withPaneOpen(lens, pane))}
    >
      <div className="pane-head">
        <Tabs.List className="pane-tabs" aria-label={words.panes}>
          {panes.map((pane) => (
            <Tabs.Trigger key={pane} value={pane} className="pane-tab" data-tab={pane}>
              {paneTitle(pane)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <PaneTools id={shown} onMove={null} />
      </div>
      {panes.map((pane) => (
        <Tabs.Content
          key={pane}
          value={pane}
          className="pane-room"
          forceMount
          hidden={pane !== shown}
        >
          {seen.includes(pane) && <PaneView id={pane} />}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

/** The ribbon is the spine of the lens. */
function firstOf(panes: readonly string[]): string {
  return panes.includes("ribbon") ? "ribbon" : panes[0]!;
}
