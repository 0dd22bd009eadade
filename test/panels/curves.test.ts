import { afterEach, describe, expect, it } from "vitest";
import { mean, tInterval, bootstrapInterval, iqm } from "../../src/numeric/statistics.ts";
import { formatX, fullDomain, iterationAt, xOf } from "../../src/figures/curves/axes.ts";
import { configDiff } from "../../src/figures/curves/configDiff.ts";
import { jobInput, lineFigure, plainInput } from "../../src/figures/curves/chart.ts";
import { exportRows } from "../../src/figures/curves/exportRows.ts";
import { Intervals } from "../../src/figures/curves/intervals.ts";
import { differenceTo, heightAt, latestOf } from "../../src/figures/curves/curve.ts";
import {
  drawnMethods,
  finishedIterations,
  groupRuns,
  letterOf,
  linesOfRun,
  methodToggled,
  MOST_METHODS,
  runLines,
  type CurveJob,
} from "../../src/figures/curves/lines.ts";
import { findMetric, metricOf, metricsByText } from "../../src/figures/curves/metrics.ts";
import { curveMoves, cursorX, wholeDomain } from "../../src/figures/curves/moves.ts";
import { sentBeside } from "../../src/figures/curves/sent.ts";
import { csvOf, jsonlOf } from "../../src/ui/csv.ts";
import { withStyles } from "../../src/charts/palette.ts";
import { curvesTextOf } from "../../src/reading/fingerprintCurves.ts";
import { chartSync } from "../../src/panels/shared/chartSync.ts";
import { setCurves, START_VIEW, type CurvesView } from "../../src/store/curvesView.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import { RunLog, noRun, viewOf } from "../../src/reading/log/runLog.ts";
import { keepRun, runShelf, runsOf } from "../../src/store/runs.ts";
import { curveEvents, curveLog, curveSpec } from "../fixtures/curveRun.ts";

afterEach(() => runShelf.setState({ runs: [] }));

/** The first log is the one shown. */
function jobOf(logs: readonly RunLog[], changes: Partial<CurvesView> = {}): CurveJob {
  const [first, ...others] = logs;
  const shelf = { runs: others.map((log) => ({ log, label: "kept", origin: "kept" as const })) };
  const runs = runsOf(first ? viewOf(first, "live") : noRun(), null, shelf);
  return { runs, settings: { ...START_VIEW, ...changes } };
}

/** Three iterations as another program's files tell them: without settings. */
function lateLog(first: number): RunLog {
  const log = new RunLog();
  for (const iteration of [first, first + 1, first + 2])
    log.append({
      ...{ type: "iteration", algorithm: "verl", iteration, warmup: false, episodes: [] },
      ...{ metrics: { "critic/score/mean": iteration }, chain: "", time: { at: "" } },
    });
  return log;
}

const reward = metricOf("reward", "sokoban")!;
const figureOf = (job: CurveJob, intervals = new Intervals()) =>
  lineFigure(jobInput(job, reward), intervals);
const build = (job: CurveJob) => figureOf(job).curves;
const rewards = (log: RunLog, algorithm = "grpo") => log.series(algorithm, reward.key).y;

