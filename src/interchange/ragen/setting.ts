/** What becomes of one setting in RAGEN. */
import type { Keys } from "../yaml.ts";

/**
 * Keys alone: carried over. Keys and a reason: changed on the way. A reason alone: no counterpart. No keys at
 * all and a reason: nothing to carry.
 */
export interface MappedSetting {
  /** Field of the spec, or all fields under it. */
  from: string;
  keys?: Keys;
  why?: string;
}
