/** What is marked, and how: hovered, focused, or pinned until released. */
import { useEffect, useMemo, useState } from "react";
import { sameMark, sameThing, type Mark } from "./marks.ts";

/** Never changes. */
export interface TermMarker {
  point: (mark: Mark | null) => void;
  focus: (mark: Mark | null) => void;
  /** Releases what is already pinned. */
  hold: (mark: Mark) => void;
}

/** The pointer has priority, then the focus, then the pin; Escape releases all of them. */
export function useMarkedTerm(): { mark: Mark | null; held: Mark | null; marker: TermMarker } {
  const [pointed, setPointed] = useState<Mark | null>(null);
  const [focused, setFocused] = useState<Mark | null>(null);
  const [held, setHeld] = useState<Mark | null>(null);
  const mark = pointed ?? focused ?? held;
  const isMarked = mark !== null;
  useEffect(() => {
    if (!isMarked) return;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === "Escape") [setPointed, setFocused, setHeld].forEach((set) => set(null));
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isMarked]);
  const marker = useMemo(
    (): TermMarker => ({
      point: (next) => setPointed((old) => (sameMark(old, next) ? old : next)),
      focus: (next) => setFocused((old) => (sameMark(old, next) ? old : next)),
      hold: (next) => setHeld((old) => (sameThing(old, next) ? null : next)),
    }),
    [],
  );
  return { mark, held, marker };
}
