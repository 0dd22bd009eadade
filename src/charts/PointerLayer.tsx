/** What the pointer does on a chart: moving reads, dragging selects, a click moves the cursor, a double click shows all. */
import { useRef, useState, type PointerEvent } from "react";
import type { ChartSync } from "./chartSync.ts";
import { StretchArea } from "./CurveOverlay.tsx";
import type { PlotScales } from "./CurveLine.tsx";
import { readAt, type Curve } from "../figures/curves/curve.ts";

interface PointerLayerProps {
  sync: ChartSync;
  curves: readonly Curve[];
  domain: readonly [number, number];
  place: PlotScales;
}

/** Pixels that a hand shakes. */
const SHAKE = 5;

interface Drag {
  from: number;
  to: number;
}

export function PointerLayer({ sync, curves, domain, place }: PointerLayerProps) {
  const { area, x } = place;
  const [drag, setDrag] = useState<Drag | null>(null);
  const frame = useRef(0);
  const placeOf = (event: PointerEvent<SVGRectElement>) => pixelOf(event, area);
  const read = (pixel: number | null) => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => sync.read(pixel === null ? null : x.back(pixel)));
  };
  const down = (event: PointerEvent<SVGRectElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const [from] = placeOf(event);
    setDrag({ from, to: from });
  };
  const move = (event: PointerEvent<SVGRectElement>) => {
    const [to] = placeOf(event);
    if (drag) setDrag({ ...drag, to });
    read(to);
  };
  const up = (event: PointerEvent<SVGRectElement>) => {
    setDrag(null);
    if (!drag) return;
    const [to, height] = placeOf(event);
    // Pressing took the focus from another chart, which stopped reading.
    read(to);
    if (Math.abs(to - drag.from) > SHAKE) sync.select(stretchOf(drag.from, to, domain, place));
    else choose(sync, nearest(curves, place, to, height));
  };
  return (
    <>
      {drag && <StretchArea stretch={[drag.from, drag.to]} area={area} />}
      <rect
        {...area}
        fill="transparent"
        className="curve-pointer"
        data-testid="plot-area"
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={() => setDrag(null)}
        onPointerLeave={() => read(null)}
        onDoubleClick={() => {
          sync.zoom(null);
          sync.select(null);
        }}
      />
    </>
  );
}

/** In the chart's pixels, whatever the page's zoom. */
function pixelOf(event: PointerEvent<SVGRectElement>, area: PlotScales["area"]): [number, number] {
  const box = event.currentTarget.getBoundingClientRect();
  const share = (at: number, from: number, size: number) =>
    Math.max(0, Math.min(1, (at - from) / (size || 1)));
  return [
    area.x + share(event.clientX, box.left, box.width) * area.width,
    area.y + share(event.clientY, box.top, box.height) * area.height,
  ];
}

function stretchOf(
  a: number,
  b: number,
  [low, high]: readonly [number, number],
  { x }: PlotScales,
): [number, number] {
  const [from, to] = [x.back(Math.min(a, b)), x.back(Math.max(a, b))];
  return [Math.max(low, from), Math.min(high, to)];
}

function nearest(curves: readonly Curve[], { x, y }: PlotScales, left: number, top: number) {
  let best: { curve: string; iteration: number } | null = null;
  let distance = Infinity;
  for (const curve of curves) {
    const point = readAt(curve, x.back(left));
    if (!point || point.y === null) continue;
    const away = Math.hypot(x.at(point.x) - left, y.at(point.y) - top);
    if (!(away < distance)) continue;
    best = { curve: curve.id, iteration: point.iteration };
    distance = away;
  }
  return best;
}

function choose(sync: ChartSync, point: ReturnType<typeof nearest>): void {
  if (point) sync.choose(point.curve, point.iteration);
}
