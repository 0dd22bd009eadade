/** Whether a run came out as its link promised. */
import { TRACE_DIGITS, traceStride } from "../spec/link.ts";
import type { Expectation } from "../spec/linkExtras.ts";
import type { RunLog } from "./log/runLog.ts";

export type FingerprintCheck =
  | { state: "not-compared" }
  /** The engine does not give the same numbers twice, so a difference would mean nothing. */
  | { state: "incomparable" }
  /** The same as expected up to this iteration (0: nothing compared yet). */
  | { state: "waiting"; upTo: number }
  | { state: "reproduced" }
  /** Known to differ at this iteration; null when only the end could be compared. */
  | { state: "diverged"; iteration: number | null };

/** Marks of a run for its link: first digits of the chain after every stride-th iteration. */
export function traceOf(log: RunLog): string {
  const iterations = log.start?.spec.optimisation.iterations ?? 0;
  const stride = traceStride(iterations);
  let trace = "";
  for (let n = stride; n <= log.finishedIterations; n += stride) {
    const chain = log.chainAt(n);
    if (chain === null) break;
    trace += chain.slice(0, TRACE_DIGITS);
  }
  return trace;
}

/** Whether the run's spec gives the same numbers again, here at least: not where the engine changed midway. */
export function isReproducible(log: RunLog): boolean {
  if (log.engines.length > 0) return false;
  return log.start?.engine.reproducible !== "no";
}

/** Compares a run with what was expected of it, as far as it has come. */
export function compareFingerprint(log: RunLog, expected: Expectation | null): FingerprintCheck {
  const fingerprint = expected?.fingerprint;
  const trace = expected?.trace ?? "";
  if (!expected || (!fingerprint && trace === "")) return { state: "not-compared" };
  const own = traceOf(log);
  const stride = traceStride(log.start?.spec.optimisation.iterations ?? 0);
  const marks = Math.min(own.length, trace.length) / TRACE_DIGITS;
  for (let i = 0; i < marks; i++) {
    const at = i * TRACE_DIGITS;
    if (own.slice(at, at + TRACE_DIGITS) !== trace.slice(at, at + TRACE_DIGITS))
      return { state: "diverged", iteration: (i + 1) * stride };
  }
  if (!log.end || !fingerprint) return { state: "waiting", upTo: Math.floor(marks) * stride };
  return log.lastChain.startsWith(fingerprint)
    ? { state: "reproduced" }
    : { state: "diverged", iteration: null };
}
