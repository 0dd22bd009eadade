/**
 * V, truth and TD error under the turns' columns; if no truth is known, return and reward instead.
 * Shapes differ, not only colours.
 */
import { formatNumber } from "../../numeric/format.ts";
import { MarkerShape } from "../../charts/MarkerShape.tsx";
import { lineStyle } from "../../charts/palette.ts";
import type { TurnTruth } from "../../reading/truths.ts";
import { linePath, type ChartScale } from "./chartScale.ts";
import type { RibbonTurn } from "./ribbon.ts";
import type { RibbonView } from "./ribbonView.ts";
import type { RibbonSizes } from "./useColumn.ts";

export interface RibbonChartProps {
  view: RibbonView;
  from: number;
  to: number;
  sizes: RibbonSizes;
  scale: ChartScale;
}

export function RibbonChart({ view, from, to, sizes: { column }, scale }: RibbonChartProps) {
  const { turns, truth, turn } = view;
  const width = (to - from + 1) * column;
  const bar = barSizes(column);
  return (
    <svg width={width} height={scale.height} aria-hidden="true">
      <rect
        x={(turn - from) * column}
        width={column}
        height={scale.height}
        className="ribbon-here"
      />
      {scale.ticks.map((tick) => (
        <line
          key={tick}
          x2={width}
          y1={scale.y(tick)}
          y2={scale.y(tick)}
          className={tick === 0 ? "ribbon-zero" : "ribbon-grid"}
        />
      ))}
      {turns.slice(from, to).map(({ reward, delta }, i) => (
        <g key={i} transform={`translate(${(i + 0.5) * column} 0)`}>
          {!truth && (
            <Bar value={reward} at={bar.reward} className="ribbon-reward" {...bar} {...{ scale }} />
          )}
          <Bar value={delta} at={bar.delta} className={deltaClass(delta)} {...bar} {...{ scale }} />
        </g>
      ))}
      <Lines view={view} from={from} to={to} column={column} scale={scale} />
    </svg>
  );
}

/** Pixels: widths of bars, and their offsets from the middle of the column. */
function barSizes(column: number) {
  const width = Math.min(14, column * 0.18);
  return { width, delta: Math.min(22, column * 0.2), reward: -width - Math.min(22, column * 0.2) };
}

type LinesProps = Pick<RibbonChartProps, "view" | "from" | "to" | "scale"> & { column: number };

/** V and truth, or V and return, each with its marks; the truth is on top. */
function Lines({ view: { turns, critic, truth }, from, to, column, scale }: LinesProps) {
  const style = criticStyle(critic?.name);
  const points = (of: (turn: RibbonTurn, h: number) => number | null) =>
    turns.slice(from, to).map((one, i) => {
      const value = of(one, from + i);
      const isKnown = value !== null && Number.isFinite(value);
      return { x: (i + 0.5) * column, y: isKnown ? scale.y(value) : null };
    });
  const values = points((one) => one.value);
  return (
    <>
      {!truth && <Returns points={points((one) => one.return)} />}
      <path d={linePath(values)} className="ribbon-value" stroke={style.colour} />
      {values.map(({ x, y }) => y !== null && <MarkerShape key={x} {...style} cx={x} cy={y} />)}
      {truth && (
        <path
          d={linePath(points((_, h) => truth[h]?.value ?? null))}
          className="ribbon-truth-line"
        />
      )}
      {truth?.slice(from, to).map((one, i) => (
        <TruthMark key={i} truth={one} at={(i + 0.5) * column} scale={scale} />
      ))}
    </>
  );
}

/** A critic's line has its method's colour and marker. */
export function criticStyle(critic: string | undefined) {
  return critic === undefined
    ? ({ colour: "var(--ink)", marker: "circle" } as const)
    : lineStyle(critic);
}

function deltaClass(delta: number | null): string {
  return delta !== null && delta < 0 ? "ribbon-delta-minus" : "ribbon-delta-plus";
}

interface BarProps {
  value: number | null;
  at: number;
  width: number;
  scale: ChartScale;
  className: string;
}

/** From 0 to the value; a number close to 0 stays visible. */
function Bar({ value, at, width, scale, className }: BarProps) {
  if (value === null) return null;
  const [zero, end] = [scale.y(0), scale.y(value)];
  const height = Math.max(1.5, Math.abs(end - zero));
  return (
    <rect
      x={at}
      y={value < 0 ? zero : zero - height}
      width={width}
      height={height}
      className={className}
    />
  );
}

/** As for truth everywhere: ink, a diamond. */
function TruthMark({ truth, at, scale }: { truth: TurnTruth; at: number; scale: ChartScale }) {
  const [value, low, high] = [truth.value, ...truth.valueInterval].map(scale.y);
  if (![value, low, high].every(Number.isFinite)) return null;
  return (
    <g className="ribbon-truth" transform={`translate(${at} 0)`}>
      <path d={`M0,${low}V${high}M-4,${low}H4M-4,${high}H4`} />
      <MarkerShape marker="diamond" cx={0} cy={value!} colour="var(--ink)" />
    </g>
  );
}

/** Hollow: from one episode only. */
function Returns({ points }: { points: readonly { x: number; y: number | null }[] }) {
  return (
    <>
      <path d={linePath(points)} className="ribbon-return" />
      {points.map(
        ({ x, y }) =>
          y !== null && (
            <path key={x} d={`M${x},${y - 5}l5,5l-5,5l-5,-5z`} className="ribbon-came" />
          ),
      )}
    </>
  );
}

/** The axis, in the column of the row headers. */
export function RibbonAxis({ scale, width }: { scale: ChartScale; width: number }) {
  return (
    <svg width={width - 8} height={scale.height} aria-hidden="true" className="ribbon-axis">
      {scale.ticks.map((tick) => (
        <text key={tick} x={width - 14} y={scale.y(tick) + 4} textAnchor="end">
          {tickText(tick)}
        </text>
      ))}
    </svg>
  );
}

/** Without trailing zeros. */
function tickText(tick: number): string {
  return formatNumber(tick)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}
