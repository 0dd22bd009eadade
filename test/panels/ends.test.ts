/** Where runs ended, and how many collapsed: crashed ones count, as in a sweep's summary. */
import { expect, it } from "vitest";
import { collapsedIn, collapsesIn, endOfRuns } from "../../src/figures/curves/ends.ts";
import { metricOf } from "../../src/figures/curves/metrics.ts";
import { tInterval } from "../../src/numeric/statistics.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { curveEvents, curveLog, curveSpec } from "../fixtures/curveRun.ts";

const CRASH = 12;

it("counts a crashed run with its last finite number", () => {
  const logs = [
    curveLog({ seed: 1 }),
    curveLog({ seed: 2 }),
    curveLog({ seed: 3, crashAt: CRASH }),
  ];
  const metric = metricOf("reward", "sokoban")!;
  const [crashed] = logs[2]!.crashes;
  const { algorithm } = crashed!;
  const { iterations } = curveSpec().optimisation;
  const last = logs.map((log) => log.series(algorithm, metric.key, metric.source).y.at(-1)!);
  expect(logs[2]!.iterations(algorithm).at(-1)).toBeLessThan(iterations);
  const end = endOfRuns(logs, algorithm, metric)!;
  expect(end.value).toBeCloseTo(last.reduce((a, b) => a + b) / 3, 12);
  expect(end.interval).toEqual(tInterval(last));
  expect(end.iteration).toBe(iterations);
  expect(collapsesIn(logs, algorithm)).toBe(1);
  const other = logs[2]!.algorithms.find((name) => name !== algorithm)!;
  expect(collapsesIn(logs, other)).toBe(0);
});

it("counts a policy whose turns are no longer valid, though its numbers stayed finite", () => {
  const events = curveEvents().map((event) => {
    if (event.type !== "eval") return event;
    const share = event.algorithm === "grpo" && event.iteration > 0 ? 0.3 : 1;
    return { ...event, metrics: { ...event.metrics, "val-env/sokoban/action_is_valid": share } };
  });
  const log = new RunLog();
  for (const event of events) log.append(event);
  expect(log.crashes).toEqual([]);
  expect(collapsesIn([log, curveLog()], "grpo")).toBe(1);
  expect(collapsedIn(log)).toEqual(["grpo"]);
});

it("has no interval for one run, and nothing for none", () => {
  const metric = metricOf("reward", "sokoban")!;
  expect(endOfRuns([curveLog()], "grpo", metric)!.interval).toBeNull();
  expect(endOfRuns([curveLog()], "nobody", metric)).toBeNull();
});
