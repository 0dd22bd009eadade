/** What charts side by side share: where they are read, where the cursor stands, what is selected and zoomed into. */
import { useState, useSyncExternalStore } from "react";
import type { Window } from "../numeric/scale.ts";

export interface ChartSync {
  subscribe(listener: () => void): () => void;
  /** Where the charts are read, on x; null when nobody points at them. */
  reading(): number | null;
  /** Where the page's cursor stands, on x. */
  mark(): number | null;
  /** The stretch of x that is selected; null when none is. */
  brush(): Window | null;
  select(stretch: Window | null): void;
  read(x: number | null): void;
  /** Null shows all. */
  zoom(domain: [number, number] | null): void;
  /** Moves the page's cursor to a point of a curve. */
  choose(curve: string, iteration: number): void;
}

/** One chart's share of it: while the chart is out of sight it stands still, and then catches up. */
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

/** For a chart of iterations that is read by itself, and where no cursor stands. */
export function useSingleSync(zoom: (to: Window | null) => void): ChartSync {
  const [sync] = useState(() => singleSync(zoom));
  return sync;
}

function singleSync(zoom: (to: Window | null) => void): ChartSync {
  let reading: number | null = null;
  let brush: Window | null = null;
  const listeners = new Set<() => void>();
  const say = () => {
    for (const listener of listeners) listener();
  };
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reading: () => reading,
    mark: () => null,
    brush: () => brush,
    select: (stretch) => {
      brush = wholeStretch(stretch);
      say();
    },
    read: (x) => {
      const next = x === null ? null : Math.round(x);
      if (next === reading) return;
      reading = next;
      say();
    },
    // Iterations are whole.
    zoom: (to) => zoom(wholeStretch(to)),
    choose: () => undefined,
  };
}

/** From the first whole number in a stretch to the last one; null where there are fewer than two. */
export function wholeStretch(stretch: Window | null): Window | null {
  if (!stretch) return null;
  const [low, high] = [Math.ceil(stretch[0]), Math.floor(stretch[1])];
  return low < high ? [low, high] : null;
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
