/** Shapes of the lines from a formula's term to the cells its number came from; pure geometry, in pixels. */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

type Side = "up" | "down" | "left" | "right";

export interface Line {
  from: readonly [x: number, y: number];
  to: readonly [x: number, y: number];
  /** Whether it leaves the term up or down, and not to a side. */
  upright: boolean;
  /** Where the cell is out of sight: which way it is from the line's end. Null where the line ends at it. */
  beyond: Side | null;
}

/** Parts of one SVG: all lines are drawn by a few paths, since a term may come from a hundred cells. */
export interface Drawing {
  lines: string;
  dots: string;
  arrows: string;
  /** How many cells are behind an arrow, where it is more than one. */
  counts: readonly { x: number; y: number; text: string }[];
}

/** Half an arrow's width. */
const ARROW = 6;
/** What is cut off by less is not out of sight. */
const SLACK = 2;
/** How far a line bends, of its height. */
const BEND = 0.45;

const middle = (a: number, b: number) => (a + b) / 2;
const clamp = (x: number, low: number, high: number) => Math.max(low, Math.min(x, high));

/** What two boxes share; null where that is nothing. */
export function shared(a: Box, b: Box): Box | null {
  const box = {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
  return box.left < box.right && box.top < box.bottom ? box : null;
}

/**
 * From a term to a cell. `frames` is what the term's formula and the cell's table let one see of them, `view` what
 * the window does. Null where neither end is in view.
 */
export function joined(from: Box, to: Box, frames: { from: Box; to: Box }, view: Box): Line | null {
  const { start, end, upright } = anchors(from, to);
  const seenFrom = shared(frames.from, view);
  const seenTo = shared(frames.to, view);
  if (!seenFrom && !seenTo) return null;
  const stop = clamped(end, seenTo ?? view);
  return {
    from: clamped(start, seenFrom ?? view),
    ...{ to: stop, upright, beyond: sideOf(stop, end) },
  };
}

/** Where a line leaves its term and meets its cell: at the sides that face each other. */
function anchors(from: Box, to: Box) {
  const [x, cellX] = [middle(from.left, from.right), middle(to.left, to.right)];
  const [y, cellY] = [middle(from.top, from.bottom), middle(to.top, to.bottom)];
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

/** Which way on it is to where the line should have ended; null where it did. */
function sideOf([x, y]: readonly [number, number], end: readonly [number, number]): Side | null {
  const [dx, dy] = [end[0] - x, end[1] - y];
  if (Math.abs(dx) <= SLACK && Math.abs(dy) <= SLACK) return null;
  if (Math.abs(dy) >= Math.abs(dx)) return dy > 0 ? "down" : "up";
  return dx > 0 ? "right" : "left";
}

/** Their SVG relative to the corner `origin`; lines that end at the same place with an arrow are drawn once. */
export function drawn(lines: readonly Line[], origin: Pick<Box, "left" | "top">): Drawing {
  const groups = new Map<string, { line: Line; count: number }>();
  for (const line of lines.map((one) => moved(one, origin))) {
    const key = JSON.stringify([line.from, line.to, line.beyond]);
    const count = groups.get(key)?.count ?? 0;
    groups.set(key, { line, count: count + 1 });
  }
  const all = [...groups.values()];
  const at = all.filter(({ line }) => line.beyond === null);
  const away = all.filter(({ line }) => line.beyond !== null);
  return {
    lines: all.map(({ line }) => curve(line)).join(""),
    dots: [...all.map(({ line }) => dot(line.from)), ...at.map(({ line }) => dot(line.to))].join(
      "",
    ),
    arrows: away.map(({ line }) => arrow(line.to, line.beyond!)).join(""),
    counts: away
      .filter(({ count }) => count > 1)
      .map(({ line: { to }, count }) => ({ x: to[0] + 2 * ARROW, y: to[1] - 2, text: `${count}` })),
  };
}

function moved({ from, to, ...rest }: Line, { left, top }: Pick<Box, "left" | "top">): Line {
  const by = ([x, y]: readonly [number, number]) =>
    [Math.round(x - left), Math.round(y - top)] as const;
  return { ...rest, from: by(from), to: by(to) };
}

function curve({ from: [x, y], to: [endX, endY], upright }: Line): string {
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
