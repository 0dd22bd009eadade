/** A chart of curves as data: from runs, a metric and choices to lines, axes, and sentences on what the picture cannot show. */
import { greatest, least } from "../../numeric/lists.ts";
import { fitAxis, type Axis, type Window } from "../../numeric/scale.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { xDomain as plannedDomain } from "../../reading/xDomain.ts";
import { START_VIEW, type CurveAxis } from "../../store/curvesView.ts";
import { playsTheSame } from "../../store/seeds.ts";
import { formatX, fullDomain } from "./axes.ts";
import type { Curve } from "./curve.ts";
import { buildCurves } from "./curves.ts";
import { belowLog, countOutside, heightsOf } from "./heights.ts";
import { Intervals } from "./intervals.ts";
import {
  linesOfRun,
  methodsIn,
  runLines,
  seedLines,
  senderLines,
  shownRuns,
  type CurveJob,
  type CurveSettings,
  type RunLine,
} from "./lines.ts";
import { hasMetric, type Metric } from "./metrics.ts";
import { missingNotes } from "./unknownMetrics.ts";
import { words } from "./words.ts";

/** All that a chart shows. */
export interface CurveFigure {
  title: string;
  /** What it is called in a log, small beside the title. */
  code?: string | undefined;
  /** One sentence on what is measured. */
  hint?: string | undefined;
  curves: readonly Curve[];
  /** Pale behind them, neither read nor listed. */
  behind: readonly Curve[];
  /** All methods, or looks, that there are: their order gives each its colour. */
  methods: readonly string[];
  /** One step on x, and what is along it. */
  xName: string;
  xTitle: string;
  xDomain: Window;
  formatX: (x: number) => string;
  /** Whether x is the iteration itself: there is nothing between two of them. */
  byIteration: boolean;
  /** The only places on x, as far apart as their logarithms; absent for a linear axis. */
  steps?: readonly number[] | undefined;
  y: Axis;
  format: (value: number) => string;
  /** Sentences on what the picture cannot show. */
  notes: readonly string[];
  /** How the numbers were changed before they were drawn; "" for not at all. */
  how: string;
  /** Whether intervals are missing that will be there next time. */
  unfinished: boolean;
  /** Since when the story of a method goes another way. */
  onset?: OnsetMark | null;
}

/** A place on x, as iterations, with its interval. */
export interface OnsetMark {
  at: number;
  between: readonly [number, number];
  /** Above the lines. */
  says: string;
  isBad: boolean;
}

type ChartParts = Pick<CurveFigure, "title" | "curves" | "methods" | "xDomain" | "format"> &
  Partial<CurveFigure> & {
    axis?: CurveAxis;
    log?: boolean;
    /** Whether the y axis may leave outliers outside. */
    trim?: boolean;
    /** Ends of what the numbers can be; absent fits the data. */
    yDomain?: Window | undefined;
  };

/** Curves with the axes that they need. */
export function curveFigure(given: ChartParts): CurveFigure {
  const { axis = "iteration", log = false, trim = false, yDomain, behind = [], ...parts } = given;
  const { curves, xDomain, notes = [] } = parts;
  const { values, cut } = heightsOf([...curves, ...behind], xDomain, trim ? { log } : null);
  const y = fitAxis(values, log, yDomain);
  const outside = trim ? countOutside(curves, xDomain, y) : 0;
  const below = log ? belowLog(curves) : 0;
  return {
    xName: words.axis.names[axis],
    xTitle: parts.xName ?? words.axis.titles[axis],
    formatX: (x) => formatX(axis, x),
    byIteration: axis === "iteration",
    how: "",
    unfinished: false,
    ...parts,
    behind,
    y,
    notes: [
      ...notes,
      ...(cut && yDomain === undefined ? [words.interval.cut] : []),
      ...(outside > 0 ? [words.trim.outside(outside)] : []),
      ...(below > 0 ? [words.log.missing(below)] : []),
      ...(curves.some(({ crashes, note }) => crashes.length > 0 && note !== "")
        ? [words.crossNote]
        : []),
    ],
  };
}

/** What a chart is made from. */
export interface ChartInput extends Pick<CurveFigure, "methods" | "xDomain"> {
  metric: Metric;
  lines: readonly RunLine[];
  /** Pale behind them, neither read nor listed. */
  behind?: readonly RunLine[];
  /** Runs one of which should have the metric. */
  logs: readonly RunLog[];
  /** How the lines are drawn; `domain` is the zoomed range. */
  settings: CurveSettings;
  /** Absent: no name in logs beside the title. */
  code?: string | undefined;
  notes?: readonly string[];
}

/** Of charts that wait for all of their intervals: each is found once. */
const patient = new Intervals();

