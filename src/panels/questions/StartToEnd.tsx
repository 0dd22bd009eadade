/** A cell of a study as a picture: a ring at its start, a dot at its end, and the gain's interval from its start. The text is beside it. */
import { lineStyles } from "../../charts/palette.ts";
import { greatest } from "../../numeric/lists.ts";
import type { StudyCell } from "./results.ts";

const WIDTH = 220;
const HEIGHT = 20;
const MARGIN = 8;
const MIDDLE = HEIGHT / 2;

interface StartToEndProps {
  cell: StudyCell;
  /** Share at the right end, the same for all cells of a study. */
  top: number;
  methods: readonly string[];
}

/** Nothing for a cell that has not been run. */
export function StartToEnd({ cell: { method, first, last, gain }, top, methods }: StartToEndProps) {
  if (first === null || last === null) return null;
  const { colour } = lineStyles(methods).get(method)!;
  const at = (share: number) =>
    MARGIN + (WIDTH - 2 * MARGIN) * Math.min(1, Math.max(0, share / top));
  return (
    <svg className="study-strip" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <line className="study-ground" x1={at(0)} x2={at(top)} y1={MIDDLE} y2={MIDDLE} />
      {gain && (
        <line
          x1={at(first + gain.low)}
          x2={at(first + gain.high)}
          y1={MIDDLE}
          y2={MIDDLE}
          stroke={colour}
          strokeWidth={6}
          strokeOpacity={0.25}
        />
      )}
      <line x1={at(first)} x2={at(last)} y1={MIDDLE} y2={MIDDLE} stroke={colour} strokeWidth={2} />
      <circle className="study-start" cx={at(first)} cy={MIDDLE} r={4} stroke={colour} />
      <circle cx={at(last)} cy={MIDDLE} r={5} fill={colour} />
    </svg>
  );
}

/** The right end of a study's pictures: the next tenth above all values; null if nothing has been run. */
export function topOf(cells: readonly StudyCell[]): number | null {
  const ends = cells.flatMap(({ first, last, gain }) =>
    first === null || last === null ? [] : [first, last, first + (gain?.high ?? 0)],
  );
  return ends.length === 0 ? null : Math.min(1, Math.max(0.1, Math.ceil(10 * greatest(ends)) / 10));
}
