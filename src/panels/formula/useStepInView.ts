/** A step that is gone to is in view, wherever the page was scrolled to. */
import { useEffect, useRef, type RefObject } from "react";
import type { StepChoice } from "./StepBar.tsx";

/** The first one stays where it is: nobody has gone to it. */
export function useStepInView(panel: RefObject<HTMLElement | null>, step: StepChoice): void {
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    const shown = step === "all" ? null : panel.current?.querySelector(".formula-step");
    if (!shown) return;
    const { top, bottom } = shown.getBoundingClientRect();
    // Room for what sticks to the top, as everything leaves it that is scrolled to.
    const padding = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
    if (top < padding || bottom > innerHeight) panel.current!.scrollIntoView({ block: "start" });
  }, [panel, step]);
}
