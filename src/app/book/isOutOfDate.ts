/** Whether an experiment shows a run of something else than what it says now. */
import { sameSpec } from "../../spec/link.ts";
import type { ExperimentState } from "../../store/experimentState.ts";

export const isOutOfDate = ({ runSpec, draft }: ExperimentState): boolean =>
  runSpec !== null && !sameSpec(runSpec, draft.spec);
