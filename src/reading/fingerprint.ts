/** Whether a run matches the fingerprint in its link. */
import { curvesFromText, type SentCurve } from "../spec/linkCurves.ts";
import { TRACE_DIGITS, traceStride } from "../spec/link.ts";
import type { Expectation } from "../spec/linkExtras.ts";
import { compareCurves, type Apart } from "./fingerprintCurves.ts";
import type { RunLog } from "./log/runLog.ts";

export type FingerprintCheck =
  | { state: "not-compared" }
  /** The engine is not reproducible, so a difference would mean nothing. */
  | { state: "incomparable" }
  /**
   * The same as expected up to this iteration (0: nothing compared yet). `rounded`: within the
   * tolerance of its curves, no longer bit for bit.
   */
  | { state: "waiting"; upTo: number; rounded?: boolean }
  | { state: "reproduced" }
  /** Not bit for bit, but all its curves are within the tolerance; see fingerprintCurves.ts. */
  | { state: "tolerated"; differs: Apart | null }
  /** Differs at this iteration; null if only the end could be compared. `first`: the first number that differs. */
  | { state: "diverged"; iteration: number | null; first?: Apart };

/** A run's trace for its link: first digits of the hash after every stride-th iteration. */
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

/** Whether the run's spec gives the same numbers again, at least here: not if the engine changed midway. */
export function isReproducible(log: RunLog): boolean {
  if (log.engines.length > 0) return false;
  return log.start?.engine.reproducible !== "no";
}

/** Compares a run with its expected fingerprint, as far as it has got: its hashes first, then its curves. */
export function compareFingerprint(log: RunLog, expected: Expectation | null): FingerprintCheck {
  const exact = compareChains(log, expected);
  if (exact.state === "reproduced" || expected?.curves === undefined) return exact;
  // Until the methods are known.
  if (!log.start) return { state: "waiting", upTo: 0 };
  const { differs, outside } = compareCurves(log, sentCurves(expected.curves, log));
  if (outside) return divergedAt(exact, differs ?? outside);
  // As long as the hashes match, they show more than any curve.
  if (exact.state === "waiting") return exact;
  if (log.end) return { state: "tolerated", differs };
  return { state: "waiting", upTo: Math.max(0, log.finishedIterations), rounded: true };
}

/** The hashes may have differed before any curve in the link. */
function divergedAt(exact: FingerprintCheck, first: Apart): FingerprintCheck {
  const { iteration } = exact.state === "diverged" ? exact : { iteration: null };
  return { state: "diverged", iteration: Math.min(iteration ?? Infinity, first.iteration), first };
}

/** Cached: a run is compared four times a second. */
let lastRead: { text: string; methods: number; curves: readonly SentCurve[] } | null = null;

/** The curves of a link, for a run of its methods. The link's reader has dropped invalid text. */
export function sentCurves(
  text: string,
  { algorithms }: Pick<RunLog, "algorithms">,
): readonly SentCurve[] {
  const methods = algorithms.length;
  if (lastRead?.text !== text || lastRead.methods !== methods)
    lastRead = { text, methods, curves: curvesFromText(text, methods) };
  return lastRead.curves;
}

function compareChains(log: RunLog, expected: Expectation | null): FingerprintCheck {
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
