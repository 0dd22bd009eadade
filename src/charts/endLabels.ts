/** Labels at the ends of lines: which lines have one, how much room they take, and how they keep apart. */
import { greatest } from "../numeric/lists.ts";
import type { Curve } from "../figures/curves/curve.ts";

export interface EndLabel {
  id: string;
  name: string;
  /** The line's newest number, written. */
  value: string;
  /** The number itself, and where the line ends on x. */
  y: number;
  x: number;
}

/** How labels are written: a line for the name and one for the number, the number alone, or not at all. */
type LabelKind = "named" | "short" | "none";

export interface LabelPlan {
  kind: LabelKind;
  labels: readonly EndLabel[];
  /** Pixels that the labels need right of the plot. */
  room: number;
  /** Whether every line that is drawn is named by its label, so that a legend would say nothing more. */
  complete: boolean;
}

/** Lines that can be labelled; beyond that a legend is easier to read. */
const MOST = 6;
/** Pixels of a character, as wide as fallback fonts have it; and of the marker with the gaps around it. */
const CHARACTER = { name: 7.5, value: 7.2 };
const MARKER = 26;
/** Share of the chart's width that labels may take. */
const SHARE = 0.36;

/** Pixels from one label to the next. */
export const LABEL_HEIGHT: Record<LabelKind, number> = { named: 29, short: 15, none: 0 };

/** Characters that a number has room for at least: a plot keeps its size while its numbers grow. */
const NUMBER = 6;

/** The labels of a chart of a size, in pixels: a line that has no point yet has the room for its own. */
export function planLabels(
  curves: readonly Curve[],
  format: (value: number) => string,
  size: { width: number; height: number },
): LabelPlan {
  const lines = curves.filter(isMain);
  const labels = lines.flatMap((curve) => labelOf(curve, format));
  const longest = greatest([NUMBER, ...labels.map(({ value }) => value.length)]);
  const names = greatest(lines.map(({ name }) => name.length));
  const room = (kind: LabelKind) =>
    MARKER + Math.max(kind === "named" ? names * CHARACTER.name : 0, longest * CHARACTER.value);
  const fits = (kind: LabelKind) =>
    lines.length * LABEL_HEIGHT[kind] <= size.height - 30 && room(kind) <= size.width * SHARE;
  if (lines.length === 0 || lines.length > MOST) return NO_LABELS;
  const kind = KINDS.find(fits);
  if (!kind) return NO_LABELS;
  const complete = kind === "named" && namesAll(curves, labels);
  return { kind, labels, room: room(kind), complete };
}

const NO_LABELS: LabelPlan = { kind: "none", labels: [], room: 0, complete: false };

const KINDS = ["named", "short"] as const;

const isMain = ({ weight }: Curve) => weight !== "ghost" && weight !== "sender";

function labelOf({ id, name, x, y }: Curve, format: (value: number) => string): EndLabel[] {
  const last = y.findLastIndex((value) => value !== null);
  return last < 0 ? [] : [{ id, name, value: format(y[last]!), y: y[last]!, x: x[last]! }];
}

/**
 * Ghosts and bands have the name of a line beside them; what else is written of a line needs the legend. A line without a
 * point is not there yet: a legend for it would go again with its first one.
 */
function namesAll(curves: readonly Curve[], labels: readonly EndLabel[]): boolean {
  const names = new Set(labels.map(({ name }) => name));
  return curves.every(
    ({ name, weight, crashes, y }) =>
      (names.has(name) || y.every((value) => value === null)) &&
      weight !== "baseline" &&
      crashes.length === 0,
  );
}

/**
 * Places at least `gap` apart within the ends, in the order of those that were wanted and as near to them as can be: the
 * least sum of squared moves (pool adjacent violators). If there is too little room, they are `gap` apart, from the upper end.
 */
export function spreadOut(
  wanted: readonly number[],
  gap: number,
  [top, foot]: readonly [number, number],
): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  // Less the gaps above each, no place may be above the one before.
  const free = pooled(order.map((i, k) => wanted[i]! - k * gap));
  const last = Math.max(top, foot - (wanted.length - 1) * gap);
  const places: number[] = Array<number>(wanted.length).fill(0);
  order.forEach((i, k) => (places[i] = Math.min(last, Math.max(top, free[k]!)) + k * gap));
  return places;
}

/** The ascending numbers with the least sum of squared differences to these. */
function pooled(values: readonly number[]): number[] {
  const blocks: { sum: number; n: number }[] = [];
  for (const value of values) {
    let block = { sum: value, n: 1 };
    for (let before = blocks.at(-1); before; before = blocks.at(-1)) {
      if (before.sum / before.n <= block.sum / block.n) break;
      blocks.pop();
      block = { sum: before.sum + block.sum, n: before.n + block.n };
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ sum, n }) => Array<number>(n).fill(sum / n));
}
