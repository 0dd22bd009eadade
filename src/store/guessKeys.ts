/** Guessing by key: where a figure asks which turn it was. */
import { useEffect, useEffectEvent } from "react";
import { preferences } from "./preferences.ts";

/** Keys 1 to the number of turns, if single keys are enabled and the reader is not typing. */
export function useGuessKeys(count: number, onGuess: (turn: number) => void): void {
  const guess = useEffectEvent(onGuess);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const typing =
        target instanceof HTMLElement && target.closest("input, select, textarea, [role=dialog]");
      if (typing || ctrlKey || metaKey || altKey || !preferences.getState().shortcuts) return;
      const turn = Number(key) - 1;
      if (!/^[1-9]$/.test(key) || turn >= count) return;
      // Elsewhere the key has another meaning.
      event.preventDefault();
      guess(turn);
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, [count]);
}
