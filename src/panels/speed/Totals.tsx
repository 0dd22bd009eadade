/** One bar a method: its time, phase after phase. Patterns differ, not only greys. */
import { Fragment, useId } from "react";
import { formatPercent } from "../../numeric/format.ts";
import { greatest } from "../../numeric/lists.ts";
import { titleOf } from "../../reading/titles.ts";
import { duration } from "./describe.ts";
import type { MethodSpeed } from "./timing.ts";
import { words } from "./words.ts";

const WIDTH = 460;
const BAR = 22;

interface TotalsProps {
  methods: readonly MethodSpeed[];
  /** All phases, in the order they are drawn. */
  phases: readonly string[];
}

export function Totals({ methods, phases }: TotalsProps) {
  const most = greatest([...methods.map(({ seconds }) => seconds), 1e-9]);
  return (
    <section aria-label={words.totals}>
      <h4>{words.totals}</h4>
      <p className="chart-hint">{words.totalsHint}</p>
      <ul className="speed-legend">
        {phases.map((name, i) => (
          <li key={name}>
            <svg width="22" height="14" aria-hidden="true">
              <Piece x={0} width={22} height={14} kind={i} />
            </svg>
            {words.phase(name)}
          </li>
        ))}
      </ul>
      <dl className="speed-bars">
        {methods.map((method) => (
          <Fragment key={method.algorithm}>
            <dt>{titleOf(method.algorithm)}</dt>
            <dd>
              <Bar method={method} phases={phases} most={most} />
              <span className="number">{duration(method.seconds)}</span>
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

function Bar({
  method,
  phases,
  most,
}: {
  method: MethodSpeed;
  phases: readonly string[];
  most: number;
}) {
  const ends = phases.reduce<number[]>(
    (sums, name) => [...sums, (sums.at(-1) ?? 0) + (method.phases[name] ?? 0)],
    [],
  );
  const x = (seconds: number) => (seconds / most) * WIDTH;
  const label = phases
    .map((name) =>
      words.share(
        words.phase(name),
        formatPercent((method.phases[name] ?? 0) / (method.seconds || 1)),
      ),
    )
    .join(", ");
  return (
    <svg viewBox={`0 0 ${WIDTH} ${BAR}`} className="speed-bar" role="img" aria-label={label}>
      {phases.map((name, i) => {
        const from = x(i === 0 ? 0 : ends[i - 1]!);
        return <Piece key={name} x={from} width={x(ends[i]!) - from} height={BAR} kind={i} />;
      })}
    </svg>
  );
}

interface PieceProps {
  x: number;
  width: number;
  height: number;
  /** Which phase, from 0. */
  kind: number;
}

/** Solid, hatched, dotted, and so on. */
function Piece({ kind, ...place }: PieceProps) {
  const id = useId();
  if (kind % 3 === 0) return <rect {...place} className="speed-solid" />;
  const marks = kind % 3 === 1 ? "M-1,1l2,-2M0,5l5,-5M4,6l2,-2" : "M1,1h1M3,3.5h1";
  return (
    <>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse">
        <path d={marks} className="speed-marks" />
      </pattern>
      <rect {...place} fill={`url(#${id})`} className="speed-edge" />
    </>
  );
}
