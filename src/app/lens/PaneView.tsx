/** A pane of the lens: its panels one below the other; all except the first can be collapsed. */
import { useStore } from "zustand";
import { lensPanels } from "../../panels/panelTable.ts";
import { panes } from "../../panels/panes.ts";
import { ExplainedContext, LensContext } from "../../ui/explained.ts";
import { PanelSection } from "./PanelSection.tsx";
import { isNoted, paneNotes } from "./paneNotes.ts";

export function PaneView({ id }: { id: string }) {
  const pane = panes.find((one) => one.id === id);
  const explained = useStore(paneNotes, isNoted("explained", id));
  const options = useStore(paneNotes, isNoted("options", id));
  if (!pane) return null;
  return (
    <div
      className="pane"
      data-pane={id}
      data-scope="turns"
      data-explained={explained}
      data-options={options}
      tabIndex={-1}
    >
      <LensContext value>
        <ExplainedContext value={explained}>
          {lensPanels
            .filter((panel) => panel.pane === id)
            .map((panel, i) => (
              <PanelSection key={panel.id} panel={panel} lead={i === 0} />
            ))}
        </ExplainedContext>
      </LensContext>
    </div>
  );
}
