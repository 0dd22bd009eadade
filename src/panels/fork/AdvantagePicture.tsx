/** The algorithms' advantages of a turn below the true one: a row and a signed bar for each, on one axis. */
import { formatSigned } from "../../numeric/format.ts";
import { MarkerShape } from "../../charts/MarkerShape.tsx";
import { lineStyles } from "../../charts/palette.ts";
import type { AdvantageMark } from "./advantageMarks.ts";
import { AXIS, axisFor, LEFT, PictureAxis, WIDTH } from "./PictureAxis.tsx";
import { words } from "./words.ts";

const LANE = 38;
/** Position of its bar in a lane. */
const BAR = { top: 18, height: 13 };
const MIDDLE = BAR.top + BAR.height / 2;

export function AdvantagePicture({ marks }: { marks: readonly AdvantageMark[] }) {
  const axis = axisFor(marks.flatMap(({ value, low, high }) => [value, low, high]));
  const y = marks.length * LANE + 4;
  const list = marks.map(({ title, value }) => `${title} ${formatSigned(value)}`).join(", ");
  const styles = lineStyles(marks.flatMap(({ algorithm }) => algorithm ?? []));
  return (
    <svg
      className="fork-picture"
      viewBox={`0 0 ${WIDTH} ${y + AXIS}`}
      role="img"
      aria-label={words.marks(list)}
      data-testid="fork-marks"
    >
      <PictureAxis axis={axis} name={words.marksAxis} y={y} />
      {marks.map((mark, i) => (
        <g key={mark.name} transform={`translate(0 ${i * LANE})`} data-mark={mark.name}>
          <MarkerShape {...(styles.get(mark.algorithm ?? "") ?? TRUTH)} cx={LEFT + 5} cy={9} />
          <text x={LEFT + 16} y={13} className="fork-row-name">
            {mark.title}: {formatSigned(mark.value)}
          </text>
          <line className="fork-lane" x1={LEFT} x2={WIDTH - LEFT} y1={MIDDLE} y2={MIDDLE} />
          <Bar mark={mark} at={axis.at} />
          {mark.low < mark.high && (
            <line
              className="fork-interval"
              x1={axis.at(mark.low)}
              x2={axis.at(mark.high)}
              y1={MIDDLE}
              y2={MIDDLE}
            />
          )}
          {mark.kind === "truth" && <MarkerShape {...TRUTH} cx={axis.at(mark.value)} cy={MIDDLE} />}
        </g>
      ))}
    </svg>
  );
}

const TRUTH = { marker: "diamond", colour: "var(--ink)" } as const;

/** From 0: blue to the right, red to the left; pale if the interval includes both signs, hollow for the one training used. */
function Bar({ mark, at }: { mark: AdvantageMark; at: (value: number) => number }) {
  const { value, low, high, kind } = mark;
  const [from, to] = [Math.min(at(0), at(value)), Math.max(at(0), at(value))];
  return (
    <rect
      className={`fork-credit fork-credit-${value < 0 ? "minus" : "plus"}`}
      data-open={low < 0 && high > 0 ? "" : undefined}
      data-kind={kind}
      x={from}
      width={to - from}
      y={BAR.top}
      height={BAR.height}
    />
  );
}
