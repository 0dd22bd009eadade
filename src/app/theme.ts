/** Light or dark: the reader's choice, else the system's. CSS reads `data-theme` on the root element. */
import { preferences, setPreferences, type Theme } from "../store/preferences.ts";

const systemDark = () => matchMedia("(prefers-color-scheme: dark)");

export function currentTheme(): Theme {
  return preferences.getState().theme ?? (systemDark().matches ? "dark" : "light");
}

export function toggleTheme(): void {
  setPreferences({ theme: currentTheme() === "dark" ? "light" : "dark" });
}

/** Applies the theme now and whenever it changes. */
export function followTheme(): void {
  const apply = () => {
    document.documentElement.dataset["theme"] = currentTheme();
  };
  apply();
  preferences.subscribe(apply);
  systemDark().addEventListener("change", apply);
  // Paper is white.
  addEventListener("beforeprint", () => (document.documentElement.dataset["theme"] = "light"));
  addEventListener("afterprint", apply);
}

/** Called when the current theme may have changed. */
export function onThemeChange(listener: () => void): () => void {
  const unsubscribe = preferences.subscribe(listener);
  const media = systemDark();
  media.addEventListener("change", listener);
  return () => {
    unsubscribe();
    media.removeEventListener("change", listener);
  };
}
