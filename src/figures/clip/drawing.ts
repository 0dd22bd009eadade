/** A histogram of log-ratios as marks: bars, the clip's band behind them, and its edges in front. */
import { greatest } from "../../numeric/lists.ts";
import { formatNumber, shorten } from "../../numeric/format.ts";
import type { Band } from "../../method/clip/band.ts";
import { binEdge } from "../../algorithm/ratioHistogram.ts";
import type { Histogram } from "../../record/runEvent.ts";
import type { ChartBlock, ChartMark } from "../figure.ts";
import { bandPlaces, isBeyond, type Places } from "./band.ts";
import { words } from "./words.ts";

/** Least height of a bar, as a share of the highest: even small counts stay visible. */
const LEAST = 1 / 115;

/** Bars, the band behind them, and its edges in front. */
export function drawing(
  counts: Histogram,
  band: Band | null,
  log: boolean,
): Pick<ChartBlock, "kind" | "x" | "y" | "marks"> {
  const places = bandPlaces(counts, band);
  const { from, to, inner, edge } = places;
  const size = (n: number) => (log ? Math.log1p(n) : n);
  const top = Math.max(size(greatest(counts.counts)), 1e-9);
  const bars = counts.counts.map((n, i) => ({
    from: edge(i),
    to: edge(i + 1),
    y: n === 0 ? 0 : Math.max(LEAST * top, size(n)),
    beyond: band !== null && isBeyond(band, binEdge(counts, i), binEdge(counts, i + 1)),
  }));
  const [first, last] = inner;
  return {
    kind: "chart",
    x: {
      domain: [from, to],
      unit: "signed",
      ticks: [first, first / 2, 0, last / 2, last],
    },
    y: { domain: [0, top], ticks: [] },
    marks: [
      ...(band ? [area(band, places)] : []),
      { as: "bars", bars },
      ...(band ? edges(band, places) : []),
    ],
  };
}

const isInside = (d: number | null, { from, to }: Places): d is number =>
  d !== null && from <= d && d <= to;

/** The ratios that keep their gradient on either side. */
const area = ({ low, high }: Band, places: Places): ChartMark => ({
  as: "band",
  from: isInside(low, places) ? low : places.from,
  to: isInside(high, places) ? high : places.to,
});

/** Share of the axis that the name of an edge takes outside of the band. */
const NAME = 0.18;

/** The band's edges with their ratios, and the edge of dual clip. */
function edges({ low, high, dual }: Band, places: Places): ChartMark[] {
  const at = (d: number) => (d - places.from) / (places.to - places.from);
  const named = (x: number, side: "start" | "end"): ChartMark => ({
    as: "edge",
    x,
    side,
    name: words.edge(shorten(formatNumber(Math.exp(x)))),
  });
  return [
    ...(isInside(low, places) ? [named(low, at(low) < NAME ? "start" : "end")] : []),
    ...(isInside(high, places) ? [named(high, at(high) > 1 - NAME ? "end" : "start")] : []),
    ...(isInside(dual, places) ? [{ as: "edge", x: dual, dotted: true } as const] : []),
  ];
}
