/** The ribbon chart's one vertical axis: rewards, values, returns, TD errors and truths are all in reward units. */
import { niceTicks, ticksWithin } from "../../charts/axis.ts";
import { greatest, least } from "../../numeric/lists.ts";
import type { RibbonView } from "./ribbonView.ts";

export interface ChartScale {
  /** Ascending, within what is drawn; 0 is one of them. */
  ticks: number[];
  height: number;
  y: (value: number) => number;
}

/** Above and below what is drawn, for marks and words. */
const PAD = 8;

/** Fits what is drawn of all turns of the episode, in sight or not, and 0. */
export function chartScale({ turns, truth }: RibbonView, height: number): ChartScale {
  const numbers = [
    0,
    ...turns.flatMap(({ value, delta }) => [value, delta]),
    ...(truth ? [] : turns.flatMap((turn) => [turn.reward, turn.return])),
    ...(truth ?? []).flatMap(({ value, valueInterval }) => [value, ...valueInterval]),
  ].filter((x): x is number => x !== null && Number.isFinite(x));
  const ends = [least(numbers), greatest(numbers)] as const;
  const isFlat = ends[0] === ends[1];
  const ticks = isFlat ? niceTicks(...ends) : ticksWithin(ends);
  const [low, high] = isFlat ? [ticks[0]!, ticks.at(-1)!] : ends;
  const unit = (height - 2 * PAD) / (high - low);
  return { ticks, height, y: (value) => height - PAD - (value - low) * unit };
}

/** A line through the points that are there: a gap where one is not. */
export function linePath(points: readonly { x: number; y: number | null }[]): string {
  let pen = "M";
  const parts = points.map(({ x, y }) => {
    const part = y === null ? "" : `${pen}${x},${y.toFixed(1)}`;
    pen = y === null ? "M" : "L";
    return part;
  });
  return parts.join("");
}
