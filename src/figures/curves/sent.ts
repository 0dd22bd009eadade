/** The curves that came with a link, as a run's log. */
import { sentCurves } from "../../reading/fingerprint.ts";
import { logOfCurves } from "../../reading/fingerprintCurves.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { learnerNames } from "../../spec/preference.ts";
import { settingsThatDiffer } from "../../store/anotherRun.ts";
import type { ExperimentState } from "../../store/experimentState.ts";

type Expected = ExperimentState["expected"];

/** The same log for a link as long as it is open. */
const logs = new WeakMap<object, RunLog>();

/** As a log of nothing else; null if the link has none. */
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
