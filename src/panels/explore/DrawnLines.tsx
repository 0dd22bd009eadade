/** Lines of an interactive figure over one axis, with a dot where the reader's handle stands. */
import { formatBrief } from "../../numeric/format.ts";
import { greatest, least } from "../../numeric/lists.ts";
import type { ExploreLines } from "./exploration.ts";

const WIDTH = 400;
const HEIGHT = 170;
const MARGIN = 14;
/** Below the lines, for names of ticks. */
const FOOT = 22;

interface DrawnLinesProps {
  /** What the picture shows, in words. */
  label: string;
  drawing: ExploreLines;
}

export function DrawnLines({ label, drawing }: DrawnLinesProps) {
  const { across, ticks, x, lines, at } = drawing;
  const all = [0, ...lines.flatMap(({ y }) => y)];
  const [low, high] = [least(all), greatest(all)];
  const [first, last] = [x[0]!, x.at(-1)!];
  const px = (value: number) => MARGIN + ((value - first) / (last - first)) * (WIDTH - 2 * MARGIN);
  const py = (value: number) =>
    MARGIN + ((high - value) / (high - low || 1)) * (HEIGHT - 2 * MARGIN - FOOT);
  return (
    <figure className="explore-lines">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        <line data-look="axis" x1={px(first)} x2={px(last)} y1={py(0)} y2={py(0)} />
        {ticks.map((tick) => (
          <g key={tick}>
            <line data-look="tick" x1={px(tick)} x2={px(tick)} y1={MARGIN} y2={HEIGHT - FOOT} />
            <text x={px(tick)} y={HEIGHT - 6}>
              {formatBrief(tick)}
            </text>
          </g>
        ))}
        {lines.map(({ name, y, look }) => (
          <polyline
            key={name}
            data-look={look}
            points={y.map((value, i) => `${px(x[i]!)},${py(value)}`).join(" ")}
          />
        ))}
        <circle cx={px(at.x)} cy={py(at.y)} r={5} />
      </svg>
      <figcaption>
        {lines.map(({ name, look }) => (
          <span key={name} data-look={look}>
            {name}
          </span>
        ))}
        <span>{across} →</span>
      </figcaption>
    </figure>
  );
}