describe("lines", () => {
  it("are one for each method of each run, marked with the run's letter where there are several", () => {
    const logs = [curveLog(), curveLog({ iterations: 10 })];
    const lines = runLines(jobOf(logs));
    expect(lines).toHaveLength(6);
    expect(lines[0]!.name).toMatch(/^GRPO \([A-Z]\d*\)$/);
    expect(lines.map(({ weight }) => weight)).toEqual([
      ...Array(3).fill("main"),
      ...Array(3).fill("other"),
    ]);
    expect(runLines(jobOf([logs[0]!])).map(({ name }) => name)).toEqual([
      "GRPO",
      "token-PPO",
      "Turn-PPO",
    ]);
  });

  it("leave out hidden runs and methods, and know the baseline", () => {
    const job = jobOf([curveLog(), curveLog({ iterations: 10 })]);
    const named = runLines({ ...job, settings: { ...job.settings, baseline: "grpo" } });
    // A link knows the method only: of the run that is shown.
    expect(named.map(({ weight }) => weight === "baseline")).toEqual([
      true,
      ...Array(5).fill(false),
    ]);
    const baseline = runLines(job)[1]!.id;
    const hidden = [job.runs[1]!.id, "grpo"];
    const lines = runLines({ ...job, settings: { ...job.settings, hidden, baseline } });
    expect(lines.map(({ method, weight }) => [method, weight])).toEqual([
      ["token-ppo", "baseline"],
      ["turn-ppo", "main"],
    ]);
  });

  it("are of six methods at most; the others are chosen in their place", () => {
    const names = [..."abcdefgh"];
    expect(drawnMethods(names, [])).toEqual([..."abcdef"]);
    // Nothing moves up by itself where one is unchecked, and runs stay hidden.
    const without = methodToggled(names, ["run1"], "b");
    expect(drawnMethods(names, without)).toEqual([..."acdef"]);
    expect(without).toContain("run1");
    const other = methodToggled(names, without, "h");
    expect(drawnMethods(names, other)).toEqual([..."acdefh"]);
    expect(drawnMethods(names, other)).toHaveLength(MOST_METHODS);
  });

  it("make a ghost of the recorded run behind a live one", () => {
    const recorded = viewOf(curveLog({ iterations: 9 }), "recorded");
    const runs = runsOf(viewOf(curveLog(), "live"), recorded, { runs: [] });
    const lines = runLines({ runs, settings: START_VIEW });
    expect(lines.map(({ weight }) => weight).slice(3)).toEqual(["ghost", "ghost", "ghost"]);
    const alone = runLines({
      runs: runsOf(recorded, recorded, { runs: [] }),
      settings: START_VIEW,
    });
    expect(alone[0]!.weight).toBe("main");
  });

  it("make a broad line of the curves that came with a link, beside the run of its settings only", () => {
    const log = curveLog();
    const { spec } = log.start!;
    const sent = sentBeside(log, { spec, curves: curvesTextOf(log) });
    expect(sent).not.toBeNull();
    expect(sentBeside(log, { spec: { ...spec, seed: spec.seed + 1 } })).toBeNull();
    const runs = runsOf(viewOf(log, "live"), null, { runs: [] }, [], sent);
    expect(runs.map(({ origin, label }) => [origin, label])).toContainEqual([
      "shared",
      "sender’s run",
    ]);
    const { curves } = withStyles(figureOf({ runs, settings: START_VIEW }));
    const theirs = curves.filter(({ weight }) => weight === "sender");
    expect(theirs.map(({ dash }) => dash)).toEqual(log.algorithms.map(() => ""));
  });
});

it("gives arms of a sweep colours of their own, in place of their one method's", () => {
  const log = curveLog();
  const [line] = linesOfRun(log);
  const arms = ["A", "B"].map((mark) => ({ ...line!, id: mark, look: mark, mark }));
  const input = { ...plainInput(reward, arms, [log]), methods: ["A", "B"] };
  const { curves } = withStyles(lineFigure(input));
  expect(curves.map(({ method }) => method)).toEqual([line!.method, line!.method]);
  expect(new Set(curves.map(({ colour }) => colour)).size).toBe(2);
  expect(new Set(curves.map(({ dash }) => dash)).size).toBe(2);
});

describe("a smoothed curve", () => {
  it("has its numbers pale behind, and its line where they tend", () => {
    const log = curveLog();
    const input = plainInput(reward, linesOfRun(log), [log]);
    const [curve] = lineFigure(input).curves;
    const settings = { ...input.settings, smoothing: 0.8 };
    const line = lineFigure({ ...input, settings }).curves[0]!;
    expect(line.raw).toEqual(curve!.points);
    expect(line.y[0]).toBeCloseTo(curve!.y[0]!, 10);
    expect(line.points.map(({ y }) => y)).toEqual(line.kept.map((i) => line.y[i]));
    expect(line.y[1]).toBeCloseTo((0.8 * curve!.y[0]! + curve!.y[1]!) / 1.8, 10);
  });
});

describe("the table of runs", () => {
  it("counts iterations, whatever their numbers, of the methods that go on", () => {
    const log = new RunLog();
    const rest = { chain: "", time: { at: "" } };
    const add = (algorithm: string, iteration: number) =>
      log.append({
        ...{ type: "iteration", algorithm, iteration, warmup: false },
        ...{ metrics: {}, episodes: [], ...rest },
      });
    expect(finishedIterations(log)).toBe(0);
    add("verl", 12);
    expect(finishedIterations(log)).toBe(1);
    expect(finishedIterations(curveLog())).toBe(curveLog().finishedIterations);
    add("unipo", 11);
    add("unipo", 12);
    log.append({
      ...{ type: "crash", algorithm: "verl", iteration: 13, cause: "x", action: "y", ...rest },
    });
    expect(finishedIterations(log)).toBe(2);
  });
});

