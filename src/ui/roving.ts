/** Many controls with one stop for Tab; the arrow keys go from one to the next. `useStrip` is for those that choose as they go. */
import type { KeyboardEvent } from "react";

const row = { ArrowRight: 1, ArrowLeft: -1 } as const;
const column = { ArrowDown: 1, ArrowUp: -1 } as const;
const KEYS = { row, column, both: { ...row, ...column } };

type Along = keyof typeof KEYS;

interface RoveOptions {
  /** What the controls are. */
  of?: "button" | "input";
  /** Whether the last one is followed by the first. */
  around?: boolean;
}

/** For the element around its controls. */
export function rove(
  event: KeyboardEvent<HTMLElement>,
  along: Along,
  { of = "button", around = false }: RoveOptions = {},
): void {
  const by = arrowStep(event, along);
  if (by === null) return;
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>(of)];
  const at = controls.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  const next = around ? (at + by + controls.length) % controls.length : at + by;
  controls[next]?.focus();
}

/** Which way an arrow key goes; null for other keys, and where Alt, Ctrl or Meta is held. */
export function arrowStep(
  { key, altKey, ctrlKey, metaKey }: KeyboardEvent,
  along: Along,
): 1 | -1 | null {
  return altKey || ctrlKey || metaKey ? null : keyStep(key, along);
}

/** The same of a key's name. */
export function keyStep(key: string, along: Along): 1 | -1 | null {
  return (KEYS[along] as Record<string, 1 | -1>)[key] ?? null;
}
