/** Words of the health panel. */
import { counted, plural } from "../../numeric/counted.ts";
export const words = {
  cut: (shown: number, all: number) => `The first ${shown} of ${all} findings are shown.`,
  about:
    "RL training can collapse. The doctor watches a run's metrics for known failure modes and reports evidence, start and remedies.",
  stories: "What each method did",
  empty: "No run yet. Press Run; findings appear here.",
  noIterations: "This log has no finished iteration to check.",
  reading: "Reading the log …",
  found: (critical: number, warnings: number) =>
    `${counted(critical + warnings, "finding")}: ${critical} critical, ${counted(warnings, "warning")}.`,
  quiet: (methods: number, iterations: number) =>
    `No problem found in ${counted(methods, "method")} over ${counted(iterations, "iteration")}.`,
  fewMade: (made: number, all: number) =>
    `${made} of ${counted(all, "check")} could be made; ${made === 1 ? "it" : "they"} found no problem.`,
  seeTable: "The run lacks the metrics for the others: see the table.",
  someOver: (over: number, all: number) =>
    over === all
      ? all === 1
        ? "It is resolved."
        : "All are resolved."
      : `${over} of them ${over === 1 ? "is" : "are"} resolved.`,
  blind: (n: number) =>
    `${counted(n, "check")} could not be made because the run lacks their metrics: see the table.`,
  short: "The run is short: most checks compare with its first three to ten iterations.",
  watched: "The doctor watched this run live.",
  unwatched: "These findings are computed from the log; the run itself was not watched.",
  critical: "critical",
  warning: "warning",
  method: (title: string) => `in ${title}`,
  when: (iteration: number, firstBad: number) =>
    iteration === firstBad
      ? `seen at iteration ${iteration}`
      : `seen at iteration ${iteration}, bad since iteration ${firstBad}`,
  over: "over",
  wasBad: (iteration: number, from: number, to: number) =>
    `seen at iteration ${iteration}; lasted ${from === to ? `one iteration (${to})` : `from iteration ${from} to ${to}`}, now resolved`,
  saidThen: (says: string) => `Original finding: “${says}”`,
  evidence: "Evidence",
  above: "above",
  below: "below",
  value: (value: string) => `was ${value}`,
  notFinite: "not a finite number",
  limit: (side: string, limit: string) => `${side} the limit ${limit}`,
  base: (base: string) => `, based on the run's earlier level of ${base}`,
  streak: (n: number) => (n > 1 ? `, for the last ${n} measurements` : ""),
  twoLimits: (metrics: string) =>
    `${metrics} crossed both of its limits. Each is based on a different earlier level of the run.`,
  twoLimitsOf: {
    "entropy-crash":
      "The entropy crossed both of its limits. One follows its recent level: a slow decline from learning is not a collapse. The other follows its first iterations: the end of a peak is not a collapse.",
  } as Readonly<Record<string, string>>,
  cause: "Likely cause",
  remedies: "What to try, most likely first",
  remediesIfAgain: "What to try if it returns, most likely first",
  jump: (iteration: number) => `Go to iteration ${iteration}`,
  nearest: (iteration: number) => `Go to iteration ${iteration}, the nearest with episodes`,
  cannotJump: "No episodes of this method are recorded.",
  plot: (metric: string) => `${metric}, iteration by iteration`,
  numbers: (metric: string) => `${metric} in numbers`,
  notNumber: "not a number",
  iteration: "iteration",
  number: "number",
  iterations: (first: number, last: number) => `iterations ${first} to ${last}`,
  plotHint: (limits: number) =>
    `dashed: the ${plural(limits, "limit")}; vertical line: the first bad iteration`,
  checks: "Checks",
  checksHint:
    "passed: no problem found. not measured: the log lacks the metrics. does not apply: the method has no such part.",
  checksMeaning: "What the checks look for",
  check: "check",
  state: {
    found: (iteration: number) => `found, iteration ${iteration}`,
    passed: "passed",
    notMeasured: "not measured",
    unfit: "does not apply",
  },
  unfit: (check: string, methods: readonly string[], lacks: "critic" | "groups") =>
    `${check} does not apply to ${methods.join(", ")}: ${methods.length === 1 ? "it has" : "they have"} no ${lacks}.`,
  needs: (metrics: string) => `needs ${metrics}`,
  needsTitle: "Metrics that the remaining checks need",
  noMethods: "The log has no metrics.",
} as const;
