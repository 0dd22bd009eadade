/** One story: the cursor and the panels as the lens has them, all open, with its keys. */
import { useState } from "react";
import { firstKeyOf } from "../../src/app/actions.ts";
import { HelpDialog } from "../../src/app/HelpDialog.tsx";
import { ImportNotices } from "../../src/app/ImportNotices.tsx";
import { LensSection } from "../../src/app/LensView.tsx";
import { useKeyboard } from "../../src/app/useKeyboard.ts";
import { ActionKeys } from "../../src/ui/actionKeys.ts";
import { CursorBar } from "../../src/panels/lens/CursorBar.tsx";
import { lensPanels } from "../../src/panels/panelTable.ts";
import { useStart } from "../../src/panels/lens/useStart.ts";
import { ExperimentContext, type Experiment } from "../../src/store/hooks.ts";
import type { Address } from "./address.ts";
import { stories } from "./recordings.ts";

interface StoryViewProps {
  experiment: Experiment;
  address: Address;
}

export function StoryView({ experiment, address: { story, panel } }: StoryViewProps) {
  const [help, setHelp] = useState(false);
  // The page has one view: there is nowhere to switch to.
  useKeyboard(new Map([[experiment.id, experiment]]), {
    showHelp: () => setHelp(true),
    switchView: () => undefined,
  });
  useStart(experiment.store);
  const { title, about } = stories[story];
  return (
    <main>
      <article className="lens" data-testid="story" data-experiment={experiment.id}>
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
                  <LensSection key={one.id} panel={one} />
                ))}
            </div>
          </ExperimentContext>
        </ActionKeys>
      </article>
      <HelpDialog open={help} onOpenChange={setHelp} />
    </main>
  );
}
