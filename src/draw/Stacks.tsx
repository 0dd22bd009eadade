/** One bar per row, part after part. Patterns differ, not only greys. */
import { Fragment, useId } from "react";
import type { StacksBlock } from "../figures/figure.ts";
import { greatest } from "../numeric/lists.ts";

const WIDTH = 460;
const BAR = 22;

export function Stacks({ block: { title, hint, parts, rows } }: { block: StacksBlock }) {
  const most = greatest([...rows.map(({ whole }) => whole), 1e-9]);
  return (
    <section aria-label={title}>
      <h4>{title}</h4>
      <p className="chart-hint">{hint}</p>
      <ul className="stacks-legend">
        {parts.map((name, i) => (
          <li key={name}>
            <svg width="22" height="14" aria-hidden="true">
              <Piece x={0} width={22} height={14} kind={i} />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      <dl className="stacks">
        {rows.map((row) => (
          <Fragment key={row.name}>
            <dt>{row.name}</dt>
            <dd>
              <Bar row={row} most={most} />
              <span className="number">{row.total}</span>
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

function Bar({ row: { values, says }, most }: { row: StacksBlock["rows"][number]; most: number }) {
  const before = (i: number) => values.slice(0, i).reduce((sum, value) => sum + value, 0);
  const x = (value: number) => (value / most) * WIDTH;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${BAR}`} className="stacks-bar" role="img" aria-label={says}>
      {values.map((value, i) => (
        <Piece key={i} x={x(before(i))} width={x(value)} height={BAR} kind={i} />
      ))}
    </svg>
  );
}

interface PieceProps {
  x: number;
  width: number;
  height: number;
  /** Which part, from 0. */
  kind: number;
}

/** Solid, hatched, dotted, and so on. */
function Piece({ kind, ...place }: PieceProps) {
  const id = useId();
  if (kind % 3 === 0) return <rect {...place} className="stacks-solid" />;
  const marks = kind % 3 === 1 ? "M-1,1l2,-2M0,5l5,-5M4,6l2,-2" : "M1,1h1M3,3.5h1";
  return (
    <>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse">
        <path d={marks} className="stacks-marks" />
      </pattern>
      <rect {...place} fill={`url(#${id})`} className="stacks-edge" />
    </>
  );
}
