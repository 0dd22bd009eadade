/** The doctor's findings for a run in a few sentences. */
import { greatest } from "../../numeric/lists.ts";
import type { Finding } from "../../record/runEvent.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import type { CheckRow } from "./checks.ts";
import { words } from "./words.ts";

/** With fewer iterations than this most detectors have no baseline. */
const SHORT = 5;

interface ShownFinding {
  finding: Finding;
  /** The last bad iteration of a resolved finding; null if it is not resolved. */
  over: number | null;
}

/** The maximum number of iterations of any method. */
export function longestRun(log: RunLog): number {
  return greatest([0, ...log.algorithms.map((name) => log.iterations(name).length)]);
}

export function summary(
  log: RunLog,
  findings: readonly ShownFinding[],
  rows: readonly CheckRow[],
): string {
  const iterations = longestRun(log);
  const all = rows.flatMap((row) => row.checks);
  // Checks that do not apply to a method do not count.
  const checks = all.filter(({ lacks }) => lacks === null);
  const blind = checks.filter(({ found, needs }) => found === null && needs !== null).length;
  // If most could not be made, that is mentioned first.
  const headline = findings.length === 0 && 2 * blind > checks.length;
  const parts = [
    findings.length > 0
      ? sayFindings(findings)
      : headline
        ? `${words.fewMade(checks.length - blind, checks.length)} ${words.seeTable}`
        : words.quiet(log.algorithms.length, iterations),
    iterations < SHORT ? words.short : "",
    blind > 0 && !headline ? words.blind(blind) : "",
    isWatched(log) ? words.watched : words.unwatched,
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function sayFindings(findings: readonly ShownFinding[]): string {
  const critical = findings.filter(({ finding }) => finding.severity === "critical").length;
  const over = findings.filter((one) => one.over !== null).length;
  const found = words.found(critical, findings.length - critical);
  return over === 0 ? found : `${found} ${words.someOver(over, findings.length)}`;
}

/** Older and foreign specs do not mention a doctor. */
function isWatched(log: RunLog): boolean {
  const spec = log.start?.spec as { doctor?: { on?: boolean } } | undefined;
  return spec?.doctor?.on === true || log.findings.length > 0;
}
