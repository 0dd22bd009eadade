/** Shapes of the lines from a formula's term to the cells its number came from; pure geometry, in pixels. */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A cell, or several above one another. */
interface Target {
  box: Box;
  /** The visible part of its table. */
  frame: Box;
  cells: number;
}

type Side = "up" | "down" | "left" | "right";

export interface Connector {
  from: readonly [x: number, y: number];
  to: readonly [x: number, y: number];
  /** Whether it leaves the term up or down, not to a side. */
  upright: boolean;
  /** The visible part of the target. */
  seen: Box | null;
  /** For a hidden target: its direction from the line's end. Null if the line ends at it. */
  beyond: Side | null;
  cells: number;
}

/** Parts of one SVG. */
export interface Drawing {
  lines: string;
  dots: string;
  /** Around targets. */
  frames: string;
  arrows: string;
  /** How many cells an arrow means, if more than one. */
  counts: readonly { x: number; y: number; text: string }[];
}

/** Half an arrow's width. */
const ARROW = 6;
/** Shorter ones are invisible. */
const SLIVER = 5;
/** Cells that are as far apart are above one another. */
const GAP = 2;
/** How far a line bends, as a share of its height. */
const BEND = 0.45;

const middle = (a: number, b: number) => (a + b) / 2;
const center = ({ left, right, top, bottom }: Box) =>
  [middle(left, right), middle(top, bottom)] as const;
const clamp = (x: number, low: number, high: number) => Math.max(low, Math.min(x, high));

/** The intersection of two boxes; null if empty. */
function shared(a: Box, b: Box): Box | null {
  const box = {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
  return box.left < box.right && box.top < box.bottom ? box : null;
}

/** Cells above one another as one: a term may come from a hundred tokens. In the order of the page. */
export function stacked(cells: readonly Target[]): Target[] {
  const stacks: Target[] = [];
  for (const cell of cells) {
    const above = stacks.find(({ box }) => isBelow(cell.box, box));
    if (!above) stacks.push({ ...cell });
    else {
      above.box = { ...above.box, bottom: cell.box.bottom };
      above.cells += cell.cells;
    }
  }
  return stacks;
}

function isBelow(cell: Box, box: Box): boolean {
  const isColumn = Math.abs(cell.left - box.left) < GAP && Math.abs(cell.right - box.right) < GAP;
  return isColumn && Math.abs(cell.top - box.bottom) < GAP;
}

/**
 * From a term to its target. `frame` is the visible part of the term's formula, `view` that of the
 * window. Null if neither end is visible.
 */
export function joined(from: Box, frame: Box, target: Target, view: Box): Connector | null {
  const seenFrom = shared(frame, view);
  const seenFrame = shared(target.frame, view);
  if (!seenFrom && !seenFrame) return null;
  const seen = seenFrame && seenOf(target.box, seenFrame);
  const { start, end, upright } = anchors(from, seen ?? target.box);
  const hidden = center(target.box);
  const to = seen ? end : clamped(hidden, seenFrame ?? view);
  const beyond = seen ? null : sideOf(to, hidden);
  return { from: clamped(start, seenFrom ?? view), to, upright, seen, beyond, cells: target.cells };
}

function seenOf(box: Box, frame: Box): Box | null {
  const seen = shared(box, frame);
  const isSliver = seen && Math.min(seen.right - seen.left, seen.bottom - seen.top) < SLIVER;
  return isSliver ? null : seen;
}

/** Where a line leaves its term and meets its cell: at the facing sides. */
function anchors(from: Box, to: Box) {
  const [[x, y], [cellX, cellY]] = [center(from), center(to)];
  type Ends = { start: [number, number]; end: [number, number]; upright: boolean };
  if (to.top >= from.bottom)
    return { start: [x, from.bottom], end: [cellX, to.top], upright: true } as Ends;
  if (to.bottom <= from.top)
    return { start: [x, from.top], end: [cellX, to.bottom], upright: true } as Ends;
  const isRight = cellX >= x;
  const start = [isRight ? from.right : from.left, y];
  return { start, end: [isRight ? to.left : to.right, cellY], upright: false } as Ends;
}

function clamped([x, y]: readonly [number, number], box: Box): [number, number] {
  return [clamp(x, box.left, box.right), clamp(y, box.top, box.bottom)];
}

/** The direction to where the line should have ended. */
function sideOf([x, y]: readonly [number, number], end: readonly [number, number]): Side {
  const [dx, dy] = [end[0] - x, end[1] - y];
  if (Math.abs(dy) >= Math.abs(dx)) return dy > 0 ? "down" : "up";
  return dx > 0 ? "right" : "left";
}

/** Their SVG relative to the corner `origin`; lines that end at the same arrow are drawn once. */
export function drawn(lines: readonly Connector[], origin: Pick<Box, "left" | "top">): Drawing {
  const groups = new Map<string, Connector>();
  for (const line of lines.map((one) => moved(one, origin))) {
    const key = JSON.stringify([line.from, line.to, line.beyond]);
    const cells = (groups.get(key)?.cells ?? 0) + line.cells;
    groups.set(key, { ...line, cells });
  }
  const all = [...groups.values()];
  const away = all.filter(({ beyond }) => beyond !== null);
  return {
    lines: all.map(curve).join(""),
    dots: all.map(({ from }) => dot(from)).join(""),
    frames: all.map(({ seen }) => (seen ? rectangle(seen) : "")).join(""),
    arrows: away.map(({ to, beyond }) => arrow(to, beyond!)).join(""),
    counts: away
      .filter(({ cells }) => cells > 1)
      .map(({ to, cells }) => ({ x: to[0] + 2 * ARROW, y: to[1] - 2, text: `${cells}` })),
  };
}

function moved(
  { from, to, seen, ...rest }: Connector,
  { left, top }: Pick<Box, "left" | "top">,
): Connector {
  const by = ([x, y]: readonly [number, number]) =>
    [Math.round(x - left), Math.round(y - top)] as const;
  const [corner, end] = seen
    ? [by([seen.left, seen.top]), by([seen.right, seen.bottom])]
    : [null, null];
  const box = corner && { left: corner[0], top: corner[1], right: end[0], bottom: end[1] };
  return { ...rest, from: by(from), to: by(to), seen: box };
}

const rectangle = ({ left, top, right, bottom }: Box) =>
  `M${left} ${top}H${right}V${bottom}H${left}Z`;

function curve({ from: [x, y], to: [endX, endY], upright }: Connector): string {
  const bend = BEND * (upright ? endY - y : endX - x);
  const [first, second] = upright
    ? [`${x} ${y + bend}`, `${endX} ${endY - bend}`]
    : [`${x + bend} ${y}`, `${endX - bend} ${endY}`];
  return `M${x} ${y}C${first} ${second} ${endX} ${endY}`;
}

/** Drawn by a broad pen with a round point. */
const dot = ([x, y]: readonly [number, number]) => `M${x} ${y}h0`;

function arrow([x, y]: readonly [number, number], side: Side): string {
  const [dx, dy] = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }[side] as [
    number,
    number,
  ];
  const foot = (sign: number) =>
    `${x - ARROW * dx + sign * ARROW * dy} ${y - ARROW * dy + sign * ARROW * dx}`;
  return `M${x + ARROW * dx} ${y + ARROW * dy}L${foot(1)}L${foot(-1)}Z`;
}
