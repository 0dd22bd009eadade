/** Marks over two axes, drawn by Observable Plot; the same in sentences. */
import * as Plot from "@observablehq/plot";
import { use, useEffect, useId, useRef, type PointerEvent } from "react";
import { IterationSync, useBrush, useReading, type ChartSync } from "../charts/chartSync.ts";
import { lineStyle } from "../charts/palette.ts";
import { niceTicks } from "../numeric/axis.ts";
import { useOwnPlace } from "../charts/redrawQueue.ts";
import { useSize } from "../charts/useSize.ts";
import { shorten } from "../numeric/format.ts";
import type { ChartAxis, ChartBlock, Dot, ChartMark } from "../figures/figure.ts";
import { cellText } from "./cellText.ts";

export function Chart({ block }: { block: ChartBlock }) {
  const { id, title, hint, says, note = says } = block;
  const titleId = useId();
  return (
    <figure
      className="figure-chart"
      aria-labelledby={title === "" ? undefined : titleId}
      data-testid={id}
    >
      <figcaption>
        {title !== "" && <h4 id={titleId}>{title}</h4>}
        {hint !== undefined && <p className="chart-hint">{hint}</p>}
      </figcaption>
      {block.marks.length > 0 && (
        <div role="img" aria-label={title === "" ? says : `${title}. ${says}`}>
          <ChartPicture block={block} />
        </div>
      )}
      {note !== "" && <p className="note prose-note">{note}</p>}
    </figure>
  );
}

/** The height, and the widest, in pixels. */
const LARGE = { height: 150, most: 480 };
const SMALL = { height: 112, most: 336 };
/** The highest that is as wide as it is high. */
const SQUARE = 360;

function ChartPicture({ block }: { block: ChartBlock }) {
  const { ref, size } = useSize<HTMLDivElement>();
  const place = useRef<HTMLDivElement>(null);
  const hatch = useId();
  const ask = useOwnPlace();
  const { height, most } = block.isSmall ? SMALL : LARGE;
  const width = size && Math.min(size.width, most);
  const sync = use(IterationSync);
  useEffect(() => {
    // Each in its own task: a plot takes a while.
    if (width !== null) ask(() => place.current?.replaceChildren(drawn(block, width, hatch)));
  }, [ask, block, width, hatch]);
  return (
    <div ref={ref} className="figure-drawing" style={{ minHeight: height }}>
      <svg width="0" height="0" aria-hidden="true">
        <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse">
          <rect width="4" height="4" className="mark-hatch-ground" />
          <path d="M-1,1l2,-2M0,4l4,-4M3,5l2,-2" className="mark-hatch" />
        </pattern>
      </svg>
      <div ref={place} />
      {width !== null && block.isRead && sync && <Read block={block} width={width} sync={sync} />}
    </div>
  );
}

/** Where the curves are read, and what is selected there; the pointer reads here, too. */
function Read({ block, width, sync }: { block: ChartBlock; width: number; sync: ChartSync }) {
  const { marginLeft: left, marginRight } = roomOf(block);
  const [first, last] = block.x.domain;
  const [brush, reading] = [useBrush(sync), useReading(sync)];
  const [from, to] = [Math.max(first, brush?.[0] ?? last), Math.min(last, brush?.[1] ?? first)];
  const share = (x: number) => `${(100 * (x - first)) / (last - first || 1)}%`;
  const read = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const box = currentTarget.getBoundingClientRect();
    sync.read(first + ((clientX - box.left) / (box.width || 1)) * (last - first));
  };
  return (
    <div
      className="figure-read"
      data-testid="chart-area"
      style={{ left, width: width - left - marginRight }}
      onPointerMove={read}
      onPointerLeave={() => sync.read(null)}
    >
      {from < to && (
        <i
          className="figure-brushed"
          data-testid="chart-brush"
          style={{ left: share(from), width: share(first + to - from) }}
        />
      )}
      {reading !== null && reading >= first && reading <= last && (
        <i data-testid="chart-read" style={{ left: share(reading) }} />
      )}
    </div>
  );
}

/** Around the picture, for what is beside the axes. */
const roomOf = ({ x, y }: ChartBlock) => ({
  marginLeft: y.unit ? 46 : 20,
  marginRight: 20,
  marginTop: y.name === undefined ? 16 : 24,
  // The name of an axis is placed beyond its numbers.
  marginBottom: x.name === undefined ? 22 : 40,
});

function drawn(block: ChartBlock, width: number, hatch: string): Element {
  const { marks, square = false } = block;
  const [x, y] = [withTicks(block.x), withTicks(block.y)];
  const figure = Plot.plot({
    width,
    height: square ? Math.min(width, SQUARE) : (block.isSmall ? SMALL : LARGE).height,
    className: "figure-svg",
    style: { background: "none" },
    ...roomOf(block),
    x: { domain: [...x.domain], axis: null, clamp: true },
    y: { domain: [...y.domain], axis: null, clamp: true },
    marks: [...marks.flatMap((mark) => drawMark(mark, x.domain, hatch)), ...axes(x, y)],
  });
  // Its name is the element's around it.
  figure.setAttribute("aria-hidden", "true");
  // The page's policy takes no inline style sheet.
  for (const style of figure.querySelectorAll("style")) style.remove();
  return figure;
}

