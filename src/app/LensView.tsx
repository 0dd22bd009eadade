/** The lens: every panel of one experiment's run, around one cursor. */
import { Suspense, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { titleOf } from "../reading/titles.ts";
import { CursorBar } from "../panels/lens/CursorBar.tsx";
import { lensPanels, type LensPanel } from "../panels/panelTable.ts";
import { useCursor } from "../panels/shared/useCursor.ts";
import { useStart } from "../panels/lens/useStart.ts";
import { words } from "../panels/lens/words.ts";
import type { ExperimentStore } from "../store/experimentState.ts";
import type { ExperimentState } from "../store/experimentState.ts";
import { ExperimentContext, useExperiment } from "../store/hooks.ts";
import { isOpen, setLens, withAlone, withPanel } from "../store/lens.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { ExperimentCell } from "./ExperimentCell.tsx";
import type { Experiments } from "./experiments.ts";
import { strings } from "./strings.ts";
import { chooseFiles, chooseFolder } from "./ImportDrop.tsx";
import { ImportNotices } from "./ImportNotices.tsx";
import { words as importWords } from "./importWords.ts";
import { RecordingFields } from "./RecordingFields.tsx";
import { Warnings } from "./Warnings.tsx";

interface LensViewProps {
  experiments: Experiments | null;
  /** Address of the notebook. */
  back: string;
}

export function LensView({ experiments, back }: LensViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const experiment = experiments?.values().next().value;
  const store = experiment?.store;
  // What is shown alone has the focus itself.
  useEffect(() => {
    if (!store || selectAlone(store.getState()) === null) heading.current?.focus();
  }, [store]);
  useStart(store);
  usePageMark(store);
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
            <ExperimentCell folded />
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
      <button type="button" data-testid="open-folder" onClick={chooseFolder}>
        {importWords.openFolder}
      </button>
      <p className="note">{importWords.hint}</p>
      <RecordingFields />
    </div>
  );
}

/** On the page as a whole, for its style: that the lens is there, or one panel of it. */
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

/** Where a link waits for the reader's decision, the question must be in sight. */
const selectAlone = ({ lens, waitingLink }: ExperimentState) =>
  waitingLink === null ? lens.alone : null;

/** A panel under its title, which opens and closes it; or alone, without the rest of the page. */
export function LensSection({ panel: { id, title, about, Panel } }: { panel: LensPanel }) {
  const { store } = useExperiment();
  const alone = useStore(store, selectAlone);
  const isAlone = alone === id;
  const open = useStore(store, ({ lens }) => isOpen(lens, id)) || isAlone;
  // A panel keeps what was written in it while another one is shown alone; one never seen is not there at all.
  const [seen, setSeen] = useState(false);
  const visible = open && (alone === null || isAlone);
  if (visible && !seen) setSeen(true);
  const section = useSight(isAlone);
  const toggled = (now: boolean) => !isAlone && setLens(store, (lens) => withPanel(lens, id, now));
  return (
    <details
      ref={section}
      className={isAlone ? "lens-section alone" : "lens-section"}
      data-panel={id}
      // The keys of turns work on its summary too; what is inside may have a scope of its own.
      data-scope="turns"
      open={open}
      onToggle={({ currentTarget }) => toggled(currentTarget.open)}
    >
      <summary>
        <strong>{title}</strong> <span className="note">{about}</span>
      </summary>
      {/* A closed panel is not there at all: nothing of it is drawn. */}
      {open && (visible || seen) && (
        <>
          <AloneButton id={id} title={title} isAlone={isAlone} />
          <ErrorBoundary>
            <Suspense fallback={<p className="empty">{words.opening}</p>}>
              <Panel />
            </Suspense>
          </ErrorBoundary>
        </>
      )}
    </details>
  );
}

/** Keys work at once in what is shown alone, and the reader finds it again among the others. */
function useSight(isAlone: boolean) {
  const section = useRef<HTMLDetailsElement>(null);
  const before = useRef(false);
  useEffect(() => {
    const here = section.current!;
    if (isAlone) {
      const focused = document.activeElement;
      // Its title goes out of sight, and would take the focus with it.
      const stays = here.contains(focused) && !focused?.closest(".lens-section > summary");
      // Its button: a tabindex on <details> itself would keep Tab out of all that is in it.
      if (!stays) here.querySelector<HTMLElement>(".lens-alone")?.focus();
      window.scrollTo(0, 0);
    } else if (before.current) here.scrollIntoView({ block: "start" });
    before.current = isAlone;
  }, [isAlone]);
  return section;
}

const selectWarnings = ({ warnings }: ExperimentState) => warnings;

interface AloneButtonProps {
  id: string;
  title: string;
  isAlone: boolean;
}

/** What could not be used of a link is said here too: the experiment's notices are out of sight. */
function AloneButton({ id, title, isAlone }: AloneButtonProps) {
  const { store } = useExperiment();
  const warnings = useStore(store, selectWarnings);
  return (
    <>
      <div className="lens-tools">
        {isAlone && <Place />}
        <button
          type="button"
          className="quiet lens-alone"
          data-testid={`alone-${id}`}
          aria-label={isAlone ? undefined : words.aloneLabel(title)}
          onClick={() => setLens(store, (lens) => withAlone(lens, isAlone ? null : id))}
        >
          {isAlone ? words.backToAll : words.alone}
        </button>
      </div>
      {isAlone && <Warnings warnings={warnings} />}
    </>
  );
}

/** What the bar says otherwise, but for the turn: its line stays in sight. */
function Place() {
  const { at, episode } = useCursor();
  if (!episode) return null;
  const method = titleOf(at.algorithm);
  return (
    <span className="note lens-place">
      {words.place(method, at.iteration, at.episode + 1, at.episodes.length)}
    </span>
  );
}
