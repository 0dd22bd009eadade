/** A grid as a picture with its description. Shapes differ, not only colours. */
import { Fragment, type ReactNode } from "react";
import type { Picture, Sprite } from "../../env/picture.ts";
import { greatest } from "../../numeric/lists.ts";

const UNIT = 20;

interface BoardDrawingProps {
  picture: Picture;
  /** The part to draw, in cells; absent: all of it. */
  crop?: { top: number; left: number; width: number; height: number } | undefined;
  /** Spoken before its content. */
  name?: string | undefined;
}

export function BoardDrawing({ picture, crop, name }: BoardDrawingProps) {
  return (
    <div className="board">
      <BoardSvg {...{ picture, crop, name }} />
      {picture.notes !== "" && !crop && <p className="board-notes">{picture.notes}</p>}
    </div>
  );
}

/** The grid alone, which may be part of another drawing. */
export function BoardSvg({ picture, crop, name }: BoardDrawingProps) {
  const [cells, rows] = [greatest(picture.rows.map((row) => row.length)), picture.rows.length];
  const [width, height] = [cells * UNIT, rows * UNIT];
  return (
    <svg
      viewBox={crop ? viewBoxOf(crop) : `0 0 ${width} ${height}`}
      width={crop ? crop.width * UNIT : width}
      height={crop ? crop.height * UNIT : height}
      role="img"
      aria-label={name === undefined ? picture.label : `${name}. ${picture.label}`}
      data-testid="board"
    >
      <rect {...floorOf(crop ?? { top: 0, left: 0, width: cells, height: rows })} />
      {/* There may be fifty boards on screen, and most of each is one kind of ground: all of it is one shape. */}
      {GROUNDS.map((sprite) => (
        <path key={sprite} d={groundOf(picture.rows, sprite)} className={`cell-${sprite}`} />
      ))}
      {picture.rows.flatMap((row, r) =>
        row.map((cell, c) => {
          const shapes = cell.filter((sprite) => !isGround(sprite));
          return shapes.length === 0 ? null : (
            <g key={`${r}-${c}`} transform={`translate(${c * UNIT} ${r * UNIT})`}>
              {shapes.map((sprite) => (
                <Fragment key={sprite}>{SHAPES[sprite as Shape]}</Fragment>
              ))}
            </g>
          );
        }),
      )}
    </svg>
  );
}

/** Not beyond the part that is drawn. */
function floorOf({ top, left, width, height }: NonNullable<BoardDrawingProps["crop"]>) {
  const [x, y] = [left * UNIT, top * UNIT];
  return { x, y, width: width * UNIT, height: height * UNIT, className: "cell-floor" };
}

function viewBoxOf({ top, left, width, height }: NonNullable<BoardDrawingProps["crop"]>): string {
  return [left, top, width, height].map((cells) => cells * UNIT).join(" ");
}

/** Sprites that fill their cell. */
const GROUNDS = ["wall", "ice"] as const;
type Ground = (typeof GROUNDS)[number];
type Shape = Exclude<Sprite, Ground>;

const isGround = (sprite: Sprite): sprite is Ground => GROUNDS.includes(sprite as Ground);

function groundOf(rows: Picture["rows"], sprite: Ground): string {
  const square = `h${UNIT}v${UNIT}h-${UNIT}z`;
  return rows
    .flatMap((row, r) =>
      row.map((cell, c) => (cell.includes(sprite) ? `M${c * UNIT} ${r * UNIT}${square}` : "")),
    )
    .join("");
}

/** In a cell of 20 by 20. */
const SHAPES: Readonly<Record<Shape, ReactNode>> = {
  target: <circle cx="10" cy="10" r="7.5" className="cell-target" />,
  box: <rect x="2.5" y="2.5" width="15" height="15" rx="1.5" className="cell-box" />,
  tick: <path d="M6 10.5l3 3l5.5-6.5" className="cell-tick" />,
  player: (
    <g className="cell-player">
      <circle cx="10" cy="6.5" r="3" />
      <path d="M4.5 17a5.5 6 0 0 1 11 0z" />
    </g>
  ),
  hole: <ellipse cx="10" cy="11" rx="8" ry="6.5" className="cell-hole" />,
  goal: <path d="M5 18V2.5h1.5v1l9 3.5l-9 3.5V18z" className="cell-goal" />,
  lever: (
    <g className="cell-lever">
      <rect x="3" y="13" width="14" height="4.5" rx="1" />
      <path d="M10 13L13 5" />
      <circle cx="13.5" cy="4" r="2.2" />
    </g>
  ),
};
