/** Widths of the ribbon's columns: as wide as allowed if all fit beside the row headers. */
import { useLayoutEffect, useState, type RefObject } from "react";

// Pixels at 16 px type; with larger type all of them grow.

/** Wider columns only separate what belongs together. */
const WIDEST = 220;
/** If columns scroll anyway, they may have a comfortable width. */
const COMFORTABLE = 148;
/** A board and a number must stay readable, and the words of a page. */
export const NARROWEST = { board: 48, text: 80 } as const;
/** Of the row headers; on a phone they have only their symbols. */
const HEADS = { wide: 104, narrow: 72 } as const;
const PHONE = 480;

export interface RibbonSizes {
  /** Pixels of the row headers. */
  head: number;
  /** Pixels of a turn's column. */
  column: number;
  /** Type size in px, divided by 16. */
  unit: number;
}

interface TableRoom {
  /** Pixels of the whole table; 0 if unknown. */
  width: number;
  unit: number;
}

/** `columns`: of the turns and of the end; `narrowest`: minimum width of a column. */
export function ribbonSizes(
  { width, unit }: TableRoom,
  columns: number,
  narrowest: number,
): RibbonSizes {
  const isPhone = width > 0 && width < PHONE * unit;
  const head = unit * HEADS[isPhone ? "narrow" : "wide"];
  const fitting = Math.floor((width - head) / columns);
  const fits = width > 0 && fitting >= narrowest * unit;
  return { head, unit, column: fits ? Math.min(WIDEST * unit, fitting) : COMFORTABLE * unit };
}

/** Follows the width of the box that the table scrolls in, and the type size. */
export function useRibbonSizes(
  box: RefObject<HTMLElement | null>,
  columns: number,
  narrowest: number,
): RibbonSizes {
  const [room, setRoom] = useState<TableRoom>({ width: 0, unit: 1 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === "undefined") return;
    const measure = () => setRoom({ width: element.clientWidth, unit: typeUnit() });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return ribbonSizes(room, columns, narrowest);
}

function typeUnit(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;
}
