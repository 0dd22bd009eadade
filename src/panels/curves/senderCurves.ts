/** The curves that came with a link, behind the run that it promises. */
import { useMemo } from "react";
import type { Curve } from "../../charts/curveTypes.ts";
import { sentCurves } from "../../reading/fingerprint.ts";
import { logOfCurves } from "../../reading/fingerprintCurves.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { learnerNames } from "../../spec/preference.ts";
import { settingsThatDiffer } from "../../store/anotherRun.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";
import type { Metric } from "./metrics.ts";
import { methodCurves } from "./methodCurves.ts";
import { words } from "./words.ts";

type Expected = ExperimentState["expected"];

const selectExpected = ({ expected }: ExperimentState) => expected;

/** The same log for a link as long as it is open. */
const logs = new WeakMap<object, RunLog>();

/** As a log of nothing else; null where the link has none. */
export function sentLogOf(expected: Expected): RunLog | null {
  if (expected?.curves === undefined) return null;
  const methods = { algorithms: learnerNames(expected.spec) };
  const log =
    logs.get(expected) ?? logOfCurves(expected.spec, sentCurves(expected.curves, methods));
  logs.set(expected, log);
  return log;
}

/** The sender's of the run that is shown: null also where that one is of other settings than the link's. */
export function sentBeside({ start }: RunLog, expected: Expected): RunLog | null {
  const isPromised =
    start && expected && settingsThatDiffer(start.spec, expected.spec).length === 0;
  return isPromised ? sentLogOf(expected) : null;
}

export function useSentLog(log: RunLog): RunLog | null {
  const expected = useExperimentState(selectExpected);
  const { start } = log;
  // A log has no start before its first event.
  return useMemo(() => (start ? sentBeside(log, expected) : null), [log, start, expected]);
}

/** Broad and pale, so that a line that is the same can be seen on it. */
export function senderCurves(sent: RunLog, metric: Metric): Curve[] {
  return methodCurves(sent, metric)
    .filter(({ y }) => y.some((value) => value !== null))
    .map((curve) => ({
      ...curve,
      id: `sender-${curve.id}`,
      name: words.sender.name(curve.name),
      dash: "",
      weight: "sender",
    }));
}

export function useSenderCurves(log: RunLog, metric: Metric): readonly Curve[] {
  const sent = useSentLog(log);
  return useMemo(() => (sent ? senderCurves(sent, metric) : []), [sent, metric]);
}
