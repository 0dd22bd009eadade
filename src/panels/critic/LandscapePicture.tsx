/** The board with V written on each free square, coloured by how much better or worse it is than the player's square. */
import { toneBackground } from "../../charts/signedScale.ts";
import "./landscape.css";
import { describeLandscape, type Landscape, type Square } from "./landscape.ts";
import { words } from "./words.ts";

const UNIT = 54;

export function LandscapePicture({ landscape }: { landscape: Landscape }) {
  const { rows, columns, squares } = landscape;
  const label = `${words.landscape}. ${describeLandscape(landscape)}`;
  return (
    <svg
      viewBox={`0 0 ${columns * UNIT} ${rows * UNIT}`}
      className="critic-landscape"
      role="img"
      aria-label={label}
      data-testid="critic-landscape"
    >
      {squares.map((square) => (
        <g
          key={`${square.row} ${square.column}`}
          transform={`translate(${square.column * UNIT} ${square.row * UNIT})`}
        >
          <SquareShape square={square} />
        </g>
      ))}
    </svg>
  );
}

function SquareShape({ square: { cell, value, tone, here } }: { square: Square }) {
  if (cell === "wall") return <rect width={UNIT} height={UNIT} className="cell-wall" />;
  const ground = value === null ? "var(--floor)" : toneBackground(tone);
  const isBox = cell === "box" || cell === "box-on-target";
  return (
    <>
      <rect width={UNIT} height={UNIT} className="critic-floor" style={{ fill: ground }} />
      {(cell === "target" || cell === "box-on-target") && (
        <circle cx={UNIT / 2} cy={UNIT / 2} r={21} className="critic-target" />
      )}
      {isBox && <rect x={10} y={10} width={34} height={34} rx={3} className="cell-box" />}
      {here && <rect x={2.5} y={2.5} width={49} height={49} className="critic-here" />}
      {value !== null && (
        <text x={UNIT / 2} y={UNIT / 2 + 5} textAnchor="middle" style={{ stroke: ground }}>
          {short(value)}
        </text>
      )}
    </>
  );
}

/** Short enough for a square. */
function short(value: number): string {
  const size = Math.abs(value);
  const text =
    size < 9.995 ? value.toFixed(2) : size < 999.5 ? value.toFixed(1) : value.toExponential(0);
  return text.replace("-", "\u2212").replace(/^\u2212(?=0\.00$)/, "");
}
