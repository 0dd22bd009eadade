/** Whether the pane around a panel shows what is behind its "?": then numbers have all of their digits. */
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
  /** With a plus sign, too; `size` of the largest number that it stands beside, where that is known. */
  signed: (value: number | null | undefined, size?: number) => string;
}

/** Two decimals. */
export const BRIEF: NumberFormats = { plain: formatBrief, signed: formatSignedBrief };
/** All that is to be read of them. */
export const FULL: NumberFormats = { plain: formatNumber, signed: formatSigned };

/** How the numbers of a table are written: two decimals, or in full behind the pane's "?". */
export function useNumberFormats(): NumberFormats {
  return use(ExplainedContext) ? FULL : BRIEF;
}
