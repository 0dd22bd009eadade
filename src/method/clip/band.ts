/** The range of log-ratios within which an algorithm's clip cuts nothing, and the level at which it acts. */
import type { Settings } from "../axes.ts";
import type { ClipBounds } from "./clipRule.ts";
import { clips } from "./clips.ts";
import { ratios } from "../objective/ratio.ts";

/** What one ratio covers. */
export type ClipLevel = "token" | "turn" | "episode" | "none";

export interface Band extends ClipBounds {
  level: ClipLevel;
}

const LEVELS = { token: "token", turn: "turn", trajectory: "episode" } as const;

/** A clip rule of one's own has no range that is known. */
export function bandOf(config: Settings & { own?: { clip?: string } }): Band {
  if (config.ratio === "none") return { level: "none", low: null, high: null, dual: null };
  if (config.own?.clip !== undefined)
    return { level: LEVELS[ratios[config.ratio].covers], low: null, high: null, dual: null };
  const { ofTokens, ...bounds } = clips[config.clip].band(config);
  return { level: ofTokens ? "token" : LEVELS[ratios[config.ratio].covers], ...bounds };
}
