/** The counterpart of one setting in RAGEN. */
import type { Keys } from "../yaml.ts";

/**
 * Keys only: carried over. Keys and a reason: changed. A reason only: no counterpart. Empty keys
 * and a reason: nothing to carry over.
 */
export interface MappedSetting {
  /** Field of the spec, or all fields under it. */
  from: string;
  keys?: Keys;
  why?: string;
}
