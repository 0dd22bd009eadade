/** A notice that a cell shows a run whose experiment was changed since. */
import type { ReactNode } from "react";
import { RunAnew } from "../RunAnew.tsx";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { isOutOfDate } from "../../store/experimentState.ts";
import { words } from "./words.ts";

export function OutOfDate() {
  const { id } = useExperiment();
  return (
    useExperimentState(isOutOfDate) && (
      <OutOfDateNote id={id}>
        <RunAnew />
      </OutOfDateNote>
    )
  );
}

interface OutOfDateNoteProps {
  /** Of the experiment. */
  id: string;
  /** What can be done about it here. */
  children?: ReactNode;
}

export function OutOfDateNote({ id, children }: OutOfDateNoteProps) {
  return (
    <p className="note" data-testid="out-of-date">
      {words.outOfDate(id)} {children}
    </p>
  );
}