describe("seeds", () => {
  const logs = [1, 2, 3].map((seed) => curveLog({ seed }));

  it("are one line: their mean with Student's t and n, equal to the statistics of the numbers", () => {
    const [curve] = build(jobOf(logs));
    const at = (i: number) => logs.map((log) => rewards(log)[i]!);
    expect(curve!.note).toBe("3 seeds");
    expect(curve!.n.every((n) => n === 3)).toBe(true);
    curve!.y.forEach((value, i) => expect(value).toBeCloseTo(mean(at(i)), 12));
    const { low, high } = tInterval(at(4));
    expect(curve!.band![4]).toEqual({ x: 5, low, high });
  });

  it("or their interquartile mean with a bootstrap interval, whatever is chosen for plain means", () => {
    const many = [1, 2, 3, 4, 5].map((seed) => curveLog({ seed }));
    const [curve] = build(jobOf(many, { seeds: "iqm", interval: "t" }));
    const values = many.map((log) => rewards(log)[7]!);
    expect(curve!.y[7]).toBeCloseTo(iqm(values), 12);
    const { low, high } = bootstrapInterval([values], { resamples: 1000 });
    expect(curve!.band![7]).toEqual({ x: 8, low, high });
  });

  it("are smoothed one by one before their mean is taken", () => {
    const [curve] = build(jobOf(logs, { smoothing: 0.5 }));
    const last = logs.map((log) => build(jobOf([log], { smoothing: 0.5 }))[0]!.y.at(-1)!);
    expect(curve!.y.at(-1)).toBeCloseTo(mean(last), 12);
    expect(curve!.raw!.at(-1)!.y).toBeCloseTo(mean(logs.map((log) => rewards(log).at(-1)!)), 12);
  });

  it("count a crash: n falls from there on, and the line says so", () => {
    const crashed = curveLog({ seed: 4, crashAt: 6 });
    const [curve] = build(jobOf([...logs, crashed]));
    expect(curve!.note).toBe("4 seeds, 1 of 4 crashed");
    expect(curve!.n.slice(3, 8)).toEqual([4, 4, 3, 3, 3]);
    expect(curve!.crashes).toEqual([{ x: 6, cause: "The gradient was not finite." }]);
  });

  it("never average a number that is not finite", () => {
    const broken = curveLog({
      seed: 4,
      change: (metrics, _, i) => (i === 5 ? { ...metrics, "critic/score/mean": null } : metrics),
    });
    const [curve] = build(jobOf([...logs, broken]));
    expect(curve!.y[4]).toBeNull();
    expect(curve!.band![4]!.low).toBeNaN();
    expect(curve!.y[5]).not.toBeNull();
  });

  it("count the same seed once, and other settings not at all", () => {
    const again = curveLog({ seed: 2 });
    const other = curveLog({ seed: 5, iterations: 9 });
    const { runs } = jobOf([...logs, again, other]);
    const groups = groupRuns(runs, START_VIEW);
    expect(groups.map((group) => [group.runs.length, group.again])).toEqual([
      [3, false],
      [1, true],
      [1, false],
    ]);
    expect(groups[1]!.runs).toEqual([runs[3]]);
    expect(groupRuns(runs, { ...START_VIEW, seeds: "each" })).toHaveLength(5);
    expect([0, 25, 26].map(letterOf)).toEqual(["A", "Z", "A2"]);
  });

  it("are runs that tell none, too, when the reader says so", () => {
    const unknown = [500, 501].map((first) => lateLog(first));
    const job = jobOf(unknown);
    expect(groupRuns(job.runs, START_VIEW).map((group) => group.again)).toEqual([false, false]);
    const together = job.runs.map(({ id }) => id);
    const [group, ...others] = groupRuns(job.runs, { ...START_VIEW, together });
    expect(others).toEqual([]);
    expect(group).toMatchObject({ runs: job.runs, again: false });
    const [curve] = build(jobOf(unknown, { together }));
    expect(curve!.note).toBe("2 seeds");
    expect(groupRuns(job.runs, { ...START_VIEW, together: [together[0]!] })).toHaveLength(2);
    // One that gives its settings, but no seed, is not further evidence by itself.
    const spec = { environment: { kind: "imported" }, algorithms: [], optimisation: {} };
    const said = job.runs.map((run) => ({ ...run, spec: spec as never }));
    expect(groupRuns(said, START_VIEW)).toHaveLength(2);
  });

  it("take their time over intervals, a few at a time, and lose none", () => {
    let now = 0;
    const intervals = new Intervals(() => (now += 1));
    const job = jobOf(logs);
    let passes = 0;
    let built = null;
    do {
      intervals.allow(10);
      built = figureOf(job, intervals);
      passes++;
    } while (built.unfinished && passes < 100);
    expect(passes).toBeGreaterThan(3);
    expect(built.curves.map(({ band }) => band)).toEqual(build(job).map(({ band }) => band));
  });
});

