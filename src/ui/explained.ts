/** What a panel knows of the pane around it. */
import { createContext, use } from "react";
import { BRIEF, FULL, type NumberFormats } from "../numeric/format.ts";

/** Whether it shows its explanation: then numbers have all of their digits. */
export const ExplainedContext = createContext(false);

/** Whether it is the lens's: a lesson does not tell what it asks for. */
export const LensContext = createContext(false);

/** The number format of a table: two decimals, or all digits while the pane's "?" is open. */
export function useNumberFormats(): NumberFormats {
  return use(ExplainedContext) ? FULL : BRIEF;
}
