/** Words of the doctor panel. */
import { counted, plural } from "../../numeric/counted.ts";
export const words = {
  cut: (shown: number, all: number) => `The first ${shown} of ${all} findings are shown.`,
  about:
    "Training by reinforcement can collapse. The doctor watches a run's numbers for the known ways, and says which it sees, since when, and what helps.",
  empty: "No run yet. Press Run; the doctor speaks when it sees something.",
  noIterations: "This log has no finished iteration, so there is nothing to judge yet.",
  reading: "Reading the log …",
  found: (critical: number, warnings: number) =>
    `${counted(critical + warnings, "finding")}: ${critical} critical, ${counted(warnings, "warning")}.`,
  quiet: (methods: number, iterations: number) =>
    `Nothing found in ${counted(methods, "method")} over ${counted(iterations, "iteration")}.`,
  fewMade: (made: number, all: number) =>
    `${made} of ${counted(all, "check")} could be made; ${made === 1 ? "it" : "they"} found nothing.`,
  seeTable: "For the others the run does not measure what they need: see the table.",
  someOver: (over: number, all: number) =>
    over === all
      ? all === 1
        ? "It is over."
        : "All are over."
      : `${over} of them ${over === 1 ? "is" : "are"} over.`,
  blind: (n: number) =>
    `${counted(n, "check")} could not be made, because the run does not measure what they need: see the table.`,
  short:
    "The run is short: most checks compare with a run's first three to ten iterations and have little to go by yet.",
  watched: "This run was watched while it went.",
  unwatched: "Nobody watched this run while it went; this is worked out from its log, here.",
  critical: "critical",
  warning: "warning",
  method: (title: string) => `in ${title}`,
  when: (iteration: number, firstBad: number) =>
    iteration === firstBad
      ? `seen at iteration ${iteration}`
      : `seen at iteration ${iteration}, bad since iteration ${firstBad}`,
  over: "over",
  wasBad: (iteration: number, from: number, to: number) =>
    `seen at iteration ${iteration}; it was so ${from === to ? `in iteration ${to}` : `from iteration ${from} to ${to}`}, and is over`,
  saidThen: (says: string) => `The doctor said then: “${says}”`,
  evidence: "Evidence",
  above: "above",
  below: "below",
  value: (value: string) => `was ${value}`,
  notFinite: "not a finite number",
  limit: (side: string, limit: string) => `${side} the limit ${limit}`,
  base: (base: string) => `, set by the run's own earlier level of ${base}`,
  streak: (n: number) => (n > 1 ? `, for the last ${n} measurements` : ""),
  twoLimits: (metrics: string) =>
    `${metrics} has two limits, and both had to be passed. Each is set by another earlier level of the run.`,
  twoLimitsOf: {
    "entropy-crash":
      "The entropy has two limits, and both had to be passed. One is set by its level shortly before, so that a slow decline, which learning brings, is no crash; the other by its level in the run’s first iterations, so that coming back from a passing high is none either.",
  } as Readonly<Record<string, string>>,
  cause: "Where it usually comes from",
  remedies: "What to try, the likeliest first",
  remediesIfAgain: "What to try if it comes back, the likeliest first",
  jump: (iteration: number) => `Go to iteration ${iteration}`,
  nearest: (iteration: number) => `Go to iteration ${iteration}, the nearest with episodes`,
  cannotJump: "No episodes of this method are recorded, so there is nothing to go to.",
  plot: (metric: string) => `${metric}, iteration by iteration`,
  numbers: (metric: string) => `${metric} in numbers`,
  lastListed: (n: number) => `The last ${n} measurements.`,
  iteration: "iteration",
  number: "number",
  iterations: (first: number, last: number) => `iterations ${first} to ${last}`,
  plotHint: (limits: number) =>
    `dashed: the ${plural(limits, "limit")}; upright: the first bad iteration`,
  checks: "What was checked",
  checksHint:
    "quiet: judged and found in order. not measured: the numbers that it needs are not in the log. does not apply: the method has nothing of the kind.",
  checksMeaning: "What the checks look for",
  check: "check",
  state: {
    found: (iteration: number) => `found, iteration ${iteration}`,
    quiet: "quiet",
    notMeasured: "not measured",
    unfit: "does not apply",
  },
  unfit: (check: string, methods: readonly string[], lacks: "critic" | "groups") =>
    `${check} does not apply to ${methods.join(", ")}: ${methods.length === 1 ? "it has" : "they have"} no ${lacks}.`,
  needs: (metrics: string) => `needs ${metrics}`,
  needsTitle: "What the checks that could not be made need",
  noMethods: "The log has no method's numbers.",
} as const;
