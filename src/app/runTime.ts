/** How long the form's run will take: where it is a preset's, but for its seed and its length. */
import { useStore } from "zustand";
import { canonicalJson } from "../spec/canonical.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { presetSpec } from "../spec/presets.ts";
import type { ExperimentState } from "../store/experimentState.ts";
import { useExperiment } from "../store/hooks.ts";
import { measuredTimes, type MeasuredTimes } from "../store/measuredTimes.ts";
import { presetTime, roughly } from "./presetTime.ts";

const selectSpec = ({ draft }: ExperimentState) => draft.spec;

/** In words; null where nobody has timed such a run. */
export function useRunTime(): string | null {
  const spec = useStore(useExperiment().store, selectSpec);
  const seconds = runSeconds(
    spec,
    useStore(measuredTimes, ({ times }) => times),
  );
  return seconds === null ? null : roughly(seconds);
}

/** Seconds, or null where its settings are no timed preset's. */
export function runSeconds(spec: ExperimentSpec, times: MeasuredTimes | null): number | null {
  const preset = presetSpec(spec.preset);
  const { iterations } = spec.optimisation;
  const alike = {
    ...preset,
    seed: spec.seed,
    optimisation: { ...preset.optimisation, iterations },
  };
  if (canonicalJson(alike) !== canonicalJson(spec)) return null;
  const time = presetTime(spec.preset, times);
  return time && (time.seconds / preset.optimisation.iterations) * iterations;
}
