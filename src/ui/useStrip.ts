/** A strip of buttons with one tab stop: arrows, Home and End move along it, and the focus follows the selection. */
import { useEffect, useRef, type KeyboardEvent, type RefObject } from "react";
import { keyStep } from "./roving.ts";

/** Props of the button at an index. */
export type StripItem = (index: number) => { tabIndex: number; "data-strip": number };

interface Strip<T extends HTMLElement> {
  ref: RefObject<T | null>;
  onKeyDown: (event: KeyboardEvent) => void;
  item: StripItem;
}

/** The target of a key from `at`; null for other keys. */
export function stripTarget(key: string, at: number, count: number): number | null {
  const last = count - 1;
  const by = keyStep(key, "row");
  if (by !== null) return Math.max(0, Math.min(at + by, last));
  if (key === "Home") return 0;
  return key === "End" ? last : null;
}

export function useStrip<T extends HTMLElement>(
  current: number,
  count: number,
  choose: (index: number) => void,
): Strip<T> {
  const ref = useRef<T>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    const strip = ref.current;
    const item = strip?.querySelector<HTMLElement>(`[data-strip="${current}"]`);
    if (!strip || !item) return;
    // Before it is painted, when its place is known anyway.
    const frame = requestAnimationFrame(() => scrollTo(strip, item.closest("th") ?? item));
    const active = document.activeElement;
    const isInside = active instanceof HTMLElement && active.dataset["strip"] !== undefined;
    // A button that is no longer drawn has lost the focus to the page.
    const isLost = hadFocus.current && active === document.body;
    if (isLost || (isInside && strip.contains(active) && active !== item))
      item.focus({ preventScroll: true });
    return () => cancelAnimationFrame(frame);
  }, [current, count]);
  const onKeyDown = (event: KeyboardEvent) => {
    const onItem = (event.target as HTMLElement).dataset["strip"] !== undefined;
    hadFocus.current = onItem;
    if (!onItem || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = stripTarget(event.key, current, count);
    if (next === null) return;
    event.preventDefault();
    choose(next);
  };
  return { ref, onKeyDown, item: (i) => ({ tabIndex: i === current ? 0 : -1, "data-strip": i }) };
}

/** Scrolls the strip's own box, never the page; its scroll padding on the left is covered, `data-below` should stay visible. */
function scrollTo(strip: HTMLElement, item: HTMLElement): void {
  const box = strip.getBoundingClientRect();
  const at = item.getBoundingClientRect();
  const inset = parseFloat(getComputedStyle(strip).scrollPaddingLeft) || 0;
  const below = Number(strip.dataset["below"] ?? 0);
  if (at.left < box.left + inset) strip.scrollLeft -= box.left + inset - at.left;
  else if (at.right > box.right) strip.scrollLeft += at.right - box.right;
  if (at.top < box.top) strip.scrollTop -= box.top - at.top;
  else if (at.bottom + below > box.bottom) strip.scrollTop += at.bottom + below - box.bottom;
}
