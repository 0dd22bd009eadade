/** How a run compares with the expected results in its link, in words. */
import { formatNumber, formatPercent } from "../../numeric/format.ts";
import { toleranceOf, type Apart } from "../../reading/fingerprintCurves.ts";
import { sentCurves, type FingerprintCheck } from "../../reading/fingerprint.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { titleOf } from "../../reading/titles.ts";
import { traceStride } from "../../spec/link.ts";
import type { LinkMetric } from "../../spec/linkCurves.ts";
import type { Expectation } from "../../spec/linkExtras.ts";
import type { Difference } from "../../store/anotherRun.ts";
import { words } from "./verdictWords.ts";

export interface Verdict {
  kind: "waiting" | "exact" | "tolerated" | "diverged";
  title: string;
  /** The result. */
  text: string;
  /**
   * Possible reasons: the first number that differs, and other differences; "" if there are none.
   */
  why: string;
}

interface PromisedRun {
  log: RunLog;
  expected: Expectation;
  differences: readonly Difference[];
}

/** Null for a run that is not compared. */
export function linkVerdict(compared: FingerprintCheck, promised: PromisedRun): Verdict | null {
  switch (compared.state) {
    case "not-compared":
    case "incomparable":
      return null;
    case "waiting":
      return { kind: "waiting", ...waiting(compared, promised), why: "" };
    case "reproduced": {
      const iterations = promised.log.end?.iterations ?? promised.log.finishedIterations;
      return { kind: "exact", title: words.exact, text: words.exactText(iterations), why: "" };
    }
    case "tolerated": {
      const text = `${words.toleratedText} ${toleranceText(promised)}`;
      const why = reasons(compared.differs, promised);
      return { kind: "tolerated", title: words.tolerated, text, why };
    }
    case "diverged":
      return diverged(compared, promised);
  }
}

function waiting(
  { upTo, rounded }: { upTo: number; rounded?: boolean },
  promised: PromisedRun,
): Pick<Verdict, "title" | "text"> {
  if (rounded && upTo > 0) return { title: words.within, text: toleranceText(promised) };
  return upTo > 0
    ? { title: words.matches, text: words.matchesText(upTo) }
    : { title: words.waiting, text: words.waitingText };
}

function toleranceText({ log, expected }: PromisedRun): string {
  const curves = expected.curves === undefined ? [] : sentCurves(expected.curves, log);
  const limits = curves.map((curve) =>
    words.limit(words.metrics[curve.metric], distance(curve.metric, toleranceOf(curve))),
  );
  return words.tolerance(limits.join(", "));
}

function diverged(
  { iteration, first }: { iteration: number | null; first?: Apart },
  promised: PromisedRun,
): Verdict {
  const from = iteration === null ? null : startOf(iteration, first, promised.log);
  const text = from === null ? words.divergedAtEnd : words.divergedText(from - 1);
  return {
    kind: "diverged",
    title: words.diverged(placeOf(from, iteration)),
    text: `${text} ${words.valid}`,
    why: reasons(first ?? null, promised),
  };
}

/** Long runs are compared every few iterations only: the difference may have begun since the previous comparison. */
function startOf(iteration: number, first: Apart | undefined, log: RunLog): number {
  if (first?.iteration === iteration) return iteration;
  return iteration - traceStride(log.start?.spec.optimisation.iterations ?? 0) + 1;
}

function placeOf(from: number | null, to: number | null): string {
  if (from === null || to === null) return "";
  return from === to ? words.at(to) : words.between(from, to);
}

function reasons(first: Apart | null, { expected, differences }: PromisedRun): string {
  const seen = first === null ? [] : [firstOf(first)];
  const list = differences.map(({ path, here, recorded }) =>
    words.differing(words.fields[path] ?? path, here ?? words.none, recorded ?? words.none),
  );
  if (list.length > 0) return [...seen, words.differs(list.join("; "))].join(" ");
  return [...seen, expected.sender === undefined ? words.unknown : words.nothing].join(" ");
}

function firstOf({ iteration, algorithm, metric, yours, theirs }: Apart): string {
  const { metrics, first } = words;
  const number = (value: number | null) => (value === null ? words.none : written(metric, value));
  return first(iteration, titleOf(algorithm), metrics[metric], number(yours), number(theirs));
}

const written = (metric: LinkMetric, value: number) =>
  metric === "reward" ? formatNumber(value) : formatPercent(value);

/** Between two numbers of a metric: for shares in percentage points. */
const distance = (metric: LinkMetric, value: number) =>
  metric === "reward" ? formatNumber(value) : words.points(formatNumber(100 * value));
