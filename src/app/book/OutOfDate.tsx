/** Says of a cell that it shows a run whose experiment was changed since. */
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { isOutOfDate } from "./isOutOfDate.ts";
import { words } from "./words.ts";

export function OutOfDate() {
  const { id } = useExperiment();
  return useExperimentState(isOutOfDate) && <OutOfDateNote id={id} />;
}

/** @param id of the experiment. */
export function OutOfDateNote({ id }: { id: string }) {
  return (
    <p className="note" data-testid="out-of-date">
      {words.outOfDate(id)}
    </p>
  );
}
