/** `doctor --run DIR`: the collapse doctor's findings for a run of `train --out DIR`, finished or not, or for any log of events. */
import { InputError, show } from "../numeric/inputError.ts";
import { DETECTORS } from "../train/doctor/detectors.ts";
import { diagnose, type Diagnosis } from "../train/doctor/doctor.ts";
import { parseArgs } from "./args.ts";
import type { Command } from "./command.ts";
import { readRunLog, type ReadLog } from "./runLog.ts";
import { integrityOf } from "./verifyPath.ts";

export const doctorCommand: Command = (argv, out) => {
  const args = parseArgs(argv, { run: { type: "string" } });
  const run = args.string("run");
  if (run === undefined || args.words.length > 0)
    throw new InputError(
      `doctor takes --run, a run's folder or its log; got ${show(argv.join(" "))}`,
    );
  const log = readRunLog(run);
  const diagnosis = diagnose(log.events);
  const checks = checksOf(log, diagnosis);
  for (const line of remarks(log, checks)) out.progress(line);
  out.json({ source: log.source, checks, integrity: integrityOf(run), ...diagnosis });
  return Promise.resolve();
};

/**
 * How many of the doctor's checks the log had the numbers for: a lack of findings means only that
 * much.
 */
interface Checks {
  made: number;
  of: number;
}

function checksOf({ events }: ReadLog, { notMeasured }: Diagnosis): Checks {
  const algorithms = new Set(events.map((event) => ("algorithm" in event ? event.algorithm : "")));
  const of = algorithms.size * DETECTORS.length;
  return { made: of - notMeasured.length, of };
}

function remarks({ source, odd, remarks: said }: ReadLog, { made, of }: Checks): string[] {
  const lines = odd.length === 1 ? `line ${odd[0]} is` : `${odd.length} lines are`;
  return [
    ...said,
    ...(odd.length > 0
      ? [`${lines} no event of a run and not judged (first: line ${odd[0]})`]
      : []),
    ...(of === 0 ? ["the log has no iteration yet: nothing to check"] : []),
    ...(made < of ? [`${source}: ${made} of ${of} checks made; notMeasured lists the others`] : []),
  ];
}
