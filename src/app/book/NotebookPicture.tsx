/** A small picture of a notebook: the curves of its newest run, or its cells. */
import { lineStyles } from "../../charts/palette.ts";
import { greatest, least } from "../../numeric/lists.ts";
import { isTyped, type Cell } from "../../notebook/cell.ts";
import type { KeptRun, RunCurve, RunCurves } from "../../runtime/shelf/keptRuns.ts";
import { words as all } from "./words.ts";

const words = all.gallery.picture;
const WIDTH = 96;
const HEIGHT = 72;
const MARGIN = 8;

interface NotebookPictureProps {
  cells: readonly Cell[];
  /** Its runs, newest first. */
  runs: readonly KeptRun[];
}

export function NotebookPicture({ cells, runs }: NotebookPictureProps) {
  const curves = runs.find((run) => run.curves !== undefined)?.curves;
  return (
    <svg
      className="notebook-picture"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={curves ? words[curves.measure] : words.cells}
      data-testid="notebook-picture"
      data-shows={curves ? curves.measure : "cells"}
    >
      {curves ? <Curves curves={curves} /> : <Cells cells={cells} />}
    </svg>
  );
}

/** The curves of a run alone, in small. */
export function RunSpark({ curves }: { curves: RunCurves }) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={words[curves.measure]}
      data-testid="run-spark"
    >
      <Curves curves={curves} />
    </svg>
  );
}

function Curves({ curves: { lines } }: { curves: RunCurves }) {
  const styles = lineStyles(lines.map(({ method }) => method));
  const paths = pathsOf(lines);
  return lines.map(({ method }, i) => (
    <path
      key={method}
      d={paths[i]}
      fill="none"
      stroke={styles.get(method)!.colour}
      strokeDasharray={styles.get(method)!.dash}
      strokeWidth={1.5}
    />
  ));
}

/** All lines on the same axes; a number that is not finite interrupts its line. */
function pathsOf(lines: readonly RunCurve[]): string[] {
  const all = lines.flatMap(({ x, y }) => x.map((at, i) => [at, y[i] ?? null] as const));
  const [left, right] = extent(all.map(([x]) => x));
  const [low, high] = extent(all.flatMap(([, y]) => (y === null ? [] : [y])));
  const place = (value: number, from: number, to: number, size: number) =>
    MARGIN + ((value - from) / (to - from || 1)) * (size - 2 * MARGIN);
  return lines.map(({ x, y }) =>
    x
      .flatMap((at, i) => {
        const value = y[i] ?? null;
        if (value === null) return [];
        const joins = i > 0 && (y[i - 1] ?? null) !== null;
        const [px, py] = [place(at, left, right, WIDTH), place(value, low, high, HEIGHT)];
        return [`${joins ? "L" : "M"}${px.toFixed(1)} ${(HEIGHT - py).toFixed(1)}`];
      })
      .join(""),
  );
}

function extent(values: readonly number[]): [number, number] {
  return values.length === 0 ? [0, 1] : [least(values), greatest(values)];
}

/** Limit of rows. */
const MOST_ROWS = 7;
const ROW = (HEIGHT - 2 * MARGIN) / MOST_ROWS;

/** A row for each cell: text as a line, everything else as a box. */
function Cells({ cells }: { cells: readonly Cell[] }) {
  return cells.slice(0, MOST_ROWS).map((cell, i) => {
    const isText = !isTyped(cell);
    const length = isText ? 0.3 + 0.7 * Math.min(1, cell.markdown.length / 300) : 1;
    return (
      <rect
        key={i}
        className={isText ? "picture-text" : "picture-box"}
        x={MARGIN}
        y={MARGIN + i * ROW + (isText ? ROW / 3 : 1)}
        width={length * (WIDTH - 2 * MARGIN)}
        height={isText ? 2 : ROW - 2}
        rx={1}
      />
    );
  });
}
