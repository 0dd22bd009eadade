/** Each of the doctor's checks for each method: found, quiet, not measured, or not applicable. */
import type { Finding } from "../../record/runEvent.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { detectors, type Diagnosis } from "../../reading/diagnosis.ts";

/** What a method lacks if a check does not apply to it. */
type Lack = "critic" | "groups";

export interface Check {
  algorithm: string;
  /** Iteration of the finding; null if there is none. */
  found: number | null;
  /** The metrics any of which would have been enough; null if the check could be made, or does not apply. */
  needs: readonly string[] | null;
  lacks: Lack | null;
}

export interface CheckRow {
  name: string;
  title: string;
  says: string;
  checks: Check[];
}

/** `configOf`: a method's settings; null if the run does not have them. */
export function checkRows(
  algorithms: readonly string[],
  findings: readonly Finding[],
  notMeasured: Diagnosis["notMeasured"],
  configOf: (algorithm: string) => AlgorithmConfig | null,
): CheckRow[] {
  const configs = new Map(algorithms.map((name) => [name, configOf(name)]));
  return detectors.map(({ name, title, says, about }) => ({
    name,
    title,
    says,
    checks: algorithms.map((algorithm) => {
      const isOfThis = (one: { detector: string; algorithm: string }) =>
        one.detector === name && one.algorithm === algorithm;
      const found = findings.find(isOfThis)?.iteration ?? null;
      const needs = notMeasured.find(isOfThis)?.needs ?? null;
      const lacks = needs === null ? null : lackOf(about, configs.get(algorithm) ?? null);
      return { algorithm, found, needs: lacks === null ? needs : null, lacks };
    }),
  }));
}

/** What the method lacks that the check applies to. */
function lackOf(about: Lack | undefined, config: AlgorithmConfig | null): Lack | null {
  if (about === undefined || config === null) return null;
  const has = about === "critic" ? config.critic !== "none" : config.grouped;
  return has ? null : about;
}

/** The iteration with episodes nearest to the given one; null without any. */
export function nearest(iterations: readonly number[], wanted: number): number | null {
  return iterations.reduce<number | null>(
    (best, n) => (best === null || Math.abs(n - wanted) < Math.abs(best - wanted) ? n : best),
    null,
  );
}
