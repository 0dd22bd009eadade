/** The lens: a workspace of panes over one experiment's run, around one cursor. */
import { useEffect, useRef, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { InTurn } from "../../charts/redrawQueue.ts";
import { CursorBar } from "../../panels/lens/CursorBar.tsx";
import { useStart } from "../../panels/lens/useStart.ts";
import { words } from "../../panels/lens/words.ts";
import { RunContent } from "../../panels/run/RunPanel.tsx";
import { playsElsewhere } from "../../store/anotherRun.ts";
import type { ExperimentState, ExperimentStore } from "../../store/experimentState.ts";
import { ExperimentContext, type ExperimentHandle } from "../../store/hooks.ts";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { ExperimentCell, ExperimentNotes } from "../ExperimentCell.tsx";
import { chooseFiles, chooseFolder } from "../ImportDrop.tsx";
import { ImportNotices } from "../ImportNotices.tsx";
import { words as importWords } from "../importWords.ts";
import { recordingWords } from "../recordingWords.ts";
import { LayoutBar } from "./LayoutBar.tsx";
import { NarrowBar, NarrowDock } from "./NarrowDock.tsx";
import { selectAlone } from "./PanelSection.tsx";
import { Button } from "../../ui/Button.tsx";

/** Not needed in narrow windows. */
const Workspace = lazyPart("Workspace", () => import("./Workspace.tsx"), words.opening);

export function LensView({ experiment }: { experiment: ExperimentHandle | undefined }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const store = experiment?.store;
  // A panel shown alone takes the focus itself.
  useEffect(() => {
    if (!store || selectAlone(store.getState()) === null) heading.current?.focus();
  }, [store]);
  useStart(store);
  usePageMark(store);
  return (
    <article className="lens" data-testid="lens" data-experiment={experiment?.id}>
      <h1 ref={heading} tabIndex={-1} className="visually-hidden">
        {words.title}
      </h1>
      {experiment && (
        <ExperimentContext value={experiment}>
          <Lens experiment={experiment} />
        </ExperimentContext>
      )}
    </article>
  );
}

const selectRecording = (state: ExperimentState) =>
  playsElsewhere(state) ? "other" : state.recording.state;

function Lens({ experiment }: { experiment: ExperimentHandle }) {
  const recording = useStore(experiment.store, selectRecording);
  const narrow = useNarrow();
  return (
    <RunContent value={<Settings />}>
      <InTurn>
        {narrow ? (
          <NarrowBar />
        ) : (
          <>
            <LayoutBar />
            <CursorBar />
          </>
        )}
      </InTurn>
      <ErrorBoundary>
        <div className="lens-notes">
          <ExperimentNotes />
          <ImportNotices experiment={experiment} />
        </div>
      </ErrorBoundary>
      <h2 className="visually-hidden">{words.panels}</h2>
      <div className="lens-panels" data-recording={recording}>
        <InTurn>{narrow ? <NarrowDock /> : <Workspace />}</InTurn>
      </div>
    </RunContent>
  );
}

/** The experiment's settings, and where to open other runs. */
function Settings() {
  return (
    <>
      <div className="import-open">
        <Button data-testid="open-file" onClick={chooseFiles}>
          {importWords.open}
        </Button>
        <Button data-testid="open-folder" onClick={chooseFolder}>
          {importWords.openFolder}
        </Button>
        <p className="note">{importWords.hint}</p>
        <RecordingFields />
      </div>
      <ExperimentCell folded />
    </>
  );
}

/** The fields of a recording, in a disclosure beside the button that opens one. */
function RecordingFields() {
  const { title, form, kinds, exampleTitle, example } = recordingWords;
  return (
    <details className="recording-fields" data-testid="recording-fields">
      <summary>{title}</summary>
      <p>{form}</p>
      <dl>
        {kinds.map(([kind, fields]) => (
          <div key={kind}>
            <dt>{kind}</dt>
            <dd>{fields}</dd>
          </div>
        ))}
      </dl>
      <p>{exampleTitle}</p>
      <pre>{example}</pre>
    </details>
  );
}

/** Phones, and windows at 200 %: one pane at a time. */
const NARROW = "(max-width: 56rem)";

function useNarrow(): boolean {
  return useSyncExternalStore(onNarrow, () => matchMedia(NARROW).matches);
}

function onNarrow(listener: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** A style hook on the whole page: the lens is shown, or one panel of it. */
function usePageMark(store: ExperimentStore | undefined): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    const mark = () => {
      const now = store && selectAlone(store.getState()) !== null ? "alone" : "open";
      if (dataset["lens"] !== now) dataset["lens"] = now;
    };
    mark();
    const stop = store?.subscribe(mark);
    return () => {
      stop?.();
      delete dataset["lens"];
    };
  }, [store]);
}
