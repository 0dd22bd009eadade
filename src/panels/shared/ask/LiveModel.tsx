/** Whether there are models to ask, and how to get some. */
import { useLayoutEffect, useRef, type ReactNode } from "react";
import { answererOf, type Answerer } from "../../../store/answerer.ts";
import { recordedSource } from "../../../reading/log/columnar.ts";
import type { ExperimentState } from "../../../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../../../store/hooks.ts";
import { checkpointFor } from "../../../store/recordedAnswers.ts";
import { useCursor } from "../useCursor.ts";
import { words } from "./words.ts";
import { Button } from "../../../ui/Button.tsx";
import { lazyPart } from "../../../ui/parts/lazyPart.tsx";

const FolderNotice = lazyPart("FolderNotice", () => import("./FolderNotice.tsx"), words.loading);

const selectAnswerer = (state: ExperimentState) => answererOf(state);
const selectOrigin = (state: ExperimentState) => state.view.origin;

/** Which models answer questions; null: none. */
export function useAnswerer(): Answerer {
  return useExperimentState(selectAnswerer);
}

/** Its children if there are models to ask; else what to do. */
export function LiveModel({ children }: { children: ReactNode }) {
  const { session } = useExperiment();
  const state = useExperimentState("state");
  const answerer = useAnswerer();
  const { place, press } = useFocusKept(state);
  const load = () => {
    press();
    session.load();
  };
  return (
    <div ref={place} className="ask-live">
      {answerer === "recorded" && <ModelCheckpoint />}
      {answerer !== null ? (
        children
      ) : state === "loading" ? (
        <Loading />
      ) : (
        <None state={state} load={load} />
      )}
    </div>
  );
}

const selectFolder = ({ view }: ExperimentState) => view.log.start?.spec.model?.folder;

/** The model folder that a recorded run's adapters belong to. */
function RecordedFolder() {
  const folder = useExperimentState(selectFolder);
  return folder ? <FolderNotice folder={folder} use="ask" /> : null;
}

/** Which of a recorded run's checkpoints answers at the cursor. */
export function ModelCheckpoint() {
  const { view, at } = useCursor();
  const source = recordedSource(view.log);
  if (!source || at.iteration === 0) return null;
  return (
    <>
      <RecordedFolder />
      <p className="note" data-testid="ask-checkpoint">
        {words.checkpoint(checkpointFor(source, at.iteration), at.iteration)}
      </p>
    </>
  );
}

function Loading() {
  return <p role="status">{words.loading}</p>;
}

function None({ state, load }: { state: ExperimentState["state"]; load: () => void }) {
  const origin = useExperimentState(selectOrigin);
  const logOnly = origin === "recorded" || origin === "imported";
  const why = state === "failed" ? words.failed : logOnly ? words.recordedOnly : words.none;
  return (
    <div className="ask-none" data-testid="ask-none">
      <p>{why}</p>
      <Button title={words.loadHint} onClick={load}>
        {words.load}
      </Button>
    </div>
  );
}

/** A button that disappears when pressed leaves the focus to its panel. */
function useFocusKept(state: ExperimentState["state"]) {
  const place = useRef<HTMLDivElement>(null);
  const isPressed = useRef(false);
  useLayoutEffect(() => {
    const wasPressed = isPressed.current;
    isPressed.current = false;
    if (!wasPressed || document.activeElement !== document.body) return;
    place.current?.closest<HTMLElement>("[data-scope]")?.focus({ preventScroll: true });
  }, [state]);
  return { place, press: () => (isPressed.current = true) };
}