/** points: the most that are drawn of a line; absent for what the screen has room for. */
export function lineFigure(
  input: ChartInput,
  intervals: Intervals = patient,
  points?: number,
): CurveFigure {
  const { metric, settings, lines, behind = [], methods, logs, code, notes = [] } = input;
  const build = (some: readonly RunLine[]) =>
    buildCurves(some, metric, settings, intervals, points);
  const [own, others] = [build(lines), build(behind)];
  const { title, hint, format, yDomain } = metric;
  const { axis, log, trim, smoothing, domain } = settings;
  return curveFigure({
    title,
    hint,
    format,
    yDomain,
    axis,
    log,
    trim,
    code,
    methods,
    curves: own.curves,
    behind: others.curves,
    xDomain: domain ?? input.xDomain,
    notes: [
      ...missingNotes(metric, logs),
      ...(own.lost.length > 0 ? [words.axis.missing(own.lost.join(", "))] : []),
      ...notes,
    ],
    how: smoothing > 0 ? `, ${words.export.smoothed(smoothing.toFixed(2))}` : "",
    unfinished: own.unfinished || others.unfinished,
  });
}

/** Milliseconds of work between two chances for the page to answer input. */
const SLICE = 12;

/** The chart with every point and every interval, however long that takes, with the page answering in between. */
export async function wholeFigure(input: ChartInput): Promise<CurveFigure> {
  const intervals = new Intervals();
  for (;;) {
    intervals.allow(SLICE);
    const figure = lineFigure(input, intervals, Infinity);
    if (!figure.unfinished) return figure;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Of the lens: every run there is, as its settings say. */
export function jobInput(job: CurveJob, metric: Metric): ChartInput {
  const logs = shownRuns(job).map(({ log }) => log);
  return {
    metric,
    lines: runLines(job),
    methods: methodsIn(job.runs.map(({ log }) => log)),
    logs,
    settings: job.settings,
    code: metric.key,
    xDomain: fullDomain(logs, job.settings.axis),
  };
}

/** Lines of several runs side by side, unchanged: over all their iterations. */
export function plainInput(
  metric: Metric,
  lines: readonly RunLine[],
  logs: readonly RunLog[],
): ChartInput {
  const domains = logs.map(plannedDomain);
  const xDomain: Window = [
    least(domains.map(([from]) => from)),
    greatest(domains.map(([, to]) => to)),
  ];
  return { metric, lines, methods: methodsIn(logs), logs, settings: START_VIEW, xDomain };
}

interface BesideRun {
  log: RunLog;
  /** Recorded seeds, drawn as bands. */
  seeds: readonly RunLog[];
  /** The recording that the page shows behind a live run; null if there is none, or the run is not live. */
  recorded: RunLog | null;
  /** What a link says of the run. */
  sent: RunLog | null;
  /** Names of methods that are drawn. */
  drawn: readonly string[];
  /** From 0 to below 1: of lines of training. */
  smoothing: number;
}

/** One run with similar runs: seeds as bands; the sender's or the recorded run's curves behind. */
export function runInput(metric: Metric, run: BesideRun): ChartInput {
  const { log, seeds, sent, recorded, drawn } = run;
  const isDrawn = ({ method }: RunLine) => drawn.includes(method);
  const bands = seedLines(seeds, log.algorithms).filter(isDrawn);
  // The link's numbers are closer to this run than the page's recording.
  const isSent = sent !== null && hasMetric(sent, metric);
  const behind = (isSent ? senderLines(sent) : ghostsOf(log, recorded)).filter(isDrawn);
  const [first, last] = plannedDomain(log);
  const lastOf = (one: RunLog) =>
    one.algorithms.map((method) => one.series(method, metric.key, metric.source).x.at(-1) ?? 0);
  const others = [...bands, ...behind].flatMap(({ logs }) => logs).flatMap(lastOf);
  const smoothing = metric.source === "train" ? run.smoothing : 0;
  const hint = smoothing > 0 ? words.smoothing.said(metric.hint) : metric.hint;
  return {
    metric: { ...metric, hint },
    lines: [...linesOfRun(log).filter(isDrawn), ...bands],
    behind,
    methods: log.algorithms,
    logs: [log],
    settings: { ...START_VIEW, smoothing },
    code: metric.key,
    xDomain: [first, greatest([last, ...others])],
  };
}

/** The recorded run's lines; none if it played other tasks or other methods. */
function ghostsOf({ start }: RunLog, recorded: RunLog | null): RunLine[] {
  if (!start || !recorded?.start || !playsTheSame(recorded.start.spec, start.spec)) return [];
  const planned = start.spec.algorithms.map(({ name }) => name);
  return linesOfRun(recorded, { weight: "ghost", plain: true }).filter(({ method }) =>
    planned.includes(method),
  );
}
