/** One method's map: iterations along x, turns down y, colours for numbers; hatched where nothing is recorded. */
import { memo, useId, useMemo, type PointerEvent } from "react";
import { linearScale } from "../../charts/scale.ts";
import { useSize } from "../../charts/useSize.ts";
import type { TurnMap, TurnQuantity } from "../../reading/byTurn.ts";
import { cellPaths, toneColour, type HeatArea, type HeatScale } from "./heat.ts";
import type { HeatColumns } from "./columns.ts";
import { words } from "./words.ts";

/** A place on the map: iteration, and turn from 0. */
export interface HeatPlace {
  iteration: number;
  turn: number;
}

interface HeatMapProps {
  map: TurnMap;
  quantity: TurnQuantity;
  scale: HeatScale;
  /** The columns, and how many turns: the same for all methods. */
  columns: HeatColumns;
  turns: number;
  cursor: HeatPlace | null;
  brush: readonly [number, number] | null;
  /** What it shows, in words. */
  label: string;
  onRead: (place: HeatPlace | null) => void;
  onChoose: (place: HeatPlace) => void;
}

const LEFT = 26;
const RIGHT = 10;
const FOOT = 20;
const TOP = 4;
/** Pixels of a row: few turns have room. */
const ROW = { most: 24, least: 10, together: 150 };
/** A column is at least this wide: more iterations share one. */
const COLUMN = 2;

export const rowHeight = (turns: number) =>
  Math.max(ROW.least, Math.min(ROW.most, Math.floor(ROW.together / Math.max(1, turns))));

/** Iterations in a column of a map of that width. */
export function binWidth(width: number, iterations: number): number {
  return Math.max(1, Math.ceil((iterations * COLUMN) / Math.max(1, width - LEFT - RIGHT)));
}

export function HeatMap(props: HeatMapProps) {
  const { turns, columns, label } = props;
  const { ref, size } = useSize<HTMLDivElement>();
  const height = TOP + turns * rowHeight(turns) + FOOT;
  const binned = size ? binWidth(size.width, columns.count) : 1;
  return (
    <>
      <div
        ref={ref}
        role="img"
        tabIndex={0}
        data-scope="byTurn"
        aria-label={`${label} ${words.keys}`}
        className="heat-map"
        style={{ height }}
      >
        {size && <Drawing {...props} width={size.width} height={height} binned={binned} />}
      </div>
      {binned > 1 && <p className="note">{words.binned(binned)}</p>}
    </>
  );
}

type DrawingProps = HeatMapProps & { width: number; height: number; binned: number };

function Drawing(props: DrawingProps) {
  const { map, quantity, scale, columns, turns, cursor, brush, width, height, binned } = props;
  const hatch = useId();
  const row = rowHeight(turns);
  const area = useMemo<HeatArea>(() => {
    const x = linearScale([0, columns.count], [LEFT, width - RIGHT]);
    return { x, columns, row, top: TOP, binned };
  }, [columns, width, row, binned]);
  const box = { x: LEFT, y: TOP, width: Math.max(0, width - LEFT - RIGHT), height: turns * row };
  return (
    <svg width={width} height={height} aria-hidden="true">
      <defs>
        <pattern id={hatch} width={5} height={5} patternUnits="userSpaceOnUse">
          <path d="M-1,6L6,-1" className="heat-hatch" />
        </pattern>
      </defs>
      <rect {...box} fill={`url(#${hatch})`} />
      <Cells map={map} quantity={quantity} scale={scale} area={area} />
      <Axes {...props} area={area} />
      {brush && <Brush brush={brush} area={area} height={box.height} />}
      {cursor && <CursorCell place={cursor} area={area} />}
      <rect
        {...box}
        fill="transparent"
        className="heat-pointer"
        data-testid="heat-area"
        onPointerMove={(event) => props.onRead(placeAt(event, props))}
        onPointerLeave={() => props.onRead(null)}
        onClick={(event) => props.onChoose(placeAt(event, props))}
      />
    </svg>
  );
}

type CellsProps = Pick<HeatMapProps, "map" | "quantity" | "scale"> & { area: HeatArea };

/** Drawn once per iteration, however often the pointer moves. */
const Cells = memo(function Cells({ map, quantity, scale, area }: CellsProps) {
  return [...cellPaths(map, quantity, scale, area)].map(([tone, path]) => (
    <path
      key={tone}
      d={path}
      data-tone={tone}
      shapeRendering="crispEdges"
      fill={toneColour(tone, scale.signed)}
    />
  ));
});

/** Where the pointer is, whatever the page's zoom. */
function placeAt(
  event: Pick<PointerEvent<SVGRectElement>, "currentTarget" | "clientX" | "clientY">,
  { columns, turns }: HeatMapProps,
): HeatPlace {
  const box = event.currentTarget.getBoundingClientRect();
  const share = (at: number, from: number, size: number) =>
    Math.max(0, Math.min(1 - 1e-9, (at - from) / (size || 1)));
  return {
    iteration: columns.iterationAt(share(event.clientX, box.left, box.width) * columns.count),
    turn: Math.floor(share(event.clientY, box.top, box.height) * turns),
  };
}

/** Pixels that an iteration's number takes. */
const TICK = 30;

function Axes({ turns, area }: HeatMapProps & { area: HeatArea }) {
  const { row, top, x, columns } = area;
  const every = Math.ceil(14 / row);
  const { ticks } = columns;
  const room = Math.max(1, x.at(columns.count) - x.at(0));
  const thinned = columns.packed ? Math.ceil((ticks.length * TICK) / room) : 1;
  return (
    <g className="heat-axes">
      {Array.from({ length: turns }, (_, h) => h)
        .filter((h) => h % every === 0)
        .map((h) => (
          <text key={h} x={LEFT - 6} y={top + (h + 0.5) * row + 4} textAnchor="end">
            {h + 1}
          </text>
        ))}
      {ticks
        .filter((_, i) => i % thinned === 0)
        .map((tick) => (
          <text
            key={tick}
            x={x.at(middleOf(columns.span(tick, tick)))}
            y={top + turns * row + 15}
            textAnchor="middle"
          >
            {tick}
          </text>
        ))}
    </g>
  );
}

const middleOf = ([from, to]: readonly [number, number]) => (from + to) / 2;

interface BrushProps {
  brush: readonly [number, number];
  area: HeatArea;
  height: number;
}

function Brush({ brush: [from, to], area: { x, top, columns }, height }: BrushProps) {
  const [left, right] = columns.span(from, to).map(x.at);
  return <rect className="heat-brush" x={left} y={top} width={right! - left!} height={height} />;
}

/** Framed in the cursor's colour, with an edge that is seen on any ground. */
function CursorCell({ place: { iteration, turn }, area }: { place: HeatPlace; area: HeatArea }) {
  const { x, columns, row, top, binned } = area;
  const from = Math.floor((iteration - 1) / binned) * binned + 1;
  const [left, right] = columns.span(from, from + binned - 1).map(x.at) as [number, number];
  if (left === right) return null;
  const box = {
    x: left - 1.5,
    y: top + turn * row - 1.5,
    width: right - left + 3,
    height: row + 3,
  };
  return (
    <g data-testid="heat-cursor" data-iteration={iteration} data-turn={turn}>
      <rect {...box} className="heat-cursor-edge" />
      <rect {...box} className="heat-cursor" />
    </g>
  );
}
