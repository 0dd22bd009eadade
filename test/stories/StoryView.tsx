/** One story: the cursor and the panels as the lens has them, all open, with its keys. */
import { useState } from "react";
import { firstKeyOf } from "../../src/app/actions.ts";
import { HelpDialog } from "../../src/app/HelpDialog.tsx";
import { ImportNotices } from "../../src/app/ImportNotices.tsx";
import { PanelSection } from "../../src/app/lens/PanelSection.tsx";
import { useKeyboard } from "../../src/app/useKeyboard.ts";
import { ActionKeys } from "../../src/ui/actionKeys.ts";
import { CursorBar } from "../../src/panels/lens/CursorBar.tsx";
import { lensPanels } from "../../src/panels/panelTable.ts";
import { useStart } from "../../src/panels/lens/useStart.ts";
import { ExperimentContext, type ExperimentHandle } from "../../src/store/hooks.ts";
import type { Address } from "./address.ts";
import { stories } from "./recordings.ts";

interface StoryViewProps {
  experiment: ExperimentHandle;
  address: Address;
}

export function StoryView({ experiment, address: { story, panel } }: StoryViewProps) {
  const [help, setHelp] = useState(false);
  // The page has one view: there is nowhere to switch to.
  useKeyboard(new Map([[experiment.id, experiment]]), {
    subject: experiment,
    writes: false,
    showHelp: () => setHelp(true),
    showPalette: () => undefined,
    present: () => undefined,
    switchView: () => undefined,
  });
  useStart(experiment.store);
  const { title, about } = stories[story];
  return (
    <main>
      <article className="story" data-testid="story" data-experiment={experiment.id}>
        <h1>{title}</h1>
        <p className="note">{about}</p>
        <ActionKeys value={firstKeyOf}>
          <ExperimentContext value={experiment}>
            <ImportNotices experiment={experiment} />
            <CursorBar />
            <h2 className="visually-hidden">Panels</h2>
            <div className="lens-panels">
              {lensPanels
                .filter(({ id }) => panel === null || id === panel)
                .map((one) => (
                  <PanelSection key={one.id} panel={one} lead={false} />
                ))}
            </div>
          </ExperimentContext>
        </ActionKeys>
      </article>
      <HelpDialog open={help} onOpenChange={setHelp} />
    </main>
  );
}
