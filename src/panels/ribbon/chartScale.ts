/** The ribbon chart's one vertical axis: rewards, values, returns, TD errors and truths are all in reward units. */
import { niceTicks, ticksWithin } from "../../numeric/axis.ts";
import { greatest, least } from "../../numeric/lists.ts";
import type { RibbonView } from "./ribbonView.ts";

export interface ChartScale {
  /** Ascending, within what is drawn; 0 is one of them. */
  ticks: number[];
  height: number;
  y: (value: number) => number;
}

/** At type of 16 px: the chart, and a line of its axis. */
export const CHART_HEIGHT = 72;
const TICK_HEIGHT = 15;

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
  const line = (height / CHART_HEIGHT) * TICK_HEIGHT;
  const y = (value: number) => height - PAD - (value - low) * unit;
  return { ticks: apart(ticks, line / unit), height, y };
}

/** 0, and of the others the furthest from it first, those that are no nearer to each other; ascending. */
function apart(ticks: readonly number[], gap: number): number[] {
  const kept = [0];
  for (const tick of ticks.toSorted((a, b) => Math.abs(b) - Math.abs(a)))
    if (kept.every((other) => Math.abs(tick - other) >= gap)) kept.push(tick);
  return kept.sort((a, b) => a - b);
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
