/** A chart of curves as data: one way from runs to lines, axes and sentences, whoever shows it. */
import { describe, expect, it } from "vitest";
import {
  jobInput,
  lineFigure,
  plainInput,
  runInput,
  wholeFigure,
} from "../../../src/figures/curves/chart.ts";
import { linesOfRun, methodLine, senderLines } from "../../../src/figures/curves/lines.ts";
import { metricOf } from "../../../src/figures/curves/metrics.ts";
import { tableOfCurves } from "../../../src/figures/curves/table.ts";
import { mean, tInterval } from "../../../src/numeric/statistics.ts";
import { noRun, viewOf } from "../../../src/reading/log/runLog.ts";
import { START_VIEW } from "../../../src/store/curvesView.ts";
import { runsOf } from "../../../src/store/runs.ts";
import { curveLog } from "../../fixtures/curveRun.ts";

const reward = metricOf("reward", "sokoban")!;
const log = curveLog();
const seeds = [2, 3, 4].map((seed) => curveLog({ seed }));
const methods = log.algorithms;
const alone = { log, seeds: [], recorded: null, sent: null, drawn: methods, smoothing: 0 };
const rewards = (run = log) => run.series("grpo", reward.key).y as number[];

describe("one run", () => {
  it("has the same lines in a cell, beside other experiments and in the lens", () => {
    const runs = runsOf(viewOf(log, "live"), null, { runs: [] });
    const inputs = [
      runInput(reward, alone),
      plainInput(reward, linesOfRun(log), [log]),
      jobInput({ runs, settings: START_VIEW }, reward),
    ];
    const [cell, compared, lens] = inputs.map((input) =>
      lineFigure(input).curves.map(({ id: _, ...curve }) => curve),
    );
    expect(cell).toHaveLength(methods.length);
    expect(cell![0]!.y).toEqual(rewards());
    expect(compared).toEqual(cell);
    expect(lens).toEqual(cell);
  });

  it("has recorded seeds beside it as pale means with Student's t, never smoothed", () => {
    const input = runInput(reward, { ...alone, seeds, smoothing: 0.8, drawn: ["grpo"] });
    const figure = lineFigure(input);
    expect(figure.curves.map(({ id, weight }) => [id, weight])).toEqual([
      ["grpo", "main"],
      ["band-grpo", "ghost"],
    ]);
    const [own, band] = figure.curves;
    expect(own!.raw).not.toBeNull();
    expect(band!.raw).toBeNull();
    const at = seeds.map((run) => rewards(run)[4]!);
    expect(band!.y[4]).toBeCloseTo(mean(at), 12);
    expect(band!.band![4]).toEqual({ x: 5, ...tInterval(at) });
    expect(band!.note).toBe("mean of 3 recorded seeds");
    expect(figure.hint).toMatch(/, smoothed\.$/);
  });

  it("has seeds only where two of them have a number, and none of one seed", () => {
    const short = [curveLog({ seed: 2, iterations: 5 }), curveLog({ seed: 3, iterations: 9 })];
    const band = (some: typeof short) =>
      lineFigure(runInput(reward, { ...alone, seeds: some, drawn: ["grpo"] })).curves[1];
    expect(band(short)!.x).toEqual([1, 2, 3, 4, 5]);
    expect(band(short.slice(1))).toBeUndefined();
  });

  it("has the sender's curves behind it before those that were recorded for the page", () => {
    const behind = (sent: typeof log | null) =>
      lineFigure(runInput(reward, { ...alone, recorded: seeds[0]!, sent })).behind;
    expect(behind(null).map(({ weight }) => weight)).toEqual(methods.map(() => "ghost"));
    expect(behind(seeds[1]!).map(({ id }) => id)).toEqual(methods.map((name) => `sender-${name}`));
  });
});

describe("a chart", () => {
  const input = plainInput(reward, [methodLine("grpo", seeds)], seeds);

  it("says what it lacks, whoever shows it", () => {
    const nothing = metricOf("train|no/such", "sokoban")!;
    const says = (figure: ReturnType<typeof lineFigure>) => figure.notes;
    const sentence = ["No run has a metric named no/such."];
    expect(says(lineFigure(plainInput(nothing, linesOfRun(log), [log])))).toEqual(sentence);
    expect(says(lineFigure(runInput(nothing, alone)))).toEqual(sentence);
    const runs = runsOf(viewOf(log, "live"), null, { runs: [] });
    const lens = jobInput({ runs, settings: START_VIEW }, nothing);
    expect(says(lineFigure(lens))).toEqual(sentence);
    // A link's sender has no line for what was not sent.
    expect(lineFigure(plainInput(nothing, senderLines(log), [])).curves).toEqual([]);
  });

  it("has all points and intervals in its files, those out of sight, too", async () => {
    const zoomed = { ...input, settings: { ...input.settings, domain: [3, 6] as const } };
    const figure = await wholeFigure(zoomed);
    expect(figure.xDomain).toEqual([3, 6]);
    const { head, rows } = tableOfCurves(figure.curves, figure.xName);
    expect(head).toEqual([
      "iteration",
      "GRPO, 3 seeds",
      ...["low", "high"].map((end) => `GRPO, 3 seeds, ${end}`),
    ]);
    expect(rows).toHaveLength(20);
    expect(rows.flat().every((value) => value !== null)).toBe(true);
  });

  it("of no run is empty, on an axis of its own", () => {
    const runs = runsOf(noRun(), null, { runs: [] });
    const { curves, xDomain, y } = lineFigure(jobInput({ runs, settings: START_VIEW }, reward));
    expect(curves).toEqual([]);
    expect([xDomain, y.domain]).toEqual([
      [0, 5],
      [0, 1],
    ]);
  });
});
