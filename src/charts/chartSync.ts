/** What charts side by side share: where they are read, where the cursor stands, what is zoomed into. */
import { useSyncExternalStore } from "react";

export interface ChartSync {
  subscribe(listener: () => void): () => void;
  /** Where the charts are read, on x; null when nobody points at them. */
  reading(): number | null;
  /** Where the page's cursor stands, on x. */
  mark(): number | null;
  read(x: number | null): void;
  /** Null shows all. */
  zoom(domain: [number, number] | null): void;
  /** Moves the page's cursor to a point of a curve. */
  choose(curve: string, iteration: number): void;
}

/** One chart's share of it: while the chart is out of sight it stands still, and then catches up. */
export interface OwnSync extends ChartSync {
  setVisible(visible: boolean): void;
}

export function whileVisible(sync: ChartSync): OwnSync {
  let visible = true;
  let last = { reading: sync.reading(), mark: sync.mark() };
  const listeners = new Set<() => void>();
  const now = () => {
    if (visible) last = { reading: sync.reading(), mark: sync.mark() };
    return last;
  };
  return {
    ...sync,
    reading: () => now().reading,
    mark: () => now().mark,
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

export function useReading(sync: ChartSync): number | null {
  return useSyncExternalStore(sync.subscribe, sync.reading);
}

export function useMark(sync: ChartSync): number | null {
  return useSyncExternalStore(sync.subscribe, sync.mark);
}
