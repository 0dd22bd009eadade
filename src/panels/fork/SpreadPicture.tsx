/** Three samples of returns on one axis: bars for how many had which return, below them the mean with its interval. */
import { formatSigned } from "../../numeric/format.ts";
import { greatest } from "../../numeric/lists.ts";
import type { Sample } from "./forkView.ts";
import { AXIS, axisFor, LEFT, PictureAxis, WIDTH, type AxisOfPicture } from "./PictureAxis.tsx";
import { stacks } from "./spread.ts";
import { words } from "./words.ts";

const BINS = 60;
const ROW = 92;
/** Height of a sample's tallest column. */
const TALL = 44;

export function SpreadPicture({ samples }: { samples: readonly Sample[] }) {
  const all = samples.flatMap(({ returns }) => returns);
  const ends = samples.flatMap(({ mean }) => [mean.low, mean.high]);
  const axis = axisFor([...all, ...ends]);
  const y = samples.length * ROW;
  const parts = samples.map(({ kind, returns, mean }) =>
    words.row(
      words.names[kind],
      ...([mean.mean, mean.low, mean.high].map(formatSigned) as [string, string, string]),
      returns.length,
    ),
  );
  return (
    <svg
      className="fork-picture"
      viewBox={`0 0 ${WIDTH} ${y + AXIS}`}
      role="img"
      aria-label={words.picture(parts.join(" "))}
      data-testid="fork-picture"
    >
      <PictureAxis axis={axis} name={words.axis} y={y} />
      {samples.map((sample, i) => (
        <g key={sample.kind} transform={`translate(0 ${i * ROW})`}>
          <SampleRow sample={sample} axis={axis} />
        </g>
      ))}
    </svg>
  );
}

interface RowProps {
  sample: Sample;
  axis: AxisOfPicture;
}

function SampleRow({ sample: { kind, returns, mean }, axis: { ends, at: x } }: RowProps) {
  const columns = stacks(returns, BINS, ...ends);
  const tallest = greatest(columns.map(({ count }) => count));
  const base = 20 + TALL;
  return (
    <>
      <text x={LEFT} y={13} className="fork-row-name">
        {words.names[kind]}: {formatSigned(mean.mean)}
      </text>
      {columns.map(({ value, count }) => (
        <rect
          key={value}
          className={`fork-bar fork-bar-${kind}`}
          x={x(value) - 4}
          width={8}
          y={base - (count / tallest) * TALL}
          height={(count / tallest) * TALL}
        />
      ))}
      <line className="fork-base" x1={LEFT} x2={WIDTH - LEFT} y1={base} y2={base} />
      <line
        className="fork-interval"
        x1={x(mean.low)}
        x2={x(mean.high)}
        y1={base + 9}
        y2={base + 9}
      />
      <path className="fork-mean" d={`M${x(mean.mean)} ${base + 4}l5 5l-5 5l-5 -5z`} />
    </>
  );
}
