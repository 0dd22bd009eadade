/** How a shop page is used: by somebody whose presses become actions, or watched. */
import { createContext, useContext } from "react";
import type { ElementKey } from "../../../reading/shop/trip.ts";

interface PageUse {
  /** Does what an action's text says; null while a page is only watched. */
  act: ((text: string) => void) | null;
  /** The element that the watched turn uses, or that is chosen so far; null when there is none. */
  target: ElementKey | null;
  /** What stands in the search box at first: of a watched turn what it writes. */
  typed: string | null;
  /** How likely a model would do what an action's text says. */
  chances?: ReadonlyMap<string, number> | null;
}

export const PageUseContext = createContext<PageUse>({ act: null, target: null, typed: null });

export function usePage(): PageUse {
  return useContext(PageUseContext);
}
