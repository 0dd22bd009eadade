/** How a shop page is used: by a shopper, whose presses become actions, or watched. */
import { createContext, useContext } from "react";
import type { ElementKey } from "./trip.ts";

export interface PageUse {
  /** Does what an action's text says; null while a page is only watched. */
  act: ((text: string) => void) | null;
  /** The element that the watched turn uses; null when there is none. */
  target: ElementKey | null;
  /** What the watched turn writes into the search box. */
  typed: string | null;
}

export const PageUseContext = createContext<PageUse>({ act: null, target: null, typed: null });

export function usePage(): PageUse {
  return useContext(PageUseContext);
}
