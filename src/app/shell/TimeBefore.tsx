/** In the run bar before Run: how long it will take. */
import { useStore } from "zustand";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment } from "../../store/hooks.ts";
import { useRunTime } from "../runTime.ts";
import { words } from "./words.ts";

const selectIdle = ({ state }: ExperimentState) => state === "idle";

export function TimeBefore() {
  const isIdle = useStore(useExperiment().store, selectIdle);
  const time = useRunTime();
  if (!isIdle || time === null) return null;
  return (
    <span className="bar-fact bar-time" data-testid="bar-takes">
      {words.takes(time)}
    </span>
  );
}
