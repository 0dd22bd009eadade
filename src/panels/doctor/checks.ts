/** Each of the doctor's checks of each method: found, quiet, or not measured. */
import type { Finding } from "../../record/runEvent.ts";
import { detectors, type Diagnosis } from "../../store/diagnosis.ts";

export interface Check {
  algorithm: string;
  /** Iteration at which it was found; null where it was not. */
  found: number | null;
  /** The metrics any of which would have helped; null where the check could be made. */
  needs: readonly string[] | null;
}

export interface CheckRow {
  name: string;
  title: string;
  says: string;
  checks: Check[];
}

export function checkRows(
  algorithms: readonly string[],
  findings: readonly Finding[],
  notMeasured: Diagnosis["notMeasured"],
): CheckRow[] {
  return detectors.map(({ name, title, says }) => ({
    ...{ name, title, says },
    checks: algorithms.map((algorithm) => ({
      algorithm,
      found:
        findings.find((one) => one.detector === name && one.algorithm === algorithm)?.iteration ??
        null,
      needs:
        notMeasured.find((one) => one.detector === name && one.algorithm === algorithm)?.needs ??
        null,
    })),
  }));
}

/** The iteration with episodes that is nearest to the one asked for; null without any. */
export function nearest(iterations: readonly number[], wanted: number): number | null {
  return iterations.reduce<number | null>(
    (best, n) => (best === null || Math.abs(n - wanted) < Math.abs(best - wanted) ? n : best),
    null,
  );
}
