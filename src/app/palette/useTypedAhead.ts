/**
 * Keys typed between the one that opens the palette and the mounting of its field: they are
 * collected for it, and hidden from the page's single-key actions (`r` would reset a run).
 */
import { useEffectEvent, useLayoutEffect, useState } from "react";

export interface TypedAhead {
  query: string;
  onQuery: (query: string) => void;
  /** Whether Enter was pressed before the results were there: it selects the first of them. */
  entered: boolean;
}

/** `waits`: whether there will be a field; if not, only Escape is handled. */
export function useTypedAhead(waits: boolean, onClose: () => void): TypedAhead {
  const [query, onQuery] = useState("");
  const [entered, setEntered] = useState(false);
  const hear = useEffectEvent((event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey } = event;
    const isHeld = ctrlKey || metaKey || altKey;
    const opensAgain = key.toLowerCase() === "k" && (ctrlKey || metaKey);
    if (isOwn(event.target) || (isHeld && !opensAgain)) return;
    if (!waits && key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (opensAgain || key === "Escape") onClose();
    else if (key === "Enter") setEntered(true);
    else onQuery((now) => withKey(now, key));
  });
  // Before the next key can be pressed.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => hear(event);
    window.addEventListener("keydown", listener, { capture: true });
    return () => window.removeEventListener("keydown", listener, { capture: true });
  }, []);
  return { query, onQuery, entered };
}

/** Once the palette has the focus, it handles its own keys. */
function isOwn(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(".palette") !== null;
}

/** The text after a key, as in a field with the cursor at its end. */
function withKey(text: string, key: string): string {
  if (key === "Backspace") return [...text].slice(0, -1).join("");
  return [...key].length === 1 ? text + key : text;
}
