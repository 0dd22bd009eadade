/** The reader's few persistent preferences, stored in the browser if possible. */
import { readValue, writeValue } from "../runtime/shelf/smallValue.ts";
import { isRecord } from "../spec/jsonText.ts";
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

/** `public/frame.js` reads the theme there before the first paint: the build writes the key into index.html. */
export const PREFERENCES_KEY = "turnbook.preferences.v1";
const DEFAULTS: Preferences = { theme: null, shortcuts: true, lowPower: false, layouts: [] };

/** @param saved as it was written, or anything else */
export function readPreferences(saved: unknown): Preferences {
  if (!isRecord(saved)) return DEFAULTS;
  const { theme, shortcuts, lowPower, layouts } = saved;
  return {
    theme: theme === "light" || theme === "dark" ? theme : null,
    shortcuts: shortcuts !== false,
    lowPower: lowPower === true,
    layouts: Array.isArray(layouts) ? layouts.filter(isLayout) : [],
  };
}

function isLayout(one: unknown): one is OwnLayout {
  const { name, dock } = Object(one) as Record<string, unknown>;
  return typeof name === "string" && typeof dock === "string";
}

export const preferences = createStore<Preferences>(() =>
  readPreferences(readValue("site", PREFERENCES_KEY)),
);

export function setPreferences(changes: Partial<Preferences>): void {
  preferences.setState(changes);
  writeValue("site", PREFERENCES_KEY, preferences.getState());
}
