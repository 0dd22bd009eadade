/** V of turns against something else on the same scale: dots, the line of right guesses, and calibration's squares. */
import { niceTicks } from "../../charts/axis.ts";
import { formatNumber, shorten } from "../../numeric/format.ts";
import type { Bin, FitPoint, TruthPoint } from "./fit.ts";

const SIZE = 340;
const LEFT = 46;
const FOOT = 36;
const TOP = 8;
/** Dots that are drawn, spread evenly over what there is. */
export const MOST_DOTS = 400;

interface ScatterProps {
  points: readonly (FitPoint & Partial<TruthPoint>)[];
  bins?: readonly Bin[];
  /** The episode at the cursor gets rings. */
  here: { iteration: number; episode: number };
  yName: string;
  colour: string;
  /** The picture in words. */
  label: string;
  testId: string;
}

export function Scatter({ points, bins = [], here, yName, colour, label, testId }: ScatterProps) {
  const scale = scaleOf(points, bins);
  const drawn = spreadOver(points, MOST_DOTS);
  return (
    <div role="img" aria-label={label} data-testid={testId}>
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} className="critic-scatter">
        <Axes scale={scale} yName={yName} />
        {drawn.map(({ pair, x, y, interval }, i) => (
          <g key={i} transform={`translate(${scale.x(x)} ${scale.y(y)})`}>
            {interval && <Whisker interval={interval} scale={scale} at={y} />}
            <circle
              r={3.2}
              fill={pair.cutOff ? "var(--page)" : colour}
              stroke={colour}
              className="critic-dot"
            />
            {pair.iteration === here.iteration && pair.episode === here.episode && (
              <circle r={6.5} className="critic-ring" />
            )}
          </g>
        ))}
        {bins.map((bin, i) => (
          <g key={i} transform={`translate(${scale.x(bin.x)} ${scale.y(bin.y)})`}>
            {Number.isFinite(bin.low) && (
              <Whisker interval={[bin.low, bin.high]} scale={scale} at={bin.y} />
            )}
            <rect x={-4.5} y={-4.5} width={9} height={9} className="critic-square" />
          </g>
        ))}
      </svg>
    </div>
  );
}

interface ScatterScale {
  ticks: number[];
  x: (value: number) => number;
  y: (value: number) => number;
}

/** The ends that both axes have: of the dots, of the squares, and of their intervals. */
export function domainOf(
  points: ScatterProps["points"],
  bins: readonly Bin[],
): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  const take = (value: number) => {
    if (!Number.isFinite(value)) return;
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  for (const { x, y, interval = [] } of points) [x, y, ...interval].forEach(take);
  for (const bin of bins) [bin.x, bin.y, bin.low, bin.high].forEach(take);
  return [low, high];
}

/** The same ends on both axes, so that the slanted line means equality. */
function scaleOf(points: ScatterProps["points"], bins: readonly Bin[]): ScatterScale {
  const [low, high] = domainOf(points, bins);
  const ticks = niceTicks(low <= high ? low : 0, low <= high ? high : 1);
  const [from, to] = [ticks[0]!, ticks.at(-1)!];
  const part = (value: number) => Math.min(1.02, Math.max(-0.02, (value - from) / (to - from)));
  const width = SIZE - LEFT - 8;
  const height = SIZE - FOOT - TOP;
  return {
    ticks,
    x: (value) => LEFT + part(value) * width,
    y: (value) => TOP + (1 - part(value)) * height,
  };
}

function spreadOver<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)]!);
}

function Axes({ scale: { ticks, x, y }, yName }: { scale: ScatterScale; yName: string }) {
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  return (
    <g>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={x(low)} x2={x(high)} y1={y(tick)} y2={y(tick)} className="critic-grid" />
          <line x1={x(tick)} x2={x(tick)} y1={y(low)} y2={y(high)} className="critic-grid" />
          <text x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
            {shorten(formatNumber(tick))}
          </text>
          <text x={x(tick)} y={SIZE - FOOT + 15} textAnchor="middle">
            {shorten(formatNumber(tick))}
          </text>
        </g>
      ))}
      <line x1={x(low)} x2={x(high)} y1={y(low)} y2={y(high)} className="critic-right" />
      <text x={x(high)} y={SIZE - 4} textAnchor="end">
        V →
      </text>
      <text x={LEFT + 4} y={TOP + 12}>
        ↑ {yName}
      </text>
    </g>
  );
}

interface WhiskerProps {
  interval: readonly [number, number];
  scale: ScatterScale;
  /** Where 0 of the drawing stands. */
  at: number;
}

function Whisker({ interval: [low, high], scale, at }: WhiskerProps) {
  const [from, to] = [scale.y(low) - scale.y(at), scale.y(high) - scale.y(at)];
  return <path d={`M0,${from}V${to}M-4,${from}H4M-4,${to}H4`} className="critic-whisker" />;
}
