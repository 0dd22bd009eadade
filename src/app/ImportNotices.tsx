/** The state of an imported file: being read, and what came of it. */
import { startTransition, useEffect, useEffectEvent, useState } from "react";
import { useStore } from "zustand";
import type { ExperimentHandle } from "../store/hooks.ts";
import {
  dismissImport,
  importStore,
  onOpening,
  showOpening,
  type ImportState,
} from "../store/imports.ts";
import { Button } from "../ui/Button.tsx";
import { lazyPart } from "../ui/parts/lazyPart.tsx";
import { words } from "./importWords.ts";

/** Of pages that have a file alone. */
const ImportOutcome = lazyPart("ImportOutcome", () => import("./ImportOutcome.tsx"), "");

const selectImporting = (state: ImportState) => state.importing;
const selectHasOutcome = ({ importing, imported, several }: ImportState) =>
  importing.state === "refused" || importing.state === "asking" || Boolean(imported ?? several);

interface ImportNoticesProps {
  experiment: ExperimentHandle;
  /** The address of the run's episodes, from elsewhere. */
  lensHref?: (() => string) | undefined;
  /** Gets the lens's code, before what is on screen goes. */
  warm?: () => Promise<unknown>;
  /** Whether the lens is about to take the place of what is on screen. */
  onLeaving?: (isLeaving: boolean) => void;
}

export function ImportNotices({ experiment, lensHref, warm, onLeaving }: ImportNoticesProps) {
  const importing = useStore(importStore, selectImporting);
  const hasOutcome = useStore(importStore, selectHasOutcome);
  useOpening(experiment, lensHref, onLeaving, warm);
  return (
    <>
      <p role="status" className="note import-status" data-testid="import-status">
        {importing.state === "reading" && (
          <>
            {words.reading(importing.name)}{" "}
            <Button look="quiet" onClick={dismissImport}>
              {words.cancel}
            </Button>
          </>
        )}
      </p>
      {hasOutcome && <ImportOutcome experiment={experiment} lensHref={lensHref} />}
    </>
  );
}

/** Another program's log opens in the lens: the notebook's panels are of its own experiment. */
function useOpening(
  experiment: ExperimentHandle,
  lensHref: ImportNoticesProps["lensHref"],
  onLeaving: ImportNoticesProps["onLeaving"],
  warm: ImportNoticesProps["warm"] = () => Promise.resolve(),
): void {
  const [opened, setOpened] = useState(0);
  // What is on screen goes in a task of its own, before the run comes: a notebook has many figures.
  const leave = useEffectEvent(() =>
    startTransition(() => {
      onLeaving?.(true);
      setOpened((times) => times + 1);
    }),
  );
  const open = useEffectEvent(() => {
    if (!showOpening(experiment)) return onLeaving?.(false);
    // So that the address is not written back to the notebook's before the lens is there.
    experiment.store.setState({ screen: "lens" });
    location.hash = lensHref!();
  });
  const leads = lensHref !== undefined;
  const begin = useEffectEvent(() => void warm().then(() => leave()));
  // Whoever has gone elsewhere meanwhile has left room.
  const gone = useEffectEvent(() => void showOpening(experiment));
  useEffect(() => {
    if (!leads) return undefined;
    const stop = onOpening(() => begin());
    return () => {
      stop();
      gone();
    };
  }, [leads]);
  useEffect(() => {
    if (opened === 0) return undefined;
    const timer = setTimeout(() => open());
    return () => clearTimeout(timer);
  }, [opened]);
}
