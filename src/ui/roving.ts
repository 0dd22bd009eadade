/** Many controls with one tab stop; the arrow keys move between them. `useStrip` is for controls that select on focus. */
import type { KeyboardEvent } from "react";

const row = { ArrowRight: 1, ArrowLeft: -1 } as const;
const column = { ArrowDown: 1, ArrowUp: -1 } as const;
const KEYS = { row, column, both: { ...row, ...column } };

type Along = keyof typeof KEYS;

interface RoveOptions {
  /** What the controls are. */
  of?: "button" | "input";
  /** Whether it wraps around. */
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

/** The direction of an arrow key; null for other keys, and if Alt, Ctrl or Meta is held. */
export function arrowStep(
  { key, altKey, ctrlKey, metaKey }: KeyboardEvent,
  along: Along,
): 1 | -1 | null {
  return altKey || ctrlKey || metaKey ? null : keyStep(key, along);
}

/** The same from a key's name. */
export function keyStep(key: string, along: Along): 1 | -1 | null {
  return (KEYS[along] as Record<string, 1 | -1>)[key] ?? null;
}
