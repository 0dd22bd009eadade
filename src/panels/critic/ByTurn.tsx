/** Explained variance by turn: the run's own metric, and the same over the turns that are shown. */
import { useId } from "react";
import { formatPercent } from "../../charts/format.ts";
import { explainedText } from "./describe.ts";
import type { TurnRow } from "./model.ts";
import { words } from "./words.ts";

const COLUMN = 44;
const AXIS = 56;
const HEIGHT = 170;
const FOOT = 20;
/** Turns that are drawn. */
const MOST = 40;
/** The axis ends here: what is worse gets an arrow. */
const LOWEST = -1;

const y = (share: number) => 8 + ((1 - share) / (1 - LOWEST)) * (HEIGHT - FOOT - 16);

export function ByTurn({ rows }: { rows: readonly TurnRow[] }) {
  const titleId = useId();
  const drawn = rows.slice(0, MOST);
  return (
    <figure className="critic-figure" aria-labelledby={titleId} data-testid="critic-by-turn">
      <figcaption>
        <h4 id={titleId}>{words.byTurn}</h4>
        <p className="chart-hint">{words.byTurnHint}</p>
      </figcaption>
      <Legend />
      {/* tabIndex: a region that scrolls must be reachable by keyboard. */}
      <div className="critic-scroll" role="img" tabIndex={0} aria-label={describe(drawn)}>
        <Drawing rows={drawn} />
      </div>
      {rows.length > MOST && <p className="note">{words.capped(MOST, rows.length)}</p>}
    </figure>
  );
}

function describe(rows: readonly TurnRow[]): string {
  const parts = rows.map(({ n, recorded, metric }, h) => {
    const told = [
      ...(metric === null ? [] : [`${words.ofRun} ${explainedText(metric)}`]),
      ...(Number.isFinite(recorded) ? [`${words.ofRecorded} ${explainedText(recorded)}`] : []),
    ];
    return `${words.turnName(h)}: ${told.join(", ") || words.notKnown} (${n}).`;
  });
  return `${words.byTurn}. ${parts.join(" ")}`;
}

function Drawing({ rows }: { rows: readonly TurnRow[] }) {
  const width = AXIS + Math.max(1, rows.length) * COLUMN;
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true" className="critic-turns">
      {[1, 0.5, 0, -0.5, LOWEST].map((tick) => (
        <g key={tick}>
          <line
            {...{ x1: AXIS, x2: width, y1: y(tick), y2: y(tick) }}
            className={tick === 0 ? "critic-zero" : "critic-grid"}
          />
          <text x={AXIS - 6} y={y(tick) + 4} textAnchor="end">
            {formatPercent(tick).replace(".0", "")}
          </text>
        </g>
      ))}
      {rows.map(({ recorded, metric }, h) => {
        const x = AXIS + (h + 0.5) * COLUMN;
        return (
          <g key={h}>
            {metric !== null && <Mark x={x - 8} share={metric} shape="disc" />}
            {Number.isFinite(recorded) && <Mark x={x + 8} share={recorded} shape="square" />}
            <text x={x} y={HEIGHT - 4} textAnchor="middle">
              {h + 1}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

interface MarkProps {
  x: number;
  share: number;
  shape: "disc" | "square";
}

function Mark({ x, share, shape }: MarkProps) {
  const at = y(Math.max(LOWEST, Math.min(1, share)));
  return (
    <g transform={`translate(${x} ${at})`} className={`critic-${shape}`}>
      <line y2={y(0) - at} className="critic-stem" />
      {share < LOWEST ? (
        <path d="M-5,-4h10l-5,8z" />
      ) : shape === "disc" ? (
        <circle r={4.5} />
      ) : (
        <rect x={-4} y={-4} width={8} height={8} />
      )}
    </g>
  );
}

function Legend() {
  return (
    <ul className="critic-legend">
      <li>
        <svg width="14" height="14" aria-hidden="true" className="critic-disc">
          <circle cx={7} cy={7} r={4.5} />
        </svg>
        {words.ofRun}
      </li>
      <li>
        <svg width="14" height="14" aria-hidden="true" className="critic-square-mark">
          <rect x={3} y={3} width={8} height={8} />
        </svg>
        {words.ofRecorded}
      </li>
      <li>{words.clipped}</li>
    </ul>
  );
}
