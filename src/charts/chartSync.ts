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

export function useReading(sync: ChartSync): number | null {
  return useSyncExternalStore(sync.subscribe, sync.reading);
}

export function useMark(sync: ChartSync): number | null {
  return useSyncExternalStore(sync.subscribe, sync.mark);
}
