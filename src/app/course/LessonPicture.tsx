/** A small picture of a lesson: the rows of the first figure with handles that readers see before they answer anything. */
import { greatest, least } from "../../numeric/lists.ts";
import type { Cell } from "../../notebook/cell.ts";
import { seenAtFirst } from "../../notebook/cells/lesson/steps.ts";
import type { ExploreRow } from "../../panels/explore/exploration.ts";
import { NotebookPicture } from "../book/NotebookPicture.tsx";
import { lessonFigure } from "./lessonFigure.ts";
import { words } from "./words.ts";

const WIDTH = 300;
const HEIGHT = 130;
const MARGIN = 18;
/** Limit of rows. */
const MOST = 2;

export function LessonPicture({ cells, title }: { cells: readonly Cell[]; title: string }) {
  const rows = lessonFigure(cells)?.rows.slice(0, MOST);
  if (!rows) return <NotebookPicture cells={cells.filter(seenAtFirst(cells))} runs={[]} />;
  const height = (HEIGHT - MARGIN) / rows.length;
  return (
    <svg
      className="lesson-picture"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={words.picture(title)}
      data-testid="lesson-picture"
    >
      {rows.map((row, i) => (
        <g key={i} transform={`translate(0 ${MARGIN / 2 + i * height})`}>
          {row.values.every((value) => value === 0) ? (
            <Asked places={row.values.length} height={height} />
          ) : row.kind === "amount" ? (
            <Line values={row.values} height={height} />
          ) : (
            <Bars values={row.values} height={height} />
          )}
        </g>
      ))}
    </svg>
  );
}

interface DrawnRow {
  /** Null: nothing there. */
  values: ExploreRow["values"];
  height: number;
}

/** Heights from 0, which is visible. */
function scaleOf({ values, height }: DrawnRow): (value: number) => number {
  const known = values.filter((one) => one !== null);
  const [low, high] = [least([0, ...known]), greatest([0, ...known])];
  const room = height - MARGIN / 2;
  return (value) => MARGIN / 4 + ((high - value) / (high - low || 1)) * room;
}

function Bars(props: DrawnRow) {
  const y = scaleOf(props);
  const step = (WIDTH - 2 * MARGIN) / props.values.length;
  const zero = y(0);
  return (
    <>
      <line className="picture-axis" x1={MARGIN} x2={WIDTH - MARGIN} y1={zero} y2={zero} />
      {props.values.map(
        (value, i) =>
          value !== null && (
            <rect
              key={i}
              className={value < 0 ? "picture-minus" : "picture-plus"}
              x={MARGIN + i * step + step * 0.2}
              y={Math.min(zero, y(value))}
              width={step * 0.6}
              height={Math.max(1, Math.abs(y(value) - zero))}
            />
          ),
      )}
    </>
  );
}

/** A placeholder for the reader's answer. */
function Asked({ places, height }: { places: number; height: number }) {
  const step = (WIDTH - 2 * MARGIN) / places;
  const y = (height * 2) / 3;
  return (
    <>
      <line className="picture-axis" x1={MARGIN} x2={WIDTH - MARGIN} y1={y} y2={y} />
      {Array.from({ length: places }, (_, i) => (
        <text key={i} className="picture-asked" x={MARGIN + (i + 0.5) * step} y={y - MARGIN / 2}>
          ?
        </text>
      ))}
    </>
  );
}

function Line(props: DrawnRow) {
  const y = scaleOf(props);
  const step = (WIDTH - 2 * MARGIN) / props.values.length;
  const points = props.values.flatMap((value, i) =>
    value === null ? [] : [{ x: MARGIN + (i + 0.5) * step, y: y(value) }],
  );
  return (
    <>
      <polyline className="picture-line" points={points.map((p) => `${p.x},${p.y}`).join(" ")} />
      {points.map((p, i) => (
        <circle key={i} className="picture-dot" cx={p.x} cy={p.y} r={3} />
      ))}
    </>
  );
}
