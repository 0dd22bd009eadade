/** Whether the pane around a panel shows its explanation: then numbers have all of their digits. */
import { createContext, use } from "react";
import { BRIEF, FULL, type NumberFormats } from "../numeric/format.ts";

export const ExplainedContext = createContext(false);

/** The number format of a table: two decimals, or all digits while the pane's "?" is open. */
export function useNumberFormats(): NumberFormats {
  return use(ExplainedContext) ? FULL : BRIEF;
}
