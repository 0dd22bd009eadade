/** Maps of cells on one scale, their numbers at the pointer or the cursor, and what the colours mean. */
import { memo, useId, useMemo, useState, type PointerEvent } from "react";
import { LineSwatch } from "../charts/LineSwatch.tsx";
import { lineStyles } from "../charts/palette.ts";
import { linearScale } from "../numeric/scale.ts";
import { useSize } from "../charts/useSize.ts";
import type { CellMap, CellsBlock } from "../figures/figure.ts";
import { Empty } from "../ui/Empty.tsx";
import { briefText } from "./cellText.ts";
import {
  binWidth,
  cellAt,
  cellPaths,
  placesOf,
  rowHeight,
  toneColour,
  TONES,
  toneScale,
  type CellArea,
  type ColumnPlaces,
  type ToneScale,
} from "./cells.ts";

interface CellPlace {
  x: number;
  y: number;
}

type CursorMove = (to: ReturnType<CellsBlock["go"]>) => void;

export function Cells({ block, move }: { block: CellsBlock; move: CursorMove }) {
  const { id, maps, axis, cursor, go } = block;
  const { signed, limit } = block;
  const scale = useMemo(() => toneScale({ maps, signed, limit }), [maps, signed, limit]);
  const places = useMemo(() => placesOf(axis), [axis]);
  const [read, setRead] = useState<CellPlace | null>(null);
  const styles = lineStyles(maps.map((map) => map.id));
  const drawn = { block, scale, places, onRead: setRead };
  return (
    <>
      <Reading block={block} scale={scale} styles={styles} at={read ?? cursor} />
      <div className="cells" data-testid={`${id}-maps`}>
        {maps.map((map) => (
          <section key={map.id} className="cells-method" data-method={map.id}>
            <h4>
              <LineSwatch {...styles.get(map.id)!} /> {map.name}
            </h4>
            {map.missing === null ? (
              <CellPicture {...drawn} map={map} onChoose={({ x, y }) => move(go(map.id, x, y))} />
            ) : (
              <Empty>{map.missing}</Empty>
            )}
          </section>
        ))}
      </div>
      <Ramp block={block} scale={scale} />
    </>
  );
}

interface ReadingProps {
  block: CellsBlock;
  scale: ToneScale;
  styles: ReturnType<typeof lineStyles>;
  at: CellPlace | null;
}

/** Above the maps, where the numbers hide nothing. */
function Reading({ block: { id, maps, unit, words }, scale, styles, at }: ReadingProps) {
  const numberOf = (map: CellMap, { x, y }: CellPlace) => {
    const value = cellAt(map, x, y);
    return value === undefined ? words.notRecorded : briefText(value, unit, scale.limit);
  };
  return (
    <p className="cells-reading" data-testid={`${id}-reading`}>
      {at && <span>{words.at(at.x, at.y)}</span>}
      {at &&
        maps.map((map) => (
          <span key={map.id} data-method={map.id}>
            <LineSwatch {...styles.get(map.id)!} /> {map.name} <strong>{numberOf(map, at)}</strong>
          </span>
        ))}
    </p>
  );
}

/** What the colours mean, from the lowest to the highest. */
function Ramp({
  block: { unit, words },
  scale: { limit, signed },
}: Omit<ReadingProps, "styles" | "at">) {
  if (limit === 0) return null;
  const lowest = signed ? -TONES : 0;
  const tones = Array.from({ length: TONES - lowest + 1 }, (_, i) => i + lowest);
  return (
    <p className="cells-ramp" role="img" aria-label={words.scale}>
      <span>{briefText(signed ? -limit : 0, unit, limit)}</span>
      <span>
        {tones.map((tone) => (
          <i key={tone} style={{ background: toneColour(tone, signed) }} />
        ))}
      </span>
      <span>{briefText(limit, unit, limit)}</span>
      <span className="note">{words.note}</span>
    </p>
  );
}

const MARGIN = { left: 26, right: 10, foot: 20, top: 4 };

interface PictureProps {
  block: CellsBlock;
  map: CellMap;
  scale: ToneScale;
  places: ColumnPlaces;
  onRead: (place: CellPlace | null) => void;
  onChoose: (place: CellPlace) => void;
}

/** One map: hatched where nothing is recorded. */
function CellPicture(props: PictureProps) {
  const { block, map, places } = props;
  const { ref, size } = useSize<HTMLDivElement>();
  const room = (size?.width ?? 0) - MARGIN.left - MARGIN.right;
  const binned = size ? binWidth(room, places.count) : 1;
  const height = MARGIN.top + block.rows * rowHeight(block.rows) + MARGIN.foot;
  return (
    <>
      <div
        ref={ref}
        role="img"
        tabIndex={0}
        data-scope={block.scope}
        aria-label={map.label}
        className="cells-map"
        style={{ height }}
      >
        {size && <Drawing {...props} width={size.width} height={height} binned={binned} />}
      </div>
      {binned > 1 && <p className="note">{block.words.binned(binned)}</p>}
    </>
  );
}

