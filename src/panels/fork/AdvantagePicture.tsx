/** What the algorithms say of a turn and the true advantage on one axis, a lane for each: left of 0 or right of it. */
import { formatSigned } from "../../charts/format.ts";
import type { AdvantageMark } from "./advantageMarks.ts";
import { AXIS, axisFor, LEFT, PictureAxis, WIDTH } from "./PictureAxis.tsx";
import { words } from "./words.ts";

const LANE = 36;
/** Where in a lane its mark stands. */
const MIDDLE = 25;

export function AdvantagePicture({ marks }: { marks: readonly AdvantageMark[] }) {
  const axis = axisFor(marks.flatMap(({ value, low, high }) => [value, low, high]));
  const y = marks.length * LANE + 4;
  const told = marks.map(({ title, value }) => `${title} ${formatSigned(value)}`).join(", ");
  return (
    <svg
      className="fork-picture"
      viewBox={`0 0 ${WIDTH} ${y + AXIS}`}
      role="img"
      aria-label={words.marks(told)}
      data-testid="fork-marks"
    >
      <PictureAxis axis={axis} name={words.marksAxis} y={y} />
      {marks.map((mark, i) => (
        <g key={mark.name} transform={`translate(0 ${i * LANE})`} data-mark={mark.name}>
          <text x={LEFT} y={13} className="fork-row-name">
            {mark.title}: {formatSigned(mark.value)}
          </text>
          <line className="fork-lane" x1={LEFT} x2={WIDTH - LEFT} y1={MIDDLE} y2={MIDDLE} />
          <line
            className="fork-interval"
            x1={axis.at(mark.low)}
            x2={axis.at(mark.high)}
            y1={MIDDLE}
            y2={MIDDLE}
          />
          <Shape kind={mark.kind} x={axis.at(mark.value)} />
        </g>
      ))}
    </svg>
  );
}

/** The truth is a diamond, what training used a hollow square, what is computed here a disc. */
function Shape({ kind, x }: { kind: AdvantageMark["kind"]; x: number }) {
  if (kind === "truth")
    return <path className="fork-mean" d={`M${x} ${MIDDLE - 6}l6 6l-6 6l-6 -6z`} />;
  if (kind === "trained")
    return <rect className="fork-used" x={x - 5} y={MIDDLE - 5} width={10} height={10} />;
  return <circle className="fork-said-mark" cx={x} cy={MIDDLE} r={5} />;
}