type TickedAxis = ChartAxis & { ticks: readonly number[] };

/** Round ticks, and an axis from the first to the last, where none are given. */
function withTicks(axis: ChartAxis): TickedAxis {
  if (axis.ticks) return { ...axis, ticks: axis.ticks };
  const ticks = niceTicks(...axis.domain);
  return { ...axis, ticks, domain: [ticks[0]!, ticks.at(-1)!] };
}

/** What is written beside the axes, and what lies at the foot. */
function axes(x: TickedAxis, y: TickedAxis): Plot.Markish[] {
  const write =
    ({ unit }: ChartAxis) =>
    (tick: number) =>
      tick === 0 ? "0" : shorten(cellText(Number(tick.toPrecision(2)), unit));
  const both = { tickSize: 3, color: "var(--ink-2)", label: null };
  return [
    Plot.ruleY([y.domain[0]], { stroke: "var(--control)" }),
    Plot.axisX(x.ticks, { ...both, tickFormat: write(x) }),
    ...(y.unit ? [Plot.axisY(y.ticks, { ...both, tickFormat: write(y) })] : []),
    ...(y.unit ? [Plot.gridX(x.ticks), Plot.gridY(y.ticks)] : []),
    ...nameOf(x, { frameAnchor: "bottom-right", dy: 36, text: (name: string) => `${name} →` }),
    ...nameOf(y, { frameAnchor: "top-left", dy: -16, text: (name: string) => `↑ ${name}` }),
  ];
}

function nameOf(
  { name }: ChartAxis,
  { text, ...options }: Plot.TextOptions & { text: (name: string) => string },
) {
  return name === undefined ? [] : [Plot.text([text(name)], { ...options, fill: "var(--ink-2)" })];
}

/** `ends`: of the x axis. */
function drawMark(mark: ChartMark, ends: ChartAxis["domain"], hatch: string): Plot.Markish[] {
  switch (mark.as) {
    case "bars":
      return [
        Plot.rect(
          mark.bars.filter(({ y }) => y > 0),
          {
            x1: "from",
            x2: "to",
            y1: 0,
            y2: "y",
            insetLeft: 0.4,
            insetRight: 0.4,
            fill: (bar: (typeof mark.bars)[number]) =>
              bar.beyond ? `url(#${hatch})` : "var(--ink-2)",
            stroke: (bar: (typeof mark.bars)[number]) => (bar.beyond ? "var(--ink)" : "none"),
            strokeWidth: 0.8,
          },
        ),
      ];
    case "dots":
      return dots(
        mark.dots,
        mark.method === undefined ? "var(--ink)" : lineStyle(mark.method).colour,
      );
    case "level":
      return [
        Plot.ruleY([mark.y], { className: mark.isLimit ? "mark-level mark-limit" : "mark-level" }),
      ];
    case "line":
      return [
        Plot.lineY(mark.points, {
          x: "x",
          y: "y",
          className: mark.look ? `mark-line mark-${mark.look}` : "mark-line",
        }),
      ];
    case "squares":
      return [
        ...whiskers(mark.dots),
        Plot.dot(mark.dots, { x: "x", y: "y", symbol: "square", r: 5, className: "mark-square" }),
      ];
    case "band":
      return [Plot.rect([mark], { x1: "from", x2: "to", className: "mark-band" })];
    case "edge":
      return edge(mark);
    case "equal":
      return [Plot.line(ends, { x: Number, y: Number, className: "mark-equal" })];
  }
}

const DOT = { r: 3.2, className: "mark-dot" };

function dots(all: readonly Dot[], colour: string): Plot.Markish[] {
  const at = { x: "x", y: "y" };
  const filled = all.filter(({ hollow }) => !hollow);
  const hollow = all.filter((one) => one.hollow);
  const ringed = all.filter((one) => one.ringed);
  return [
    ...whiskers(all),
    Plot.dot(filled, { ...at, ...DOT, fill: colour, stroke: colour }),
    Plot.dot(hollow, { ...at, ...DOT, fill: "var(--page)", stroke: colour }),
    Plot.dot(ringed, { ...at, r: 6.5, className: "mark-ring" }),
  ];
}

const whiskers = (all: readonly Dot[]): Plot.Markish[] => [
  Plot.ruleX(
    all.filter(({ low }) => low !== undefined && Number.isFinite(low)),
    { x: "x", y1: "low", y2: "high", className: "mark-whisker", marker: "tick" },
  ),
];

function edge({ x, name, side = "end", dotted = false }: Extract<ChartMark, { as: "edge" }>) {
  return [
    Plot.ruleX([x], { className: dotted ? "mark-edge mark-dotted" : "mark-edge" }),
    ...(name === undefined
      ? []
      : [
          Plot.text([name], {
            x,
            frameAnchor: "top",
            dy: -14,
            textAnchor: side,
            fill: "var(--ink-2)",
          }),
        ]),
  ];
}
