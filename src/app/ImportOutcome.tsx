/** What came of importing a file: refused, waiting for an answer, shown. */
import { useState } from "react";
import { useStore } from "zustand";
import type { ExperimentState } from "../store/experimentState.ts";
import type { ExperimentHandle } from "../store/hooks.ts";
import type { ImportFacts } from "../reading/log/readImport.ts";
import {
  closeImport,
  dismissImport,
  dismissSeveral,
  goToTelling,
  importStore,
  openImport,
  type ImportedRun,
  type Importing,
  type ImportState,
  type Several,
} from "../store/imports.ts";
import { isKept, keepRun, MAX_KEPT, runShelf } from "../store/runs.ts";
import { ImportColumns } from "./ImportColumns.tsx";
import { ImportOpen } from "./ImportOpen.tsx";
import { words } from "./importWords.ts";
import { IntegrityNote } from "./IntegrityNote.tsx";
import { Warnings } from "./Warnings.tsx";
import { Folded } from "../ui/Folded.tsx";
import { Button } from "../ui/Button.tsx";

const selectImporting = (state: ImportState) => state.importing;
const selectSeveral = (state: ImportState) => state.several;
const selectImported = (state: ImportState) => state.imported;
const selectOrigin = (state: ExperimentState) => state.view.origin;

interface ImportOutcomeProps {
  experiment: ExperimentHandle;
  /** The address of the run's episodes, from elsewhere. */
  lensHref?: (() => string) | undefined;
}

export function ImportOutcome({ experiment, lensHref }: ImportOutcomeProps) {
  const importing = useStore(importStore, selectImporting);
  const imported = useStore(importStore, selectImported);
  const several = useStore(importStore, selectSeveral);
  const origin = useStore(experiment.store, selectOrigin);
  return (
    <>
      {importing.state === "refused" && <Refused experiment={experiment} {...importing} />}
      {importing.state === "asking" && <Question experiment={experiment} run={importing.run} />}
      {several && <OfSeveral {...several} />}
      {imported && origin === "imported" && <Shown {...{ experiment, lensHref }} run={imported} />}
      {imported && origin === "live" && <BesideLive run={imported} />}
    </>
  );
}

type RefusedProps = Pick<ImportOutcomeProps, "experiment"> &
  Extract<Importing, { state: "refused" }>;

function Refused({ experiment, name, why, action, columns = [], from, href }: RefusedProps) {
  return (
    <>
      <div role="alert" className="notice notice-problem" data-testid="import-refused">
        <strong>{words.refused(name)}</strong>
        <p>
          {why} {words.unchanged}
        </p>
        {action !== "" && (
          <p>
            {words.whatToDo} {href === undefined ? action : <a href={href}>{action}</a>}
          </p>
        )}
        <div className="buttons">
          <Button onClick={dismissImport}>{words.dismiss}</Button>
        </div>
      </div>
      {from && columns.length > 0 && (
        <ImportColumns key={columns.join("\n")} {...{ experiment, columns, from }} />
      )}
    </>
  );
}

/** Of several recordings selected together, the first is shown: the result for all of them. */
function OfSeveral({ kept, left }: Several) {
  return (
    <div className="notice" data-testid="import-several">
      <div role="status">
        {kept.length > 0 && <p>{words.several(kept)}</p>}
        {left.map(({ name, why }, i) => (
          <p key={i}>{words.leftOut(name, why ?? words.full(MAX_KEPT))}</p>
        ))}
      </div>
      <div className="buttons">
        <Button onClick={dismissSeveral}>{words.dismiss}</Button>
      </div>
    </div>
  );
}

interface OfRun {
  experiment: ExperimentHandle;
  run: ImportedRun;
}

function Question({ experiment, run }: OfRun) {
  return (
    <div role="alert" className="notice notice-stale" data-testid="import-question">
      <p>{words.asking(run.name)}</p>
      <div className="buttons">
        <Button onClick={() => openImport(experiment, run)}>{words.replace}</Button>
        <Button onClick={dismissImport}>{words.keep}</Button>
      </div>
    </div>
  );
}

/** A run that starts in the file's place keeps it, unless there is no space. */
function BesideLive({ run: { name, log } }: { run: ImportedRun }) {
  const shelf = useStore(runShelf);
  // A run that was kept and then dropped was dropped on purpose.
  const [leftOut] = useState(() => !isKept(log));
  if (!leftOut || isKept(log, shelf)) return null;
  const isFull = shelf.runs.length >= MAX_KEPT;
  return (
    <div className="notice" data-testid="import-not-kept">
      <p role="status">
        {words.notKept(name)} {isFull && words.full(MAX_KEPT)}
      </p>
      {!isFull && (
        <div className="buttons">
          <Button onClick={() => keepRun(log, name, "imported")}>{words.keepFile}</Button>
        </div>
      )}
    </div>
  );
}

/** Shown before it happens. */
function NoRoom({ run: { log } }: { run: ImportedRun }) {
  const shelf = useStore(runShelf);
  if (isKept(log, shelf) || shelf.runs.length < MAX_KEPT) return null;
  return (
    <p role="status" data-testid="import-no-room">
      {words.notKeptLater} {words.full(MAX_KEPT)}
    </p>
  );
}

type ShownProps = OfRun & Pick<ImportOutcomeProps, "lensHref">;

function Shown({ experiment, run, lensHref }: ShownProps) {
  const { name, facts, checked, integrity } = run;
  return (
    <div className="notice import-shown" data-testid="import-shown">
      <p role="status">
        <strong>{words.shown(name, facts.title)}</strong>
      </p>
      {facts.share !== undefined && (
        <p className="note" data-testid="import-progress">
          {words.readSoFar(facts.share)}
        </p>
      )}
      {lensHref && (
        <p>
          <a href={lensHref()} data-testid="import-lens">
            {words.lens}
          </a>
        </p>
      )}
      {facts.elsewhere && (
        <p>
          <Button
            look="quiet"
            onClick={() => goToTelling(experiment.store, facts.elsewhere ?? null)}
          >
            {words.elsewhere(facts.elsewhere.iteration)}
          </Button>
        </p>
      )}
      {integrity && <IntegrityNote integrity={integrity} />}
      <Facts {...facts} />
      <ImportOpen experiment={experiment} run={run} />
      <p className="note">{words.noLink}</p>
      {!checked && facts.share === undefined && <p className="note">{words.checking}</p>}
      <NoRoom run={run} />
      <div className="buttons">
        <Button onClick={() => closeImport(experiment)}>{words.close}</Button>
      </div>
    </div>
  );
}

function Facts({ command, absent, notes, warnings }: ImportFacts) {
  return (
    <>
      {command !== "" && (
        <p>
          {words.made} <code>{command}</code>
        </p>
      )}
      {absent.length > 0 && (
        <>
          <p>{words.absent}</p>
          <FactList className="import-absent" facts={absent} />
        </>
      )}
      {notes.length > 0 && (
        <Folded title={words.notes}>
          <FactList className="import-notes" facts={notes} />
        </Folded>
      )}
      <Warnings warnings={warnings} title={words.gaps} />
    </>
  );
}

function FactList({ className, facts }: { className: string; facts: string[] }) {
  return (
    <ul className={className} data-testid={className}>
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}
