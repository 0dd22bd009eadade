/** A small value in the browser's storage: of this tab, or of all pages of the site. It is lost where storage is forbidden or full. */

type Shelf = "tab" | "site";

/** In a sandboxed frame even naming a storage throws. */
function storageOf(shelf: Shelf): Storage {
  return shelf === "tab" ? sessionStorage : localStorage;
}

/** What was written there, unchecked; null where there is nothing, or nothing readable. */
export function readValue(shelf: Shelf, key: string): unknown {
  try {
    return JSON.parse(storageOf(shelf).getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** The texts of a list that was written there. */
export function readTexts(shelf: Shelf, key: string): string[] {
  const value = readValue(shelf, key);
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

export function writeValue(shelf: Shelf, key: string, value: unknown): void {
  try {
    storageOf(shelf).setItem(key, JSON.stringify(value));
  } catch {
    // It holds until the page is closed.
  }
}
