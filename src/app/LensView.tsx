/** The lens: every panel of one experiment's run, around one cursor. */
import { Suspense, useEffect, useRef, useState } from "react";
import { CursorBar } from "../panels/lens/CursorBar.tsx";
import { lensPanels, type LensPanel } from "../panels/lens/panelTable.ts";
import { useStart } from "../panels/lens/useStart.ts";
import { words } from "../panels/lens/words.ts";
import { ExperimentContext } from "../store/hooks.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { ExperimentCell } from "./ExperimentCell.tsx";
import type { Experiments } from "./experiments.ts";
import { strings } from "./strings.ts";
import { chooseFiles } from "./ImportDrop.tsx";
import { ImportNotices } from "./ImportNotices.tsx";
import { words as importWords } from "./importWords.ts";
import { RecordingFields } from "./RecordingFields.tsx";

interface LensViewProps {
  experiments: Experiments | null;
  /** Address of the notebook. */
  back: string;
}

export function LensView({ experiments, back }: LensViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const experiment = experiments?.values().next().value;
  useStart(experiment?.store);
  return (
    <article className="lens" data-testid="lens" data-experiment={experiment?.id}>
      <h1 ref={heading} tabIndex={-1}>
        {words.title}
      </h1>
      <p className="lens-intro">
        {words.intro} <a href={back}>{words.back}</a>
      </p>
      {experiment && (
        <ExperimentContext value={experiment}>
          {/* The panels' own titles are of the third rank. */}
          <h2 className="visually-hidden">{strings.experiment}</h2>
          <ErrorBoundary>
            <ExperimentCell />
          </ErrorBoundary>
          <OpenFile />
          <ImportNotices experiment={experiment} />
          <CursorBar />
          <h2 className="visually-hidden">{words.panels}</h2>
          <div className="lens-panels">
            {lensPanels.map((panel) => (
              <LensSection key={panel.id} panel={panel} />
            ))}
          </div>
        </ExperimentContext>
      )}
    </article>
  );
}

function OpenFile() {
  return (
    <div className="import-open">
      <button type="button" data-testid="open-file" onClick={chooseFiles}>
        {importWords.open}
      </button>
      <p className="note">{importWords.hint}</p>
      <RecordingFields />
    </div>
  );
}

function LensSection({ panel }: { panel: LensPanel }) {
  const [open, setOpen] = useState(panel.open);
  const { Panel } = panel;
  return (
    <details
      className="lens-section"
      data-panel={panel.id}
      // The keys of turns work on its summary too; what is inside may have a scope of its own.
      data-scope="turns"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <strong>{panel.title}</strong> <span className="note">{panel.about}</span>
      </summary>
      {/* A closed panel is not there at all: nothing of it is drawn. */}
      {open && (
        <ErrorBoundary>
          <Suspense fallback={<p className="empty">{words.opening}</p>}>
            <Panel />
          </Suspense>
        </ErrorBoundary>
      )}
    </details>
  );
}