describe("the x axis", () => {
  const log = curveLog({ crashAt: 15 });

  it("counts what an iteration has used up, from 0", () => {
    expect(xOf(log, "turn-ppo", "iteration", 3)).toBe(3);
    expect(xOf(log, "turn-ppo", "turns", 3)).toBe(384);
    expect(xOf(log, "turn-ppo", "tokens", 0)).toBe(0);
    expect(xOf(log, "turn-ppo", "time", 20)).toBe(40);
    // Iteration 15 of GRPO never ended.
    expect(xOf(log, "grpo", "time", 15)).toBe(28);
    expect(iterationAt(log, "turn-ppo", "tokens", 1300)).toBe(2);
    expect(iterationAt(new RunLog(), "turn-ppo", "tokens", 1300)).toBeNull();
  });

  it("has room for every run", () => {
    expect(fullDomain([log, curveLog({ iterations: 30 })], "iteration")).toEqual([0, 30]);
    expect(fullDomain([log], "tokens")).toEqual([0, 12_800]);
    expect(fullDomain([], "iteration")).toEqual([0, 5]);
    expect(fullDomain([new RunLog()], "iteration")).toEqual([0, 5]);
  });

  it("begins where the first run does", () => {
    expect(fullDomain([lateLog(500)], "iteration")).toEqual([499, 504]);
    expect(fullDomain([lateLog(500), lateLog(520)], "iteration")).toEqual([499, 522]);
    expect(fullDomain([lateLog(500), curveLog({ iterations: 30 })], "iteration")).toEqual([0, 502]);
    expect(fullDomain([lateLog(500)], "turns")[0]).toBe(0);
  });

  it("says which lines have no place on it", () => {
    const silent = curveLog({ change: ({ "num_turns/mean": _, ...metrics }) => metrics });
    const built = figureOf(jobOf([silent], { axis: "turns" }));
    expect(built.notes).toEqual(["GRPO, token-PPO, Turn-PPO: no data on this axis, so not shown."]);
    expect(built.curves[0]!.x).toEqual([]);
  });

  it("is written short", () => {
    expect([12, 640, 12_800, 2.5e6].map((x) => formatX("tokens", x))).toEqual([
      "12",
      "640",
      "12.8k",
      "2.5M",
    ]);
    expect(formatX("time", 3.25)).toBe("3.25\u00a0s");
    expect(formatX("time", 125)).toBe("2 min 5 s");
  });
});

describe("comparing", () => {
  it("takes the difference at the last iteration that both lines have", () => {
    const [long, short] = [curveLog({ seed: 1 }), curveLog({ seed: 2, iterations: 12 })];
    const curves = build(jobOf([long, short]));
    const difference = differenceTo(curves[0]!, curves[3]!, true)!;
    expect(difference.x).toBe(12);
    expect(difference.value).toBeCloseTo(rewards(long)[11]! - rewards(short)[11]!, 12);
    expect(latestOf(curves[0]!)).toEqual({ value: rewards(long)[19], iteration: 20 });
    expect(latestOf({ ...curves[0]!, x: [], y: [], iteration: [] })).toBeUndefined();
  });

  it("takes it at the same place on another axis, the baseline between its points", () => {
    const own = { x: [10, 30, 70], y: [1, 3, 7], iteration: [1, 2, 3] };
    const base = { x: [20, 40, 60], y: [0, 10, 30], iteration: [1, 2, 3] };
    expect(differenceTo(own, base, true)).toEqual({ value: -23, x: 70 });
    // At 30, the last of its own points within the other's reach, halfway between 0 and 10.
    expect(differenceTo(own, base, false)).toEqual({ value: -2, x: 30 });
    expect(differenceTo(own, { ...base, y: [0, null, 30] }, false)).toBeUndefined();
    expect([10, 20, 25, 60, 61].map((x) => heightAt(base, x))).toEqual([null, 0, 2.5, 30, null]);
  });

  it("names the settings that differ, and no others", () => {
    const { runs } = jobOf([curveLog({ seed: 1 }), curveLog({ seed: 2, iterations: 12 })]);
    expect(configDiff(runs)).toEqual([{ path: "optimisation.iterations", values: ["20", "12"] }]);
    expect(configDiff(runs.slice(0, 1))).toEqual([]);
    const spec = { ...curveSpec(), algorithms: [{ name: "grpo", set: { epsLow: 0.1 } }] };
    const changed = configDiff([runs[0]!, { ...runs[0]!, spec }]);
    expect(changed.map(({ path, values }) => [path, values[1]])).toEqual([
      ["algorithms", "grpo epsLow=0.1"],
    ]);
    // What a file does not contain is not a difference.
    expect(configDiff([runs[0]!, { ...runs[0]!, spec: null }])).toEqual([]);
    const partly = { ...curveSpec(), environment: { kind: "imported" } as never };
    const algorithms = [{ name: "grpo", set: { gamma: 0.5 } }];
    const half = { ...runs[0]!, spec: { ...partly, algorithms } };
    expect(configDiff([runs[0]!, half]).map(({ path }) => path)).toEqual(["algorithms"]);
  });
});

