/** A chart as a picture file: drawn once more off screen, with every point, its title and its legend. */
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { WEIGHTS } from "../../charts/CurveLine.tsx";
import { CurvePlot } from "../../charts/CurvePlot.tsx";
import { heightsOf } from "../../charts/curve.ts";
import { type Curve } from "../../charts/curveTypes.ts";
import { fitAxis } from "../../charts/scale.ts";
import { formatX, fullDomain, xTitle } from "./axes.ts";
import { buildCurves } from "./curves.ts";
import { Intervals } from "./intervals.ts";
import { shownRuns, type CurveJob } from "./lines.ts";
import type { Metric } from "./metrics.ts";
import { words } from "./words.ts";

const SIZE = { width: 900, height: 420 };
const TITLE = 34;
const ENTRY = 20;
const PAD = 12;
/** Milliseconds of work between two chances for the page to answer input. */
const SLICE = 12;

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** Every interval, however long it takes, with the page answering in between. */
async function allCurves(job: CurveJob, metric: Metric): Promise<Curve[]> {
  const intervals = new Intervals();
  for (;;) {
    intervals.allow(SLICE);
    const built = buildCurves(job, metric, intervals, Infinity);
    if (!built.unfinished) return built.curves;
    await nextTask();
  }
}

/** The picture as the text of an SVG file; @throws Error where recharts draws nothing. */
export async function svgOf(job: CurveJob, metric: Metric): Promise<string> {
  const curves = await allCurves(job, metric);
  const { axis, log, trim, domain } = job.settings;
  const xDomain =
    domain ??
    fullDomain(
      shownRuns(job).map((run) => run.log),
      axis,
    );
  const plot = {
    ...{ curves, xDomain, size: SIZE, sync: null, format: metric.format },
    xTitle: xTitle(axis),
    byIteration: axis === "iteration",
    formatX: (x: number) => formatX(axis, x),
    y: fitAxis(heightsOf(curves, xDomain, trim ? { log } : null).values, log, metric.yDomain),
  };
  const inner = await drawn(<CurvePlot {...plot} />);
  const { smoothing } = job.settings;
  const how = smoothing > 0 ? `, ${words.export.smoothed(smoothing.toFixed(2))}` : "";
  return resolved(framed(metric.title, how, curves, inner));
}

async function drawn(picture: React.ReactNode): Promise<string> {
  const place = document.createElement("div");
  place.style.cssText = "position:fixed;left:-10000px;top:0;";
  place.setAttribute("aria-hidden", "true");
  document.body.append(place);
  const root = createRoot(place);
  try {
    flushSync(() => root.render(picture));
    // The frame measures its axes before it draws what stands in it.
    for (let i = 0; i < 20 && !place.querySelector("[data-curve]"); i++) await nextTask();
    await nextTask();
    const svg = place.querySelector("svg");
    if (!svg) throw new Error("There is no picture.");
    svg.setAttribute("y", String(TITLE));
    return new XMLSerializer().serializeToString(svg);
  } finally {
    root.unmount();
    place.remove();
  }
}

function framed(title: string, how: string, curves: readonly Curve[], inner: string): string {
  const { width } = SIZE;
  const height = TITLE + SIZE.height + ENTRY * curves.length + PAD;
  const top = (i: number) => TITLE + SIZE.height + ENTRY * (i + 0.5);
  const legend = curves.map((curve, i) => legendEntry(curve, top(i))).join("");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">` +
    `<rect width="100%" height="100%" fill="var(--page)"/>` +
    `<text x="${PAD}" y="22" font-size="16" font-weight="600" fill="var(--ink)">${escaped(title)}` +
    `<tspan font-size="13" font-weight="400">${escaped(how)}</tspan></text>` +
    `${inner}${legend}</svg>`
  );
}

function legendEntry({ name, note, colour, dash, weight }: Curve, y: number): string {
  const { width, opacity } = WEIGHTS[weight];
  const text = escaped(note === "" ? name : `${name}, ${note}`);
  return (
    `<line x1="56" x2="96" y1="${y}" y2="${y}" stroke="${colour}" stroke-width="${width + 0.5}" ` +
    `stroke-dasharray="${dash}" opacity="${opacity}"/>` +
    `<text x="104" y="${y + 4}" fill="var(--ink)">${text}</text>`
  );
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

/** Colours of the page's theme as they are now: a file knows no theme. */
function resolved(svg: string): string {
  const theme = getComputedStyle(document.documentElement);
  return svg.replace(/var\((--[\w-]+)\)/g, (_, name: string) =>
    theme.getPropertyValue(name).trim(),
  );
}

/** Twice the size, for screens and slides. */
const PIXELS = 2;

/** @throws Error where the browser cannot make one. */
export async function pngOf(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * PIXELS;
    canvas.height = image.naturalHeight * PIXELS;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("The canvas gave no picture.");
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
