/** How wide a turn's column is: as wide as it may be where all columns fit beside the row headers. */
import { useLayoutEffect, useState, type RefObject } from "react";

/** Pixels of a turn's column at most and at least: a board and its words must stay readable. */
const WIDEST = 148;
const NARROWEST = 80;
/** Width of the row headers. */
export const HEAD = 104;

/** `columns`: of the turns and of the end; `room`: pixels for the whole table, 0 where that is not known. */
export function columnWidth(room: number, columns: number): number {
  if (room === 0) return WIDEST;
  const fitting = Math.floor((room - HEAD) / columns);
  // What does not fit in any case is scrolled, and may as well be read in comfort.
  return fitting < NARROWEST ? WIDEST : Math.min(WIDEST, fitting);
}

/** Follows the width of the box that the table scrolls in. */
export function useColumn(box: RefObject<HTMLElement | null>, columns: number): number {
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() => setRoom(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return columnWidth(room, columns);
}
