/** V, return, reward, TD error and truth under the turns' columns. Shapes differ, not only colours. */
import type { ReactNode } from "react";
import { formatNumber } from "../../charts/format.ts";
import { lineStyle } from "../../charts/palette.ts";
import { linePath, type ChartScale } from "./chartScale.ts";
import { TruthSwitch } from "../shared/TruthSwitch.tsx";
import type { RibbonTurn } from "./ribbon.ts";
import type { RibbonView } from "./ribbonView.ts";
import { words } from "./words.ts";

export const CHART_HEIGHT = 76;

const BAR = 11;
/** From the middle of the column. */
const REWARD_AT = -34;
const DELTA_AT = 24;
const TRUTH_AT = -12;

export interface RibbonChartProps {
  view: RibbonView;
  from: number;
  to: number;
  /** Pixels of a turn's column. */
  column: number;
  scale: ChartScale;
}

export function RibbonChart({ view, from, to, column, scale }: RibbonChartProps) {
  const { turns, truth, turn } = view;
  const width = (to - from + 1) * column;
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
      {turns.slice(from, to).map((one, i) => (
        <g key={i} transform={`translate(${(i + 0.5) * column} 0)`}>
          <Bar value={one.reward} at={REWARD_AT} scale={scale} className="ribbon-reward" />
          <Bar value={one.delta} at={DELTA_AT} scale={scale} className={deltaClass(one.delta)} />
          {truth?.[from + i] && <TruthMark truth={truth[from + i]!} scale={scale} />}
        </g>
      ))}
      <Lines view={view} from={from} to={to} column={column} scale={scale} />
    </svg>
  );
}

/** Return and V, each with its marks. */
function Lines({ view: { turns, critic }, from, to, column, scale }: RibbonChartProps) {
  const colour = critic ? lineStyle(critic.name).colour : "var(--ink)";
  const points = (of: (turn: RibbonTurn) => number | null) =>
    turns.slice(from, to).map((one, i) => {
      const value = of(one);
      return { x: (i + 0.5) * column, y: value === null ? null : scale.y(value) };
    });
  const returns = points((one) => one.return);
  const values = points((one) => one.value);
  return (
    <>
      <path d={linePath(returns)} className="ribbon-return" />
      <Marks points={returns} shape="diamond" colour="var(--ink)" />
      <path d={linePath(values)} className="ribbon-value" stroke={colour} />
      <Marks points={values} shape="circle" colour={colour} />
    </>
  );
}

function deltaClass(delta: number | null): string {
  return delta !== null && delta < 0 ? "ribbon-delta-minus" : "ribbon-delta-plus";
}

interface BarProps {
  value: number | null;
  at: number;
  scale: ChartScale;
  className: string;
}

/** From 0 to the value; a number next to 0 stays visible. */
function Bar({ value, at, scale, className }: BarProps) {
  if (value === null) return null;
  const [zero, end] = [scale.y(0), scale.y(value)];
  const height = Math.max(1.5, Math.abs(end - zero));
  return (
    <rect
      x={at}
      y={value < 0 ? zero : zero - height}
      width={BAR}
      height={height}
      className={className}
    />
  );
}

/** As truth is everywhere: ink, a diamond. */
const diamond = (y: number) => `M0,${y - 5}l5,5l-5,5l-5,-5z`;

type Truth = NonNullable<RibbonView["truth"]>[number];

function TruthMark({ truth, scale }: { truth: Truth; scale: ChartScale }) {
  const [value, low, high] = [truth.value, ...truth.valueInterval].map(scale.y);
  if (![value, low, high].every(Number.isFinite)) return null;
  return (
    <g className="ribbon-truth" transform={`translate(${TRUTH_AT} 0)`}>
      <path d={`M0,${low}V${high}M-5,${low}H5M-5,${high}H5`} />
      <path d={diamond(value!)} className="ribbon-true" />
    </g>
  );
}

interface MarksProps {
  points: readonly { x: number; y: number | null }[];
  shape: "circle" | "diamond";
  colour: string;
}

function Marks({ points, shape, colour }: MarksProps) {
  return points.map(({ x, y }) => {
    if (y === null) return null;
    if (shape === "circle") return <circle key={x} cx={x} cy={y} r={4.5} fill={colour} />;
    return <path key={x} d={`M${x},${y - 5}l5,5l-5,5l-5,-5z`} fill="var(--page)" stroke={colour} />;
  });
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

/** Without decimals that say nothing. */
function tickText(tick: number): string {
  return formatNumber(tick)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}

/** The marks beside their words. */
export function RibbonLegend({ view }: { view: RibbonView }) {
  const { critic, truth, otherTruth, hasTargets, foreign } = view;
  const colour = critic ? lineStyle(critic.name).colour : "var(--ink)";
  const { marks } = words;
  return (
    <ul className="ribbon-legend" aria-label={words.legend}>
      {critic && (
        <Mark name={marks.value}>
          <path d="M0,8H28" stroke={colour} className="ribbon-value" />
          <circle cx={14} cy={8} r={4.5} fill={colour} />
        </Mark>
      )}
      <Mark name={foreign && !hasTargets ? marks.returnComputed : marks.return}>
        <path d="M0,8H28" className="ribbon-return" />
        <path d="M14,3l5,5l-5,5l-5,-5z" fill="var(--page)" stroke="var(--ink)" />
      </Mark>
      <Mark name={marks.reward}>
        <rect x={8} width={BAR} height={16} className="ribbon-reward" />
      </Mark>
      {critic && (
        <Mark name={marks.delta}>
          <rect x={2} width={BAR} height={10} className="ribbon-delta-plus" />
          <rect x={16} y={6} width={BAR} height={10} className="ribbon-delta-minus" />
        </Mark>
      )}
      {truth && (
        <Mark name={marks.truth}>
          <g className="ribbon-truth" transform="translate(14 0)">
            <path d="M0,1V15M-5,1H5M-5,15H5" />
            <path d={diamond(8)} className="ribbon-true" />
          </g>
        </Mark>
      )}
      {otherTruth && critic && (
        <li>
          <TruthSwitch critic={critic.name} text={words.otherTruthBrief} />
        </li>
      )}
    </ul>
  );
}

function Mark({ name, children }: { name: string; children: ReactNode }) {
  return (
    <li>
      <svg width="28" height="16" aria-hidden="true">
        {children}
      </svg>
      {name}
    </li>
  );
}
