/** Points as paths: lines with gaps, bands, and points that no line shows. */
import type { BandPoint } from "../figures/curves/curve.ts";
import type { Point } from "../numeric/downsample.ts";
import type { Scale } from "../numeric/scale.ts";

/** An SVG path through points; gaps, and places that a scale does not have, break it. */
export function curvePath(points: readonly Point[], x: Scale, y: Scale): string {
  let path = "";
  let pen = "M";
  for (const point of points) {
    const [left, top] = [x.at(point.x), point.y === null ? NaN : y.at(point.y)];
    if (!Number.isFinite(left) || !Number.isFinite(top)) {
      pen = "M";
      continue;
    }
    path += `${pen}${round(left)},${round(top)}`;
    pen = "L";
  }
  return path;
}

/** Points that stand between two gaps: a line would not show them. */
export function lonelyPoints(points: readonly Point[]): Point[] {
  const isGap = (i: number) => (points[i]?.y ?? null) === null;
  return points.filter((_, i) => !isGap(i) && isGap(i - 1) && isGap(i + 1));
}

/** The closed shape of a band, one piece for each stretch without a gap. */
export function bandPath(band: readonly BandPoint[], x: Scale, y: Scale, floor: number): string {
  const height = (value: number) => (Number.isFinite(y.at(value)) ? y.at(value) : floor);
  return stretches(band)
    .map((piece) => {
      const upper = piece.map((p) => `${round(x.at(p.x))},${round(height(p.high))}`);
      const lower = piece.map((p) => `${round(x.at(p.x))},${round(height(p.low))}`).reverse();
      return `M${[...upper, ...lower].join("L")}Z`;
    })
    .join("");
}

function stretches(band: readonly BandPoint[]): BandPoint[][] {
  const pieces: BandPoint[][] = [[]];
  for (const point of band) {
    if (Number.isFinite(point.low) && Number.isFinite(point.high)) pieces.at(-1)!.push(point);
    else pieces.push([]);
  }
  return pieces.filter((piece) => piece.length > 0);
}

const round = (value: number) => Math.round(value * 10) / 10;
