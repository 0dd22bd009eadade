/** How the lens's charts of curves are looked at; shared by all of them. */
import type { SliceStore } from "./sliceStore.ts";

/** What x counts. */
export type CurveAxis = "iteration" | "turns" | "tokens" | "time";

/** What becomes of runs that differ only in their seed. */
export type Seeds = "each" | "mean" | "iqm";

export type IntervalKind = "t" | "bootstrap" | "none";

export interface CurvesView {
  axis: CurveAxis;
  /** What is zoomed into; null is everything. */
  domain: readonly [number, number] | null;
  /** Which stretch of x the reader has selected; null is none. */
  brush: readonly [number, number] | null;
  /** From 0, no smoothing, to below 1. */
  smoothing: number;
  /** Whether heights are on a logarithmic scale. */
  log: boolean;
  /** Whether the outermost heights are left out of the scale. */
  trim: boolean;
  seeds: Seeds;
  interval: IntervalKind;
  /** Ids of runs whose files have no seed, but which are seeds of one another: the reader says so. */
  together: readonly string[];
  /** Id of the line that others are compared with. */
  baseline: string | null;
  /** Ids of runs and names of algorithms that are not drawn. */
  hidden: readonly string[];
  /** What is charted: ids of curves with names of their own, or `source|metric`. */
  metrics: readonly string[];
  /** Where the charts are read, on the x axis; null when nobody points at them. */
  reading: number | null;
}

export interface CurvesSlice {
  curves: CurvesView;
}

export const START_VIEW: CurvesView = {
  axis: "iteration",
  domain: null,
  brush: null,
  smoothing: 0,
  log: false,
  trim: false,
  seeds: "mean",
  interval: "t",
  together: [],
  baseline: null,
  hidden: [],
  metrics: ["reward", "success", "heldout"],
  reading: null,
};

export function setCurves(store: SliceStore<CurvesSlice>, changes: Partial<CurvesView>): void {
  store.setState(({ curves }) => ({ curves: changed(curves, changes) }));
}

/** Another axis has other numbers: what was zoomed into or selected means nothing there. */
export function changed(curves: CurvesView, changes: Partial<CurvesView>): CurvesView {
  const fresh = changes.axis !== undefined && changes.axis !== curves.axis;
  return { ...curves, ...(fresh && { domain: null, brush: null, reading: null }), ...changes };
}

/** Shown if hidden, hidden if shown. */
export function toggled(hidden: readonly string[], id: string): string[] {
  return hidden.includes(id) ? hidden.filter((other) => other !== id) : [...hidden, id];
}
