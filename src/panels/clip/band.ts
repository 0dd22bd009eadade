/** Where an algorithm's clip stands among log-ratios, and at which level it acts. */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { RatioLevel } from "../../spec/axes.ts";

/** What one ratio covers. */
export type ClipLevel = "token" | "turn" | "episode" | "none";

export interface Band {
  level: ClipLevel;
  /** Log-ratios between which nothing is cut; null: no bound on that side. */
  low: number | null;
  high: number | null;
  /** Log-ratio beyond which dual clip cuts A < 0; null without. */
  dual: number | null;
}

const LEVELS: Record<RatioLevel, ClipLevel> = {
  token: "token",
  "turn-product": "turn",
  "turn-geomean": "turn",
  "sequence-geomean": "episode",
  none: "none",
};

export function bandOf(config: AlgorithmConfig): Band {
  const { clip, epsLow, epsHigh, dualClip } = config;
  const level = LEVELS[config.ratio];
  if (level === "none") return { level, low: null, high: null, dual: null };
  // GMPO's range is one of log-ratios, and of tokens, whatever is pooled afterwards.
  if (clip === "log-geomean") return { level: "token", low: -epsLow, high: epsHigh, dual: null };
  const hasDual = dualClip !== null && clip !== "weight";
  return {
    level,
    low: epsLow < 1 ? Math.log(1 - epsLow) : null,
    high: Math.log(1 + epsHigh),
    dual: hasDual ? Math.log(dualClip) : null,
  };
}

/** Whether a bin lies beyond the band as a whole. */
export function isBeyond({ low, high }: Band, from: number, to: number): boolean {
  return (low !== null && to <= low) || (high !== null && from >= high);
}

/** Half of the axis: the counts' own range, widened to the band where that is not far away. */
export function axisLimit(limit: number, band: Band | null): number {
  const edges = [band?.low, band?.high].filter((edge) => typeof edge === "number");
  const near = edges.map((edge) => Math.abs(edge) * 1.15).filter((edge) => edge <= 3 * limit);
  return Math.max(limit, ...near);
}
