/**
 * V, truth and TD error under the turns' columns; if no truth is known, return and reward instead.
 * Shapes differ, not only colours. Places are in percent, so that columns may have any width.
 */
import type { ReactNode } from "react";
import { MarkerShape } from "../../charts/MarkerShape.tsx";
import { lineStyle } from "../../charts/palette.ts";
import type { RibbonAxis, RibbonMark, RibbonShown } from "../../figures/ribbon/ribbon.ts";
import { words } from "../../figures/ribbon/words.ts";
import { formatNumber } from "../../numeric/format.ts";
import type { Critic } from "../../reading/critics.ts";
import type { TurnTruth } from "../../reading/truths.ts";

const percent = (share: number) => `${+(100 * share).toFixed(3)}%`;

const placeOn = ({ low, high }: RibbonAxis) => {
  const size = (value: number) => percent(value / (high - low));
  return { y: (value: number) => size(high - value), size };
};

/** The lines' numbers by turn; null is a gap. */
type NumberOf = (turn: number) => number | null;

export function RibbonChart({ view, part: { from, to }, axis }: RibbonShown) {
  const { turns, truth, turn, critic } = view;
  const { y } = placeOn(axis);
  const columns = to - from + 1;
  const each = (draw: (h: number) => ReactNode) =>
    turns.slice(from, to).map((_, i) => (
      <svg key={i} x={percent(i / columns)} width={percent(1 / columns)} overflow="visible">
        {draw(from + i)}
      </svg>
    ));
  const line = (of: NumberOf, mark: RibbonMark) =>
    each((h) => {
      const [here, next] = [of(h), h + 1 < to ? of(h + 1) : null];
      if (!isKnown(here)) return null;
      return (
        <>
          {isKnown(next) && (
            <Line mark={mark} critic={critic} x1="50%" x2="150%" y1={y(here)} y2={y(next)} />
          )}
          {mark !== "truth" && (
            <At y={y(here)}>
              <Point mark={mark} critic={critic} />
            </At>
          )}
        </>
      );
    });
  return (
    <svg className="ribbon-drawing" aria-hidden="true">
      <svg x={percent((turn - from) / columns)} width={percent(1 / columns)}>
        <rect width="100%" height="100%" className="ribbon-here" />
      </svg>
      {axis.ticks.map((tick) => (
        <line
          key={tick}
          x2="100%"
          y1={y(tick)}
          y2={y(tick)}
          className={tick === 0 ? "ribbon-zero" : undefined}
        />
      ))}
      {each((h) => (
        <>
          {!truth && <Bar value={turns[h]!.reward} mark="reward" axis={axis} />}
          <Bar value={turns[h]!.delta} mark="delta" axis={axis} />
        </>
      ))}
      {!truth && line((h) => turns[h]!.return, "return")}
      {line((h) => turns[h]!.value, "value")}
      {truth && line((h) => truth[h]?.value ?? null, "truth")}
      {truth && each((h) => truth[h] && <Truth truth={truth[h]} axis={axis} />)}
    </svg>
  );
}

/** From 0 to the value. */
function Bar({ value, mark, axis }: { value: number | null; mark: string; axis: RibbonAxis }) {
  if (value === null) return null;
  const { y, size } = placeOn(axis);
  const sign = mark === "reward" ? "" : value < 0 ? "-minus" : "-plus";
  const name = `ribbon-${mark}${sign}`;
  return <rect y={y(Math.max(0, value))} height={size(Math.abs(value))} className={name} />;
}

function Truth({ truth: { value, valueInterval }, axis }: { truth: TurnTruth; axis: RibbonAxis }) {
  if (![value, ...valueInterval].every(Number.isFinite)) return null;
  const { y } = placeOn(axis);
  const [low, high] = valueInterval.map(y);
  return (
    <g className="ribbon-truth">
      <line x1="50%" x2="50%" y1={low} y2={high} />
      {[low, high].map((end, i) => (
        <At key={i} y={end}>
          <path d="M-4,0H4" />
        </At>
      ))}
      <At y={y(value)}>
        <Point mark="truth" />
      </At>
    </g>
  );
}

const isKnown = (value: number | null): value is number => value !== null && Number.isFinite(value);

/** In the middle of a column. */
const At = ({ y, children }: { y: string | undefined; children: ReactNode }) => (
  <svg x="50%" y={y} overflow="visible">
    {children}
  </svg>
);

interface MarkProps {
  mark: RibbonMark;
  /** Whose line it is: it has its method's colour and marker. */
  critic?: Critic | null;
}

const styleOf = (critic: Critic | null | undefined) => (critic ? lineStyle(critic.name) : null);

type Ends = Record<"x1" | "x2" | "y1" | "y2", string>;

const Line = ({ mark, critic, ...ends }: MarkProps & Ends) => (
  <line
    {...ends}
    className={`ribbon-${mark}-line`}
    stroke={mark === "value" ? styleOf(critic)?.colour : undefined}
  />
);

/** A return is hollow: from one episode only. Truth is a diamond in ink, as everywhere. */
function Point({ mark, critic }: MarkProps) {
  const style = styleOf(critic);
  if (mark === "return") return <path d="M0-5l5,5l-5,5l-5-5z" className="ribbon-came" />;
  if (mark === "truth") return <MarkerShape marker="diamond" cx={0} cy={0} colour="var(--ink)" />;
  return style && <MarkerShape {...style} cx={0} cy={0} />;
}

/** The axis, in the column of the row headers. */
export function RibbonTicks({ axis }: { axis: RibbonAxis }) {
  const { y } = placeOn(axis);
  return (
    <svg className="ribbon-drawing" aria-hidden="true">
      {axis.ticks.map((tick) => (
        <text key={tick} x="100%" y={y(tick)} dx="-0.4rem" dy="0.25rem" textAnchor="end">
          {/* Without trailing zeros. */}
          {formatNumber(tick)
            .replace(/(\.\d*?)0+$/, "$1")
            .replace(/\.$/, "")}
        </text>
      ))}
    </svg>
  );
}

/** The marks of the chart with their words. */
export function RibbonLegend({ legend, view: { critic } }: RibbonShown) {
  return (
    <ul className="stacks-legend" aria-label={words.legend} data-testid="ribbon-legend">
      {legend.map(({ mark, name }) => (
        <li key={mark}>
          <svg width="28" height="16" aria-hidden="true">
            {mark === "reward" && <rect y="0" height="16" className="ribbon-reward" />}
            {mark === "delta" ? (
              <>
                <rect y="0" height="10" className="ribbon-delta-plus" />
                <rect y="6" height="10" className="ribbon-delta-minus" />
              </>
            ) : (
              mark !== "reward" && (
                <>
                  <Line {...{ mark, critic }} x1="0" x2="28" y1="50%" y2="50%" />
                  <At y="50%">
                    {mark === "truth" && <path d="M0-7V7M-4-7H4M-4,7H4" className="ribbon-truth" />}
                    <Point {...{ mark, critic }} />
                  </At>
                </>
              )
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
