/** Asks the browser not to clear the page's storage when space runs low. */

/** Whether the browser promises to keep it; false if it cannot be asked. It may prompt the reader: call it after a click. */
export async function askToPersist(
  storage: Partial<Pick<StorageManager, "persist" | "persisted">> | undefined = globalThis.navigator
    ?.storage,
): Promise<boolean> {
  try {
    return (await storage?.persisted?.()) || ((await storage?.persist?.()) ?? false);
  } catch {
    return false;
  }
}

/** Whether the browser has promised it; never prompts. */
export async function isPersistent(
  storage: Partial<Pick<StorageManager, "persisted">> | undefined = globalThis.navigator?.storage,
): Promise<boolean> {
  return (await storage?.persisted?.().catch(() => false)) ?? false;
}
