/** A turn's bar, as wide as its tokens and as high as its number, over a cell for each of them; and its ratio on a log axis. */
import type { CSSProperties } from "react";
import type { SignedScale, SignedTone } from "../charts/signedScale.ts";
import type { TurnRatios } from "../figures/figure.ts";
import "./strip.css";

interface StripProps {
  /** Of the turn. */
  tone: SignedTone;
  values: readonly (number | null)[];
  scale: SignedScale;
  /** Tokens of the longest turn. */
  longest: number;
  /** The token at the cursor. */
  here: number | null;
}

/** Heights of a cell, and with the mark below the token at the cursor. */
const CELL = 11;
const WHOLE = 14;

export function Strip({ tone, values, scale, longest, here }: StripProps) {
  const runs = runsOf(values.map((value) => scale(value ?? NaN)));
  const minus = runs.filter(({ sign }) => sign === "negative");
  const style = { width: `${(100 * values.length) / longest}%`, "--strength": tone.strength };
  return (
    <span className="strip" style={style as CSSProperties} aria-hidden="true">
      <span className="strip-bar" data-bar={tone.sign} />
      <svg viewBox={`0 0 ${values.length} ${WHOLE}`} preserveAspectRatio="none">
        {runs.map(({ at, count, sign, strength }) => (
          <rect
            key={at}
            x={at}
            width={count}
            height={CELL}
            className={`strip-${sign}`}
            fillOpacity={0.15 + 0.85 * strength}
          />
        ))}
        {/* The sign without colour: lines across. */}
        <path d={minus.map(({ at, count }) => `M${at} 3h${count}M${at} 8h${count}`).join("")} />
        {here !== null && <rect className="strip-here" x={here} y={CELL} width={1} height={3} />}
      </svg>
    </span>
  );
}

interface ToneRun extends SignedTone {
  at: number;
  count: number;
}

/** Neighbours of one tone are one rectangle. */
function runsOf(tones: readonly SignedTone[]): ToneRun[] {
  const runs: ToneRun[] = [];
  tones.forEach((tone, at) => {
    const last = runs.at(-1);
    if (last && last.sign === tone.sign && last.strength === tone.strength) last.count++;
    else runs.push({ ...tone, at, count: 1 });
  });
  return runs;
}

/** The axis goes from one eighth to eight times. */
const placeOf = (ratio: number) =>
  `${(100 * (Math.log2(Math.min(8, Math.max(1 / 8, ratio))) + 3)) / 6}%`;

export function RatioMarks({ product, mean, band }: TurnRatios) {
  const reading = ({ name, says, more }: TurnRatios["mean"]) => (
    <span>
      {name} <b>{says}</b> {more}
    </span>
  );
  return (
    <span className="ratios">
      <span className="ratio-axis" aria-hidden="true">
        {band && (
          <i
            className="ratio-band"
            style={{ left: placeOf(band[0]), right: `calc(100% - ${placeOf(band[1])})` }}
          />
        )}
        <i className="ratio-mean" style={{ left: placeOf(mean.value) }} />
        <i className="ratio-product" style={{ left: placeOf(product.value) }} />
      </span>
      {reading(product)} {reading(mean)}
    </span>
  );
}
