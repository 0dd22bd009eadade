/** Where runs ended, and how many collapsed: crashed ones count, as in a sweep's summary. */
import { expect, it } from "vitest";
import { collapsesIn, endOfRuns } from "../../src/panels/curves/ends.ts";
import { metricOf } from "../../src/panels/curves/metrics.ts";
import { tInterval } from "../../src/numeric/statistics.ts";
import { curveLog, curveSpec } from "../fixtures/curveRun.ts";

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

it("has no interval for one run, and nothing for none", () => {
  const metric = metricOf("reward", "sokoban")!;
  expect(endOfRuns([curveLog()], "grpo", metric)!.interval).toBeNull();
  expect(endOfRuns([curveLog()], "nobody", metric)).toBeNull();
});
