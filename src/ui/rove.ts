/** Many controls with one stop for Tab; the arrow keys go from one to the next. */
import type { KeyboardEvent } from "react";

const KEYS = {
  row: { ArrowRight: 1, ArrowLeft: -1 },
  column: { ArrowDown: 1, ArrowUp: -1 },
} as const;

/** For the element around its buttons. */
export function rove(event: KeyboardEvent<HTMLElement>, along: keyof typeof KEYS): void {
  const by = arrowStep(event, along);
  if (by === null) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  if (at < 0) return;
  event.preventDefault();
  buttons[at + by]?.focus();
}

/** Which way an arrow key goes; null for other keys. */
export function arrowStep({ key }: KeyboardEvent, along: keyof typeof KEYS): 1 | -1 | null {
  return (KEYS[along] as Record<string, 1 | -1>)[key] ?? null;
}
