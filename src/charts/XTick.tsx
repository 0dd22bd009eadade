/**
 * A number along x. Where they would touch, only every so manieth is written. Lengths are estimated: measuring a text
 * lays the whole page out, a tenth of a second where many panels are open.
 */
import { usePlotArea, type XAxisTickContentProps } from "recharts";
import { greatest } from "../numeric/lists.ts";

/** Pixels of a character at the axis' size, and between two texts. */
const CHARACTER = 7;
const GAP = 10;

/** Of texts that share a width, each so manieth has room. */
export function tickStep(texts: readonly string[], width: number): number {
  const longest = greatest([0, ...texts.map((text) => text.length)]) * CHARACTER + GAP;
  const room = width / Math.max(1, texts.length - 1);
  return Math.max(1, Math.ceil(longest / Math.max(1, room)));
}

interface XTickProps extends Pick<XAxisTickContentProps, "x" | "y" | "index"> {
  /** Of all ticks. */
  texts: readonly string[];
}

export function XTick({ x, y, index, texts }: XTickProps) {
  const area = usePlotArea();
  if (!area || index % tickStep(texts, area.width) !== 0) return null;
  return (
    <text x={x} y={y} dy="0.71em" textAnchor="middle" fontSize={12} fill="var(--ink-2)">
      {texts[index]}
    </text>
  );
}
