/** How often the h-th turns were cut: upwards with A > 0, downwards with A < 0. */
import { useId } from "react";
import { niceTicks } from "../../charts/axis.ts";
import { formatPercent } from "../../charts/format.ts";
import { greatest } from "../../numeric/lists.ts";
import type { Band } from "../../objective/clipBand.ts";
import { count, share } from "./describe.ts";
import { cutFraction, type TurnCuts } from "./steps.ts";
import { words } from "./words.ts";

const COLUMN = 46;
const AXIS = 44;
/** Right of the bars: which sign is up. */
const SIGNS = 44;
const HEIGHT = 150;
const FOOT = 18;
/** Turns that are drawn. */
const MOST = 40;

interface ByTurnProps {
  byTurn: readonly TurnCuts[];
  band: Band | null;
}

export function ByTurn({ byTurn, band }: ByTurnProps) {
  const titleId = useId();
  const drawn = byTurn.slice(0, MOST);
  return (
    <figure className="clip-figure" aria-labelledby={titleId} data-testid="clip-by-turn">
      <figcaption>
        <h4 id={titleId}>{words.byTurn}</h4>
        <p className="chart-hint">
          {typeof band?.dual === "number" ? words.byTurnHintDual : words.byTurnHint}{" "}
          {band?.level === "token" && words.byTurnToken}
        </p>
      </figcaption>
      {/* tabIndex: a region that scrolls must be reachable by keyboard. */}
      <div className="clip-scroll" role="img" tabIndex={0} aria-label={describe(drawn)}>
        <Bars drawn={drawn} />
      </div>
      {byTurn.length > MOST && <p className="note">{words.capped(MOST, byTurn.length)}</p>}
    </figure>
  );
}

function describe(drawn: readonly TurnCuts[]): string {
  const parts = drawn.map(
    (cuts, h) =>
      `${words.turnName(h)}: ${share(cutFraction(cuts))} of ${count(cuts.uses)}, ${words.signs(count(cuts.high), count(cuts.low))}.`,
  );
  return `${words.byTurn}. ${parts.join(" ")}`;
}

const fraction = (part: number, { uses }: TurnCuts) => (uses > 0 ? part / uses : 0);

function Bars({ drawn }: { drawn: readonly TurnCuts[] }) {
  const most = greatest([0.01, ...drawn.flatMap((c) => [fraction(c.high, c), fraction(c.low, c)])]);
  const top = niceTicks(0, most).at(-1)!;
  const middle = (HEIGHT - FOOT) / 2;
  const y = (f: number) => middle - (f / top) * (middle - 6);
  const width = AXIS + Math.max(1, drawn.length) * COLUMN + SIGNS;
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true" className="clip-turns">
      {[top, top / 2, -top / 2, -top].map((tick) => (
        <g key={tick}>
          <line x1={AXIS} x2={width - SIGNS} y1={y(tick)} y2={y(tick)} className="clip-grid" />
          <text x={AXIS - 6} y={y(tick) + 4} textAnchor="end">
            {formatPercent(Math.abs(tick)).replace(".0", "")}
          </text>
        </g>
      ))}
      {drawn.map((cuts, h) => {
        const [high, low] = [fraction(cuts.high, cuts), fraction(cuts.low, cuts)];
        const x = AXIS + h * COLUMN + COLUMN / 2;
        return (
          <g key={h}>
            <rect
              {...{ x: x - 9, width: 18, y: y(high), height: middle - y(high) }}
              className="clip-high"
            />
            <rect
              {...{ x: x - 9, width: 18, y: middle, height: y(-low) - middle }}
              className="clip-low"
            />
            <text x={x} y={HEIGHT - 4} textAnchor="middle">
              {h + 1}
            </text>
          </g>
        );
      })}
      <text x={width - SIGNS + 6} y={y(top / 2) + 4}>
        {words.above}
      </text>
      <text x={width - SIGNS + 6} y={y(-top / 2) + 4}>
        {words.below}
      </text>
      <line x1={AXIS} x2={width} y1={middle} y2={middle} className="clip-axis" />
    </svg>
  );
}
