/** The reader's few persistent preferences, stored in the browser if possible. */
import { createStore } from "zustand/vanilla";

export type Theme = "light" | "dark";

export interface Preferences {
  /** Null follows the system. */
  theme: Theme | null;
  /** Single-key shortcuts; some assistive tools send stray letters. */
  shortcuts: boolean;
  /** Prefer the graphics card that saves power. */
  lowPower: boolean;
  /** The reader's own layouts of the lens: a dock's text by its name. */
  layouts: readonly OwnLayout[];
}

interface OwnLayout {
  name: string;
  dock: string;
}

const KEY = "turnbook.preferences.v1";
const DEFAULTS: Preferences = { theme: null, shortcuts: true, lowPower: false, layouts: [] };

/** In a sandboxed frame even accessing localStorage throws. */
function storage(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

export function readPreferences(from: Pick<Storage, "getItem"> | null): Preferences {
  try {
    const saved: unknown = JSON.parse(from?.getItem(KEY) ?? "null");
    if (typeof saved !== "object" || saved === null) return DEFAULTS;
    const { theme, shortcuts, lowPower, layouts } = saved as Record<string, unknown>;
    return {
      theme: theme === "light" || theme === "dark" ? theme : null,
      shortcuts: shortcuts !== false,
      lowPower: lowPower === true,
      layouts: Array.isArray(layouts) ? layouts.filter(isLayout) : [],
    };
  } catch {
    return DEFAULTS;
  }
}

function isLayout(one: unknown): one is OwnLayout {
  if (typeof one !== "object" || one === null) return false;
  const { name, dock } = one as Record<string, unknown>;
  return typeof name === "string" && typeof dock === "string";
}

export const preferences = createStore<Preferences>(() => readPreferences(storage()));

export function setPreferences(changes: Partial<Preferences>): void {
  preferences.setState(changes);
  try {
    storage()?.setItem(KEY, JSON.stringify(preferences.getState()));
  } catch {
    // Storage is full or forbidden: the choice lasts until the page is closed.
  }
}
