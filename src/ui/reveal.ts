/** Guess, then reveal: a figure that hides something describes it in `data-figure-hides`, and shows it on request. */
import { useEffect, useEffectEvent, type RefObject } from "react";

const ASKED = "turnbook-reveal";

/** What it still hides, in words; null for nothing. */
export function hiddenIn(figure: HTMLElement): string | null {
  return figure.dataset["figureHides"] ?? null;
}

/** Does nothing if it hides nothing. */
export function askToReveal(figure: HTMLElement): void {
  figure.dispatchEvent(new Event(ASKED));
}

/**
 * Lets the enclosing figure, or the part itself if it is one, hide something.
 * @param hides in words; null for nothing more.
 */
export function useReveal(
  part: RefObject<HTMLElement | null>,
  hides: string | null,
  onAsked: () => void,
): void {
  const hear = useEffectEvent(onAsked);
  useEffect(() => {
    const figure = figureOf(part);
    const listener = () => hear();
    figure?.addEventListener(ASKED, listener);
    return () => figure?.removeEventListener(ASKED, listener);
  }, [part]);
  useEffect(() => {
    const figure = figureOf(part);
    if (!figure || hides === null) return undefined;
    figure.dataset["figureHides"] = hides;
    return () => void delete figure.dataset["figureHides"];
  }, [part, hides]);
}

function figureOf({ current }: RefObject<HTMLElement | null>): HTMLElement | null {
  return current?.closest<HTMLElement>("[data-figure]") ?? null;
}