type DrawingProps = PictureProps & { width: number; height: number; binned: number };

function Drawing(props: DrawingProps) {
  const { block, map, scale, places, width, height, binned } = props;
  const { rows, cursor, brush } = block;
  const hatch = useId();
  const row = rowHeight(rows);
  const area = useMemo<CellArea>(() => {
    const x = linearScale([0, places.count], [MARGIN.left, width - MARGIN.right]);
    return { x, places, row, top: MARGIN.top, binned };
  }, [places, width, row, binned]);
  const room = Math.max(0, width - MARGIN.left - MARGIN.right);
  const box = { x: MARGIN.left, y: MARGIN.top, width: room, height: rows * row };
  const [left, right] = brush ? places.span(...brush).map(area.x.at) : [0, 0];
  return (
    <svg width={width} height={height} aria-hidden="true">
      <defs>
        <pattern id={hatch} width={5} height={5} patternUnits="userSpaceOnUse">
          <path d="M-1,6L6,-1" className="cells-hatch" />
        </pattern>
      </defs>
      <rect {...box} fill={`url(#${hatch})`} />
      <Tones map={map} scale={scale} area={area} />
      <Axes rows={rows} area={area} />
      {brush && (
        <rect {...box} className="cells-brush" x={left!} width={Math.max(0, right! - left!)} />
      )}
      {cursor && <CursorCell place={cursor} area={area} />}
      <rect
        {...box}
        fill="transparent"
        className="cells-pointer"
        data-testid="cells-area"
        onPointerMove={(event) => props.onRead(placeAt(event, places, rows))}
        onPointerLeave={() => props.onRead(null)}
        onClick={(event) => props.onChoose(placeAt(event, places, rows))}
      />
    </svg>
  );
}

/** Drawn once per iteration, however often the pointer moves. */
const Tones = memo(function Tones({
  map,
  scale,
  area,
}: {
  map: CellMap;
  scale: ToneScale;
  area: CellArea;
}) {
  return [...cellPaths(map, scale, area)].map(([tone, path]) => (
    <path
      key={tone}
      d={path}
      data-tone={tone}
      shapeRendering="crispEdges"
      fill={toneColour(tone, scale.signed)}
    />
  ));
});

type At = Pick<PointerEvent<SVGRectElement>, "currentTarget" | "clientX" | "clientY">;

/** Where the pointer is, whatever the page's zoom. */
function placeAt(
  { currentTarget, clientX, clientY }: At,
  places: ColumnPlaces,
  rows: number,
): CellPlace {
  const box = currentTarget.getBoundingClientRect();
  const share = (at: number, from: number, size: number) =>
    Math.max(0, Math.min(1 - 1e-9, (at - from) / (size || 1)));
  return {
    x: places.numberAt(share(clientX, box.left, box.width) * places.count),
    y: Math.floor(share(clientY, box.top, box.height) * rows),
  };
}

/** Pixels that a number takes along the foot, and down the side. */
const TICK = { wide: 30, high: 14 };

function Axes({ rows, area: { row, top, x, places } }: { rows: number; area: CellArea }) {
  const { ticks, count, packed } = places;
  const every = Math.ceil(TICK.high / row);
  const room = Math.max(1, x.at(count) - x.at(0));
  const thinned = packed ? Math.ceil((ticks.length * TICK.wide) / room) : 1;
  const middle = ([from, to]: readonly [number, number]) => (from + to) / 2;
  return (
    <g className="cells-axes">
      {Array.from({ length: Math.ceil(rows / every) }, (_, i) => i * every).map((h) => (
        <text key={h} x={MARGIN.left - 6} y={top + (h + 0.5) * row + 4} textAnchor="end">
          {h + 1}
        </text>
      ))}
      {ticks
        .filter((_, i) => i % thinned === 0)
        .map((tick) => (
          <text
            key={tick}
            x={x.at(middle(places.span(tick, tick)))}
            y={top + rows * row + 15}
            textAnchor="middle"
          >
            {tick}
          </text>
        ))}
    </g>
  );
}

/** Framed in the cursor's colour, with an edge that is seen on any ground. */
function CursorCell({ place, area }: { place: CellPlace; area: CellArea }) {
  const { x, places, row, top, binned } = area;
  const from = Math.floor((place.x - 1) / binned) * binned + 1;
  const [left, right] = places.span(from, from + binned - 1).map(x.at) as [number, number];
  if (left === right) return null;
  const box = { x: left - 1.5, y: top + place.y * row - 1.5 };
  const size = { width: right - left + 3, height: row + 3 };
  return (
    <g data-testid="cells-cursor" data-iteration={place.x} data-turn={place.y}>
      <rect {...box} {...size} className="cells-cursor-edge" />
      <rect {...box} {...size} className="cells-cursor" />
    </g>
  );
}