describe("files", () => {
  it("hold every point, however many", () => {
    const log = curveLog({
      iterations: 700,
      change: (m, _, i) => (i === 3 ? { ...m, "critic/score/mean": null } : m),
    });
    const job = jobOf([log], { smoothing: 0.9, trim: true, hidden: ["token-ppo"] });
    const { head, rows } = exportRows(job, [reward]);
    expect(rows).toHaveLength(1400);
    expect(Object.fromEntries(head.map((name, i) => [name, rows[9]![i]]))).toMatchObject({
      algorithm: "grpo",
      iteration: 10,
      value: rewards(log)[9],
      turns: 1280,
    });
    expect(JSON.parse(jsonlOf(head, rows).split("\n")[2]!)).toMatchObject({ value: null, seed: 1 });
    const lines = csvOf(head, rows).trim().split("\r\n");
    expect(lines).toHaveLength(1401);
    expect(lines[3]).toMatch(/,3,384,1920,6,$/);
  });

  it("quote what must be quoted, and give a spreadsheet no formula", () => {
    const job = jobOf([curveLog({ iterations: 1 })]);
    const runs = job.runs.map((run) => ({ ...run, label: '=HYPERLINK("x",1)' }));
    const { head, rows } = exportRows({ ...job, runs }, [reward]);
    const [, first] = csvOf(head, rows).split("\r\n");
    expect(first).toContain(`,"'=HYPERLINK(""x"",1)",live,`);
  });
});

