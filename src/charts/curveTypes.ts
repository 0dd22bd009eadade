/** A curve over the iterations, and the part of it that is seen. */
import type { Point } from "../numeric/downsample.ts";
import type { Marker } from "./palette.ts";

/** Low and high end of an interval at an x. */
export interface BandPoint {
  x: number;
  low: number;
  high: number;
}

export interface Curve {
  id: string;
  name: string;
  colour: string;
  dash: string;
  /** At its points where they are few, and at its label; none when absent. */
  marker?: Marker;
  /** How it stands out: the run that panels show, another run, a ghost behind them, the sender's of a link, or the baseline. */
  weight: "main" | "other" | "ghost" | "sender" | "baseline";
  /** Written on the line where one chart has lines of several runs; "" for none. */
  mark: string;
  /** All points; x ascending. Nothing is left out of these. */
  x: readonly number[];
  y: readonly (number | null)[];
  /** Which iteration a point belongs to. */
  iteration: readonly number[];
  /** How many runs a point is the mean of. */
  n: readonly number[];
  /** Which of them are drawn. */
  kept: readonly number[];
  points: readonly Point[];
  /** The numbers before smoothing, as far as they are drawn; null where the line is the raw one. */
  raw: readonly Point[] | null;
  /** All numbers before smoothing. */
  rawY: readonly (number | null)[];
  /** Null without an interval. */
  band: readonly BandPoint[] | null;
  /** Whether intervals are bars at points far apart; a band along the line when absent. */
  bars?: boolean;
  crashes: readonly { x: number; cause: string }[];
  /** In words: how many seeds, how many of them crashed; "" for a single run. */
  note: string;
}

export type Window = readonly [number, number];
