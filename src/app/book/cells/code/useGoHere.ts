import { useEffect } from "react";
import { useHash } from "../../../route.ts";
import { experimentInAddress } from "../../bookAddress.ts";

/** Puts the focus on a code cell that the address names, as the formula panel's links do. */
export function useGoHere(id: string): void {
  const isNamed = experimentInAddress(useHash()) === id;
  useEffect(() => {
    const here = isNamed && document.querySelector<HTMLElement>(`[data-cell="${CSS.escape(id)}"]`);
    if (!here) return;
    here.tabIndex = -1;
    here.focus({ preventScroll: true });
    here.scrollIntoView({ block: "center" });
  }, [id, isNamed]);
}
