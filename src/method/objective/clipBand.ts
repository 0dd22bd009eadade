/** Where an algorithm's clip stands among log-ratios, and at which level it acts. */
import { log } from "../../numeric/deterministic.ts";
import type { RatioLevel, Settings } from "../axes.ts";

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

export function bandOf(config: Settings): Band {
  const { clip, epsLow, epsHigh, dualClip } = config;
  const level = LEVELS[config.ratio];
  if (level === "none") return { level, low: null, high: null, dual: null };
  // GMPO's range is one of log-ratios, and of tokens, whatever is pooled afterwards.
  if (clip === "log-geomean") return { level: "token", low: -epsLow, high: epsHigh, dual: null };
  const hasDual = dualClip !== null && clip !== "weight";
  return {
    level,
    low: epsLow < 1 ? log(1 - epsLow) : null,
    high: log(1 + epsHigh),
    dual: hasDual ? log(dualClip) : null,
  };
}
