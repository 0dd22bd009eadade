/** Guess, then reveal: a figure that hides something says what by `data-figure-hides`, and shows it when it is asked to. */
import { useEffect, useEffectEvent, type RefObject } from "react";

const ASKED = "turnbook-reveal";

/** What it still hides, in words; null for nothing. */
export function hiddenIn(figure: HTMLElement): string | null {
  return figure.dataset["figureHides"] ?? null;
}

/** Nothing happens where it hides nothing. */
export function askToReveal(figure: HTMLElement): void {
  figure.dispatchEvent(new Event(ASKED));
}

export function useReveal(figure: RefObject<HTMLElement | null>, onAsked: () => void): void {
  const hear = useEffectEvent(onAsked);
  useEffect(() => {
    const element = figure.current;
    const listener = () => hear();
    element?.addEventListener(ASKED, listener);
    return () => element?.removeEventListener(ASKED, listener);
  }, [figure]);
}
