/** Settings that files say, tried as those of a row of the table. */
import { resolveAlgorithm, type AlgorithmConfig } from "../../spec/algorithms.ts";
import type { SaidSettings } from "./foreign.ts";

interface CheckedSettings {
  said: SaidSettings;
  /** Those that panels would show as the run's own, and the files lack: no default may replace them. */
  missing: string[];
}

/** Null for a method, or a value, that does not exist here. A dual clip that the files do not say is not drawn. */
export function checkedSettings(
  algorithm: string,
  set: Readonly<Record<string, number>>,
  groupSize: number | null,
): CheckedSettings | null {
  const config = triedAs(algorithm, set);
  if (!config) return null;
  const missing = neededBy(config).filter((name) => !(name in set));
  return { said: { set: { dualClip: null, ...set }, groupSize }, missing };
}

/** Null for a method, or a value, that does not exist here. */
export function triedAs(algorithm: string, set: SaidSettings["set"]): AlgorithmConfig | null {
  try {
    return resolveAlgorithm(algorithm, set);
  } catch {
    return null;
  }
}

/** Names of settings without which a method's numbers are not its own. @throws InputError if there is no such method */
export function neededSettings(method: string): string[] {
  return neededBy(resolveAlgorithm(method));
}

function neededBy({ critic, ratio }: AlgorithmConfig): string[] {
  const ofCritic = critic === "none" ? [] : ["gamma", "lambda"];
  return ratio === "none" ? ofCritic : [...ofCritic, "epsLow", "epsHigh"];
}
