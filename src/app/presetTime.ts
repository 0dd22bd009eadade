/** Duration of a preset's run: on this machine if measured, else on a slow one. */
import { classPresetNames, presetSeconds, presetSpec } from "../spec/presets.ts";
import { learnerNames } from "../spec/preference.ts";
import type { MeasuredTimes } from "../store/measuredTimes.ts";

interface PresetTime {
  /** For the whole run, without setup before its first iteration. */
  seconds: number;
  /** The engine that was measured here; null for an estimate. */
  engine: string | null;
}

/** Null for a preset that was never timed. */
export function presetTime(name: string, times: MeasuredTimes | null): PresetTime | null {
  const { iterations } = presetSpec(name).optimisation;
  const here = times ? perIteration(name, times.seconds) : null;
  if (here !== null) return { seconds: here * iterations, engine: times!.engine };
  const typical = perIteration(name, presetSeconds);
  return typical === null ? null : { seconds: typical * iterations, engine: null };
}

/** The gallery's runs are small ones of nano's: by episodes and methods. */
function perIteration(name: string, known: Readonly<Record<string, number>>): number | null {
  const own = known[name];
  if (own !== undefined) return own;
  const base = known["nano"];
  if (base === undefined || classPresetNames.includes(name)) return null;
  return (base * workOf(name)) / workOf("nano");
}

function workOf(name: string): number {
  const spec = presetSpec(name);
  const { tasksPerIteration, groupSize } = spec.optimisation;
  return tasksPerIteration * groupSize * learnerNames(spec).length;
}

/** To two digits: an upper bound is not exact to the second. */
export function roughly(seconds: number): string {
  const minutes = seconds / 60;
  if (minutes < 1) return "1 min";
  if (minutes < 100)
    return `${minutes < 10 ? Math.round(minutes) : Math.round(minutes / 5) * 5} min`;
  return `${Number((minutes / 60).toPrecision(2))} h`;
}
