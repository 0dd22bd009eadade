/** Short messages about completed actions, which disappear by themselves. */
import { createStore } from "zustand/vanilla";

interface Toast {
  key: number;
  text: string;
  /** One possible follow-up action, such as undo. */
  action?: { name: string; run: () => void };
  testId?: string;
  /** An address that it is about, for tests. */
  link?: string;
}

/** More are not read: the oldest is removed. */
const MOST = 3;

export const toasts = createStore<{ all: readonly Toast[] }>(() => ({ all: [] }));

let last = 0;

export function say(toast: Omit<Toast, "key">): void {
  const key = ++last;
  toasts.setState(({ all }) => ({ all: [...all, { ...toast, key }].slice(-MOST) }));
}

export function dismiss(key: number): void {
  toasts.setState(({ all }) => ({ all: all.filter((one) => one.key !== key) }));
}