describe("keys and pointers", () => {
  const open = (changes: Partial<CurvesView> = {}) => {
    const store = createExperimentStore(curveSpec());
    store.setState({ view: viewOf(curveLog(), "live"), curves: { ...START_VIEW, ...changes } });
    return store;
  };
  const press = (store: ReturnType<typeof open>, ...moves: (keyof typeof curveMoves)[]) => {
    for (const move of moves) store.setState(curveMoves[move]);
    return store.getState().curves;
  };

  it("zoom around what is read, along, and back to all", () => {
    const store = open({ reading: 10 });
    expect(press(store, "zoomIn").domain).toEqual([5, 15]);
    expect(press(store, "panLater").domain).toEqual([7.5, 17.5]);
    expect(press(store, "panLater", "panLater").domain).toEqual([10, 20]);
    expect(press(store, "zoomOut").domain).toBeNull();
    expect(press(store, "panEarlier").domain).toBeNull();
    expect(press(store, "zoomIn", "zoomReset").domain).toBeNull();
  });

  it("select a stretch between two places, zoom into it, and clear it before the zoom", () => {
    const store = open({ reading: 6 });
    expect(press(store, "selectHere").brush).toEqual([6, 6]);
    store.setState(({ curves }) => ({ curves: { ...curves, reading: 3 } }));
    expect(press(store, "selectHere").brush).toEqual([3, 6]);
    expect(press(store, "zoomIn")).toMatchObject({ domain: [3, 6], brush: null });
    chartSync(store).select([3.4, 5.2]);
    expect(store.getState().curves.brush).toEqual([4, 5]);
    expect(press(store, "zoomReset")).toMatchObject({ domain: [3, 6], brush: null });
    expect(press(store, "zoomReset").domain).toBeNull();
    // Less than one iteration, and another axis.
    chartSync(store).select([3.1, 3.9]);
    expect(store.getState().curves.brush).toBeNull();
    chartSync(store).select([3, 9]);
    setCurves(store, { axis: "tokens" });
    expect(store.getState().curves.brush).toBeNull();
  });

  it("read from the cursor on, with the zoom following", () => {
    const store = open({ domain: [18, 19.5] });
    expect(press(store, "readLater").reading).toBe(20);
    expect(press(store, "readEarlier", "readEarlier", "readEarlier")).toMatchObject({
      reading: 17,
      domain: [17, 18.5],
    });
  });

  it("move the cursor to what is read, as near as there are episodes", () => {
    const store = open({ reading: 19 });
    press(store, "cursorHere");
    expect(store.getState().choice.iteration).toBe(19);
    // Episodes are kept of the last three iterations only.
    chartSync(store).choose("config1|grpo", 2);
    expect(store.getState().choice).toMatchObject({ algorithm: "grpo", iteration: 18 });
    expect(cursorX(store.getState())).toBe(18);
  });

  it("do nothing where there is no run", () => {
    const store = createExperimentStore(curveSpec());
    for (const move of Object.keys(curveMoves) as (keyof typeof curveMoves)[]) press(store, move);
    expect(wholeDomain(store.getState())).toEqual([0, 5]);
    expect(cursorX(store.getState())).toBeNull();
    chartSync(store).choose("x|grpo", 3);
    expect(store.getState().choice.iteration).toBeNull();
  });

  it("take a stretch of nothing for everything", () => {
    const store = open({ domain: [2, 3] });
    chartSync(store).zoom([4, 4]);
    expect(store.getState().curves.domain).toBeNull();
    chartSync(store).zoom([4.1, 4.2]);
    expect(store.getState().curves.domain).toEqual([4, 5]);
    chartSync(store).zoom([5.02, 9.9]);
    expect(store.getState().curves.domain).toEqual([5, 10]);
    chartSync(store).read(3.4);
    expect(store.getState().curves.reading).toBe(3);
  });

  it("leave room for runs that are kept", () => {
    keepRun(curveLog({ iterations: 40 }), "long");
    expect(wholeDomain(open().getState())).toEqual([0, 40]);
  });
});

describe("numbers by their names", () => {
  it("have charts, with what they mean", () => {
    expect(metricOf("heldout", "sokoban")!.key).toBe("val-env/sokoban/success");
    expect(metricOf("train|actor/entropy", "sokoban")).toMatchObject({
      key: "actor/entropy",
      source: "train",
      id: "train|actor/entropy",
    });
    expect(metricOf("train|actor/pg_clipfrac", "sokoban")!.hint).toContain("clip");
    expect(metricOf("nonsense", "sokoban")).toBeNull();
    expect(metricOf("elsewhere|x", "sokoban")).toBeNull();
  });

  it("are called by words, with the unit, and shares are written in percent", () => {
    const titleOfMetric = (name: string) => metricOf(`train|${name}`, "sokoban")!.title;
    expect(titleOfMetric("actor/entropy")).toBe("Policy entropy, nats");
    expect(titleOfMetric("critic/vf_explained_var")).toBe("Explained variance of the critic");
    expect(titleOfMetric("unheard/of")).toBe("unheard/of");
    expect(metricOf("train|actor/pg_clipfrac", "sokoban")!.format(0.125)).toBe("12.5\u00a0%");
    expect(metricOf("heldout|val-env/webshop/success_purchase", "webshop")).toMatchObject({
      title: "Held-out trips with a purchase",
      key: "val-env/webshop/success_purchase",
    });
  });

  it("are found by their words, by their name in logs, or by both", () => {
    const known = metricsByText([curveLog()]);
    const [full] = [...known.keys()].filter((text) => text.endsWith("critic/score/mean"));
    expect(full).toBe("Mean reward · critic/score/mean");
    for (const text of [full!, "mean reward", " critic/score/mean "])
      expect(findMetric(known, text), text).toBe("train|critic/score/mean");
    // One word is enough, in any order; the shortest name that has it.
    expect(findMetric(known, "score")).toMatch(/score/);
    expect(findMetric(known, "REWARD mean")).toBe("train|critic/score/mean");
    expect(findMetric(known, "no such number")).toBeUndefined();
    expect(findMetric(known, " ")).toBeUndefined();
  });

  it("of an events-only log are found under every method", () => {
    const log = new RunLog();
    for (const event of curveEvents({ iterations: 2 }))
      if (event.type !== "start") log.append(event);
    expect(runLines(jobOf([log])).map(({ method }) => method)).toContain("turn-ppo");
  });
});
