/** Recorded seeds: their file, and the bands that are drawn of them. */
import { describe, expect, it } from "vitest";
import { encodeSeeds } from "../../src/interchange/columnar/seeds.ts";
import { tInterval } from "../../src/numeric/statistics.ts";
import { lineFigure, plainInput } from "../../src/figures/curves/chart.ts";
import { runLines, seedLines } from "../../src/figures/curves/lines.ts";
import { namedMetrics, type Metric } from "../../src/figures/curves/metrics.ts";
import { START_VIEW } from "../../src/store/curvesView.ts";
import { viewOf, type RunLog } from "../../src/reading/log/runLog.ts";
import { runsOf } from "../../src/store/runs.ts";
import { fitting, readSeeds } from "../../src/store/seeds.ts";
import { raise, SUCCESS, seedRuns } from "../fixtures/seedRuns.ts";
import { shippedLog } from "../fixtures/shippedRun.ts";

const METHODS = ["grpo", "turn-ppo"];
const logs = seedRuns([1, 2, 3, 4, 5], METHODS);
const text = encodeSeeds("made so", logs);
const { heldout, reward } = namedMetrics("sokoban");

const seedCurves = (seeds: readonly RunLog[], methods: readonly string[], metric: Metric) =>
  lineFigure(plainInput(metric, seedLines(seeds, methods), seeds)).curves;

describe("a file of seeds", () => {
  it("holds each run's settings and curves, and its command", async () => {
    const { seeds, seedsCommand } = await readSeeds(text);
    expect(seedsCommand).toBe("made so");
    expect(seeds.length).toBe(10);
    expect(seeds.map(({ start }) => start!.spec.seed)).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
    const was = logs[6]!.flatMap((event) =>
      event.type === "eval" ? [event.metrics[SUCCESS]!] : [],
    );
    const { y } = seeds[6]!.series("turn-ppo", SUCCESS, "heldout");
    expect(y.length).toBe(was.length);
    y.forEach((one, i) => expect(one).toBeCloseTo(was[i]!, 6));
    expect(seeds[6]!.series("turn-ppo", "critic/score/mean").x.length).toBe(50);
    // Small: nothing that no curve is drawn of.
    expect(seeds[6]!.metrics("train").length).toBeLessThan(10);
    expect(text.length).toBeLessThan(60_000);
  });

  it("is refused where it is damaged", async () => {
    await expect(readSeeds(text.replace("made so", "made SO"))).rejects.toThrow(
      "the file of seeds is damaged: its SHA-256 does not match",
    );
    await expect(readSeeds("<html>")).rejects.toThrow(/the format of the seeds is/);
  });
});

describe("bands", () => {
  it("are mean and Student's t over seeds, of methods with at least two", async () => {
    const { seeds } = await readSeeds(text);
    const [grpo, turnPpo, ...others] = seedCurves(
      seeds,
      ["grpo", "token-ppo", "turn-ppo"],
      heldout!,
    );
    expect(others).toEqual([]);
    expect([grpo!.id, turnPpo!.id]).toEqual(["band-grpo", "band-turn-ppo"]);
    const first = turnPpo!.band![0]!;
    const values = [1, 2, 3, 4, 5].map((seed) => 0.203125 + raise(seed));
    const { low, high } = tInterval(values);
    expect([first.x, turnPpo!.x[0], turnPpo!.n[0]]).toEqual([0, 0, 5]);
    expect(turnPpo!.y[0]).toBeCloseTo(0.233125, 6);
    expect([first.low, first.high]).toEqual([expect.closeTo(low, 6), expect.closeTo(high, 6)]);
    expect(seedCurves(seeds.slice(0, 1), ["grpo"], heldout!)).toEqual([]);
    expect(seedCurves(seeds, ["grpo"], reward!)[0]!.x.length).toBe(50);
  });

  it("belong to the run's own tasks and model", async () => {
    const { seeds } = await readSeeds(text);
    const log = shippedLog(["turn-ppo", 1]);
    const view = viewOf(log, "recorded");
    expect(fitting(view, seeds)).toEqual(seeds);
    expect(fitting(view, seeds)).toBe(fitting(view, seeds));
    const { spec } = log.start!;
    const environment = { ...spec.environment, maxTurns: 7 } as typeof spec.environment;
    const others = seedRuns([1], ["grpo"]).map(([start, ...rest]) => [
      { ...start!, spec: { ...spec, environment } } as typeof start & object,
      ...rest,
    ]);
    const other = await readSeeds(encodeSeeds("", others as typeof logs));
    expect(fitting(view, other.seeds)).toEqual([]);
  });

  it("are beside a live run in the lens, one line for the seeds of a method", async () => {
    const { seeds } = await readSeeds(text);
    const view = viewOf(shippedLog(["turn-ppo", 1]), "live");
    const runs = runsOf(view, null, { runs: [] }, fitting(view, seeds));
    expect(runs.map(({ label }) => label).slice(0, 3)).toEqual([
      "this run",
      "recorded seed 1",
      "recorded seed 2",
    ]);
    const lines = runLines({ runs, settings: START_VIEW });
    const ghosts = lines.filter(({ weight }) => weight === "ghost");
    expect(ghosts.map(({ method, logs }) => [method, logs.length])).toEqual([
      ["grpo", 5],
      ["turn-ppo", 5],
    ]);
  });
});
