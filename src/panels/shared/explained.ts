/** Whether the pane around a panel shows its explanation: then numbers have all of their digits. */
import { createContext, use } from "react";
import {
  formatBrief,
  formatNumber,
  formatSigned,
  formatSignedBrief,
} from "../../numeric/format.ts";

export const ExplainedContext = createContext(false);

export interface NumberFormats {
  plain: (value: number | null | undefined) => string;
  /** With a plus sign, too; `size`: the largest number shown with it, if known. */
  signed: (value: number | null | undefined, size?: number) => string;
}

/** Two decimals. */
export const BRIEF: NumberFormats = { plain: formatBrief, signed: formatSignedBrief };
/** All available digits. */
export const FULL: NumberFormats = { plain: formatNumber, signed: formatSigned };

/** The number format of a table: two decimals, or all digits while the pane's "?" is open. */
export function useNumberFormats(): NumberFormats {
  return use(ExplainedContext) ? FULL : BRIEF;
}
