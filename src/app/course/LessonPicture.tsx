/** A small picture of a lesson: the rows of the first figure with handles that its readers see before they answer anything. */
import { greatest, least } from "../../numeric/lists.ts";
import { readFields } from "../../notebook/cellFields.ts";
import type { Cell } from "../../notebook/document.ts";
import { seenAtFirst } from "../../notebook/lesson.ts";
import type { ExploreRow } from "../../panels/explore/exploration.ts";
import { explorations } from "../../panels/explore/explorations.ts";
import { NotebookPicture } from "../book/NotebookPicture.tsx";
import { words } from "./words.ts";

const WIDTH = 300;
const HEIGHT = 130;
const MARGIN = 18;
/** Rows that find room. */
const MOST = 2;

export function LessonPicture({ cells, title }: { cells: readonly Cell[]; title: string }) {
  const seen = cells.filter(seenAtFirst(cells));
  const rows = rowsOf(seen).slice(0, MOST);
  if (rows.length === 0) return <NotebookPicture cells={seen} runs={[]} />;
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
          {row.kind === "amount" ? (
            <Line values={row.values} height={height} />
          ) : (
            <Bars values={row.values} height={height} />
          )}
        </g>
      ))}
    </svg>
  );
}

/** Those that have something to draw; credit first. */
function rowsOf(cells: readonly Cell[]): ExploreRow[] {
  for (const cell of cells) {
    if (cell.type !== "explore") continue;
    const fields = readFields("explore", cell.body).value;
    const figure = fields && explorations[fields.figure];
    if (!figure) continue;
    const start = Object.fromEntries(figure.handles.map((one) => [one.id, one.start]));
    const { rows } = figure.show({ ...start, ...fields.set }, fields.data);
    const drawn = rows.filter(hasShape);
    if (drawn.length === 0) continue;
    return drawn.toSorted((a, b) => Number(a.kind === "amount") - Number(b.kind === "amount"));
  }
  return [];
}

/** More than one place, and not 0 in all, as before a reader has moved a handle. */
function hasShape({ values }: ExploreRow): boolean {
  const known = values.filter((one) => one !== null);
  return known.length > 1 && known.some((one) => one !== 0);
}

interface DrawnRow {
  /** Null: nothing there. */
  values: ExploreRow["values"];
  height: number;
}

/** Heights from 0, which is in sight. */
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
