/** What charts side by side share: where they are read, the cursor's position, selection and zoom. */
import { createContext, useSyncExternalStore } from "react";
import type { Window } from "../numeric/scale.ts";

export interface ChartSync {
  subscribe(listener: () => void): () => void;
  /** Where the charts are read, on x; null when nobody points at them. */
  reading(): number | null;
  /** Position of the page's cursor on x. */
  mark(): number | null;
  /** The stretch of x that is selected; null when none is. */
  brush(): Window | null;
  select(stretch: Window | null): void;
  read(x: number | null): void;
  /** Null shows all. */
  zoom(domain: Window | null): void;
  /** Moves the page's cursor to a point of a curve. */
  choose(curve: string, iteration: number): void;
}

/** Of the charts of iterations around; null if x is something else. */
export const IterationSync = createContext<ChartSync | null>(null);

/** One chart's share of it: it does not change while the chart is out of sight, and then catches up. */
interface OwnSync extends ChartSync {
  setVisible(visible: boolean): void;
}

export function whileVisible(sync: ChartSync): OwnSync {
  let visible = true;
  const state = () => ({ reading: sync.reading(), mark: sync.mark(), brush: sync.brush() });
  let last = state();
  const listeners = new Set<() => void>();
  const now = () => {
    if (visible) last = state();
    return last;
  };
  return {
    ...sync,
    reading: () => now().reading,
    mark: () => now().mark,
    brush: () => now().brush,
    subscribe: (listener) => {
      listeners.add(listener);
      const stop = sync.subscribe(() => visible && listener());
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
    setVisible: (next) => {
      visible = next;
      if (visible) for (const listener of listeners) listener();
    },
  };
}

/** What is kept of charts that are read together: on x, null for nothing. */
export interface ChartPlace {
  reading: number | null;
  brush: Window | null;
  /** What is zoomed into. */
  domain: Window | null;
}

interface PlaceKeeper extends Pick<ChartSync, "subscribe" | "mark" | "choose"> {
  place(): ChartPlace;
  change(to: Partial<ChartPlace>): void;
  /** Whether x counts iterations: between two of them there is nothing. */
  isWhole(): boolean;
}

export function syncOf({ place, change, isWhole, ...rest }: PlaceKeeper): ChartSync {
  return {
    ...rest,
    reading: () => place().reading,
    brush: () => place().brush,
    select: (stretch) =>
      change({ brush: stretch && (isWhole() ? wholeWithin(stretch) : usable(stretch)) }),
    read: (x) => {
      const reading = isWhole() && x !== null ? Math.round(x) : x;
      if (reading !== place().reading) change({ reading });
    },
    zoom: (to) => change({ domain: to && usable(isWhole() ? wholeAround(to) : to) }),
  };
}

/** From the first whole number in a stretch to the last one; null if there are fewer than two. */
function wholeWithin(stretch: Window): Window | null {
  const [low, high] = [Math.ceil(stretch[0]), Math.floor(stretch[1])];
  return low < high ? [low, high] : null;
}

/** To the nearest whole numbers; less than one is widened to it. */
function wholeAround([low, high]: Window): Window {
  const [from, to] = [Math.round(low), Math.round(high)];
  return from < to ? [from, to] : [Math.floor(low), Math.ceil(high)];
}

/** A stretch too short to hold anything shows all instead. */
function usable([low, high]: Window): Window | null {
  return high - low > Math.abs(high) * 1e-6 ? [low, high] : null;
}

export function useBrush(sync: ChartSync): Window | null {
  return useSyncExternalStore(sync.subscribe, sync.brush);
}

export function useReading(sync: ChartSync): number | null {
  return useSyncExternalStore(sync.subscribe, sync.reading);
}

export function useMark(sync: ChartSync): number | null {
  return useSyncExternalStore(sync.subscribe, sync.mark);
}
