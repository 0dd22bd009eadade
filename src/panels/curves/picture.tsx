/** A chart of the lens as a picture file, with every point and every interval. */
import { heightsOf } from "../../charts/curve.ts";
import { type Curve } from "../../charts/curveTypes.ts";
import { chartPicture } from "../../charts/picture.tsx";
import { fitAxis } from "../../charts/scale.ts";
import { formatX, fullDomain, xTitle } from "./axes.ts";
import { buildCurves } from "./curves.ts";
import { Intervals } from "./intervals.ts";
import { shownRuns, type CurveJob } from "./lines.ts";
import type { Metric } from "./metrics.ts";
import { words } from "./words.ts";

/** Milliseconds of work between two chances for the page to answer input. */
const SLICE = 12;

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** Every interval, however long it takes, with the page answering in between. */
export async function allCurves(job: CurveJob, metric: Metric): Promise<Curve[]> {
  const intervals = new Intervals();
  for (;;) {
    intervals.allow(SLICE);
    const built = buildCurves(job, metric, intervals, Infinity);
    if (!built.unfinished) return built.curves;
    await nextTask();
  }
}

/** The picture as the text of an SVG file; @throws Error where nothing is drawn. */
export async function svgOf(job: CurveJob, metric: Metric): Promise<string> {
  const curves = await allCurves(job, metric);
  const { axis, log, trim, domain, smoothing } = job.settings;
  const logs = shownRuns(job).map((run) => run.log);
  const xDomain = domain ?? fullDomain(logs, axis);
  return chartPicture({
    title: metric.title,
    code: metric.key,
    how: smoothing > 0 ? `, ${words.export.smoothed(smoothing.toFixed(2))}` : "",
    curves,
    xDomain,
    format: metric.format,
    xTitle: xTitle(axis),
    byIteration: axis === "iteration",
    formatX: (x: number) => formatX(axis, x),
    y: fitAxis(heightsOf(curves, xDomain, trim ? { log } : null).values, log, metric.yDomain),
  });
}
