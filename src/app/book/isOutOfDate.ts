/** Whether an experiment shows a run of something else than what it says now. */
import type { CellType } from "../../notebook/cellTypes.ts";
import { sameSpec } from "../../spec/link.ts";
import type { ExperimentState } from "../../store/experimentState.ts";

export const isOutOfDate = ({ runSpec, draft }: ExperimentState): boolean =>
  runSpec !== null && !sameSpec(runSpec, draft.spec);

/** Kinds of cells whose numbers are the run's, whatever the experiment says by now. */
export const SHOWS_RUN: readonly CellType[] = ["panel", "curves", "turns", "playground"];
