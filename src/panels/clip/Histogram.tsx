/** Counts of log-ratios as bars, with the clip's band behind them. Bars beyond the band are hatched, not only red. */
import { useId } from "react";
import { formatNumber, formatSigned, shorten } from "../../numeric/format.ts";
import { greatest } from "../../numeric/lists.ts";
import type { Band } from "../../objective/clipBand.ts";
import { binEdge } from "../../objective/ratioHistogram.ts";
import type { Histogram } from "../../record/runEvent.ts";
import type { Settings } from "../../spec/axes.ts";
import { countBeyond, isBeyond, bandPlaces, type Places } from "./band.ts";
import { count, describeHistogram } from "./describe.ts";
import { words } from "./words.ts";

const WIDTH = 360;
const HEIGHT = 150;
/** Left for the axis below and the labels above. */
const FOOT = 20;
const HEAD = 16;
const SIDE = 12;

interface HistogramFigureProps {
  histogram: Histogram;
  unit: "token" | "turn";
  /** The band where the clip acts at this level. */
  band: Band | null;
  /** How a turn's tokens become one log-ratio. */
  pooled: string;
  logCounts: boolean;
  /** The clip's rule; null where the run does not say it. */
  rule: Settings["clip"] | null;
}

export function HistogramFigure(props: HistogramFigureProps) {
  const { histogram, unit, band, pooled } = props;
  const titleId = useId();
  const here = band?.level === unit;
  const text = describeHistogram(histogram, unit, band);
  const most = greatest(histogram.counts);
  return (
    <figure className="clip-figure" aria-labelledby={titleId} data-testid={`clip-${unit}`}>
      <figcaption>
        <h4 id={titleId}>{words.histogram[unit]}</h4>
        <p className="chart-hint">
          {unit === "turn" && `${pooled}; `}
          {/* Without the run's settings nobody knows where its clip acts. */}
          {band && `${here ? words.clipHere : words.clipElsewhere}; `}
          {words.axis}
        </p>
      </figcaption>
      {most === 0 ? (
        <p className="note">{words.noCounts(words.units[unit])}</p>
      ) : (
        <>
          <div role="img" aria-label={`${words.histogram[unit]}. ${text}`}>
            <Drawing {...props} band={here ? band : null} />
          </div>
          <p className="note prose-note">
            {text} {words.most(count(most))} {here && sayHatched(props)} {sayGathered(histogram)}
          </p>
        </>
      )}
    </figure>
  );
}

/** What hatched bars mean; nothing where there are none. */
function sayHatched({ histogram, band, rule }: HistogramFigureProps): string {
  if (!band || countBeyond(histogram, band).n === 0) return "";
  if (rule === "weight") return words.hatched;
  return band.dual === null ? words.hatchedRange : words.hatchedDual;
}

function sayGathered({ inner, limit }: Histogram): string {
  if (!inner || limit <= Math.min(-inner[0], inner[1])) return "";
  return words.gathered(formatSigned(inner[0]), formatSigned(inner[1]));
}

/** From a count to a height. */
function heightScale(counts: readonly number[], logCounts: boolean): (n: number) => number {
  const size = (n: number) => (logCounts ? Math.log1p(n) : n);
  const most = Math.max(size(greatest(counts)), 1e-9);
  return (n) => (size(n) / most) * (HEIGHT - HEAD - FOOT);
}

function Drawing({ histogram, band, logCounts }: HistogramFigureProps) {
  const hatch = useId();
  const places = bandPlaces(histogram, band);
  const { from: first, to: last, edge } = places;
  const x = (d: number) => SIDE + ((d - first) / (last - first)) * (WIDTH - 2 * SIDE);
  const height = heightScale(histogram.counts, logCounts);
  const base = HEIGHT - FOOT;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="clip-drawing">
      <defs>
        <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse">
          <rect width="4" height="4" className="clip-hatch-ground" />
          <path d="M-1,1l2,-2M0,4l4,-4M3,5l2,-2" className="clip-hatch" />
        </pattern>
      </defs>
      {band && <BandArea band={band} places={places} x={x} base={base} />}
      {histogram.counts.map((n, i) => {
        const [from, to] = [binEdge(histogram, i), binEdge(histogram, i + 1)];
        if (n === 0) return null;
        const beyond = band !== null && isBeyond(band, from, to);
        // What is there stays visible, however few.
        const tall = Math.max(1, height(n));
        return (
          <rect
            key={i}
            x={x(edge(i)) + 0.4}
            width={Math.max(0.6, x(edge(i + 1)) - x(edge(i)) - 0.8)}
            y={base - tall}
            height={tall}
            className={beyond ? "clip-bar-beyond" : "clip-bar"}
            {...(beyond && { fill: `url(#${hatch})` })}
          />
        );
      })}
      {band && <BandEdges band={band} places={places} x={x} base={base} />}
      <line x1={SIDE} x2={WIDTH - SIDE} y1={base} y2={base} className="clip-axis" />
      <Ticks places={places} x={x} base={base} />
    </svg>
  );
}

interface PlaceProps {
  places: Places;
  x: (d: number) => number;
  base: number;
}

function Ticks({ places: { inner, from, to }, x, base }: PlaceProps) {
  const [first, last] = inner;
  // Gathered bars end nowhere.
  const atEnd = (i: number) => (i === 0 && first === from) || (i === 4 && last === to);
  return [first, first / 2, 0, last / 2, last].map((d, i) => (
    <g key={i}>
      <line x1={x(d)} x2={x(d)} y1={base} y2={base + 4} className="clip-axis" />
      <text
        x={x(d)}
        y={HEIGHT - 4}
        textAnchor={!atEnd(i) ? "middle" : i === 0 ? "start" : "end"}
        {...(atEnd(i) && { dx: i === 0 ? -SIDE + 2 : SIDE - 2 })}
      >
        {d === 0 ? "0" : shorten(formatSigned(Number(d.toPrecision(2))))}
      </text>
    </g>
  ));
}

interface BandProps extends PlaceProps {
  band: Band;
}

const inside = (d: number | null, { from, to }: Places) => d !== null && from <= d && d <= to;

/** The ratios that keep their gradient on either side. */
function BandArea({ band: { low, high }, places, x, base }: BandProps) {
  const from = inside(low, places) ? x(low!) : SIDE;
  const to = inside(high, places) ? x(high!) : WIDTH - SIDE;
  const width = Math.max(0, to - from);
  return <rect x={from} width={width} y={HEAD} height={base - HEAD} className="clip-band" />;
}

/** Room for an edge's name outside of the band. */
const NAME = 72;

/** The band's edges with their ratios, and the edge of dual clip; in front of the bars. */
function BandEdges({ band: { low, high, dual }, places, x, base }: BandProps) {
  const edge = (d: number | null, anchor: "start" | "end") =>
    inside(d, places) && (
      <>
        <line x1={x(d!)} x2={x(d!)} y1={HEAD - 2} y2={base} className="clip-edge" />
        <text x={x(d!)} y={11} textAnchor={anchor}>
          {words.edge(shorten(formatNumber(Math.exp(d!))))}
        </text>
      </>
    );
  return (
    <g>
      {edge(low, low !== null && x(low) < NAME ? "start" : "end")}
      {edge(high, high !== null && x(high) > WIDTH - NAME ? "end" : "start")}
      {inside(dual, places) && (
        <line x1={x(dual!)} x2={x(dual!)} y1={HEAD} y2={base} className="clip-dual" />
      )}
    </g>
  );
}
