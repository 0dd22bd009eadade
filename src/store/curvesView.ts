/** The view of the lens's charts of curves; shared by all of them. */
import type { SliceStore } from "./sliceStore.ts";

/** What x counts. */
export type CurveAxis = "iteration" | "turns" | "tokens" | "time";

/** How runs that differ only in their seed are shown. */
export type Seeds = "each" | "mean" | "iqm";

export type IntervalKind = "t" | "bootstrap" | "none";

export interface CurvesView {
  axis: CurveAxis;
  /** The zoomed range; null is everything. */
  domain: readonly [number, number] | null;
  /** The range of x that the reader has selected; null is none. */
  brush: readonly [number, number] | null;
  /** From 0 (no smoothing) to below 1. */
  smoothing: number;
  /** Whether the y axis is logarithmic. */
  log: boolean;
  /** Whether outliers are ignored in the y scale. */
  trim: boolean;
  seeds: Seeds;
  interval: IntervalKind;
  /**
   * Ids of runs whose files have no seed, but which the reader has marked as seeds of one another.
   */
  together: readonly string[];
  /** Id of the line that others are compared with. */
  baseline: string | null;
  /** Ids of runs and names of algorithms that are hidden. */
  hidden: readonly string[];
  /** The metrics charted: ids of curves with their own names, or `source|metric`. */
  metrics: readonly string[];
  /** The one of them that was asked for: a low pane shows it alone. */
  lead: string | null;
  /** The hovered x position; null if none. */
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
  lead: null,
  reading: null,
};

export function setCurves(store: SliceStore<CurvesSlice>, changes: Partial<CurvesView>): void {
  store.setState(({ curves }) => ({ curves: changed(curves, changes) }));
}

/** Another axis has other numbers: zoom and selection are not meaningful there. */
export function changed(curves: CurvesView, changes: Partial<CurvesView>): CurvesView {
  const fresh = changes.axis !== undefined && changes.axis !== curves.axis;
  return { ...curves, ...(fresh && { domain: null, brush: null, reading: null }), ...changes };
}

/** Shown if hidden, hidden if shown. */
export function toggled(hidden: readonly string[], id: string): string[] {
  return hidden.includes(id) ? hidden.filter((other) => other !== id) : [...hidden, id];
}

/** Charts in one panel. */
export const MOST_CHARTS = 24;

/** With a chart of the metric, which was asked for; it takes the last one's place where there is no room. */
export function withMetric(
  metrics: readonly string[],
  id: string,
): Pick<CurvesView, "metrics" | "lead"> {
  const kept = metrics.slice(0, MOST_CHARTS - 1);
  return { metrics: metrics.includes(id) ? metrics : [...kept, id], lead: id };
}
