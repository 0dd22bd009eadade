/** A board as a picture with its description. Shapes differ, not only colours. */
import { memo } from "react";
import { greatest } from "../../numeric/lists.ts";
import { strings } from "./strings.ts";
import { stretchesOf } from "../../ui/longText.ts";
import { describeBoard, readBoard, type BoardCell } from "../../reading/board.ts";

const UNIT = 20;

export const BoardPicture = memo(function BoardPicture({ observation }: { observation: string }) {
  const board = readBoard(observation);
  // Long pages scroll in a box of their own, which the keyboard can reach.
  if (!board) {
    return (
      <pre className="observation" role="group" aria-label={strings.turns.observation} tabIndex={0}>
        {shortened(observation)}
      </pre>
    );
  }
  const width = greatest(board.rows.map((row) => row.length)) * UNIT;
  const height = board.rows.length * UNIT;
  return (
    <div className="board">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={describeBoard(board)}
        data-testid="board"
      >
        <rect width={width} height={height} className="cell-floor" />
        {/* There may be fifty boards on screen, and most of each is wall or floor: all of it is one shape. */}
        <path d={wallsOf(board.rows)} className="cell-wall" />
        {board.rows.flatMap((row, r) =>
          row.map((cell, c) =>
            cell === "floor" || cell === "wall" ? null : (
              <g key={`${r}-${c}`} transform={`translate(${c * UNIT} ${r * UNIT})`}>
                <CellShape cell={cell} />
              </g>
            ),
          ),
        )}
      </svg>
      {board.notes !== "" && <p className="board-notes">{board.notes}</p>}
    </div>
  );
});

function wallsOf(rows: readonly (readonly BoardCell[])[]): string {
  const square = `h${UNIT}v${UNIT}h-${UNIT}z`;
  return rows
    .flatMap((row, r) =>
      row.map((cell, c) => (cell === "wall" ? `M${c * UNIT} ${r * UNIT}${square}` : "")),
    )
    .join("");
}

function CellShape({ cell }: { cell: Exclude<BoardCell, "floor" | "wall"> }) {
  switch (cell) {
    case "target":
      return <Target />;
    case "box":
      return <Box />;
    case "box-on-target":
      return (
        <>
          <Box />
          <path d="M6 10.5l3 3l5.5-6.5" className="cell-tick" />
        </>
      );
    case "player":
      return <Player />;
    case "player-on-target":
      return (
        <>
          <Target />
          <Player />
        </>
      );
  }
}

function Target() {
  return <circle cx="10" cy="10" r="7.5" className="cell-target" />;
}

function Box() {
  return <rect x="2.5" y="2.5" width="15" height="15" rx="1.5" className="cell-box" />;
}

function Player() {
  return (
    <g className="cell-player">
      <circle cx="10" cy="6.5" r="3" />
      <path d="M4.5 17a5.5 6 0 0 1 11 0z" />
    </g>
  );
}

/** Pages of a shop are a few thousand characters; a file may hold a megabyte. */
function shortened(text: string): string {
  const { parts, left } = stretchesOf(text, 2);
  return left === 0 ? text : `${parts.join("")} ${strings.turns.moreText(left)}`;
}
