/** How long the form's run will take: if it is a preset's, apart from its seed, its length, and settings that cost no time. */
import { useStore } from "zustand";
import { canonicalJson } from "../spec/canonical.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { presetSpec } from "../spec/presets.ts";
import type { ExperimentState } from "../store/experimentState.ts";
import { useExperiment } from "../store/hooks.ts";
import { measuredTimes, type MeasuredTimes } from "../store/measuredTimes.ts";
import { presetTime, roughly } from "./presetTime.ts";

const selectSpec = ({ draft }: ExperimentState) => draft.spec;

/** In words; null if such a run was never timed. */
export function useRunTime(): string | null {
  const spec = useStore(useExperiment().store, selectSpec);
  const seconds = runSeconds(
    spec,
    useStore(measuredTimes, ({ times }) => times),
  );
  return seconds === null ? null : roughly(seconds);
}

/** Seconds, or null unless its settings are those of a timed preset. */
export function runSeconds(spec: ExperimentSpec, times: MeasuredTimes | null): number | null {
  const preset = presetSpec(spec.preset);
  const { iterations } = spec.optimisation;
  if (canonicalJson(withoutFree(preset)) !== canonicalJson(withoutFree(spec))) return null;
  const time = presetTime(spec.preset, times);
  return time && (time.seconds / preset.optimisation.iterations) * iterations;
}

/** Numbers of the optimiser that change what is learned, but not how long it takes. */
const FREE: ReadonlySet<string> = new Set([
  "iterations",
  "actorLr",
  "actorLrWarmup",
  "weightDecay",
  "maxGradNorm",
  "entropyCoef",
  "rewardScale",
  "bootstrapOnTruncation",
]);

/** The parts of an experiment that an iteration's time depends on. */
function withoutFree({
  seed: _,
  revision: __,
  algorithms,
  critic,
  optimisation,
  ...rest
}: ExperimentSpec) {
  const { lr: _lr, coef: _coef, ...model } = critic;
  return {
    ...rest,
    critic: model,
    algorithms: algorithms.map(({ name }) => name),
    optimisation: Object.fromEntries(
      Object.entries(optimisation).filter(([name]) => !FREE.has(name)),
    ),
  };
}
