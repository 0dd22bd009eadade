/** A point of a method's line: every method has its own shape. */
import type { Marker } from "./palette.ts";

interface MarkerShapeProps {
  marker: Marker;
  cx: number;
  cy: number;
  colour: string;
}

/** Around 0, within 4 px. */
const SHAPES: Record<Marker, string> = {
  square: "M-3.5-3.5h7v7h-7z",
  triangle: "M0-4.5L4.5 3.5h-9z",
  circle: "M-3.75 0a3.75 3.75 0 1 0 7.5 0a3.75 3.75 0 1 0-7.5 0z",
  down: "M0 4.5L4.5-3.5h-9z",
  cross: "M-3.5-3.5L3.5 3.5M3.5-3.5L-3.5 3.5",
  ring: "M-3.25 0a3.25 3.25 0 1 0 6.5 0a3.25 3.25 0 1 0-6.5 0z",
  frame: "M-3-3h6v6h-6z",
  hexagon: "M-4.25 0L-2.1-3.7h4.2L4.25 0L2.1 3.7h-4.2z",
  bar: "M-1.5-4.5h3v9h-3z",
  diamond: "M0-5L5 0L0 5L-5 0z",
};

/** Drawn as a line around the page's colour. */
const HOLLOW: readonly string[] = ["cross", "ring", "frame"];

export function MarkerShape({ marker, cx, cy, colour }: MarkerShapeProps) {
  const hollow = HOLLOW.includes(marker);
  return (
    <path
      transform={`translate(${cx} ${cy})`}
      d={SHAPES[marker]}
      fill={hollow ? "var(--page)" : colour}
      stroke={hollow ? colour : "var(--page)"}
      strokeWidth={hollow ? 2 : 1}
    />
  );
}
