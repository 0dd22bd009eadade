/** Asks the browser not to clear what the page keeps when space runs low. */

/** Whether it promises so; false where it cannot be asked. It may ask the reader: call it after a click. */
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

/** Whether it has promised so; nobody is asked. */
export async function isPersistent(
  storage: Partial<Pick<StorageManager, "persisted">> | undefined = globalThis.navigator?.storage,
): Promise<boolean> {
  return (await storage?.persisted?.().catch(() => false)) ?? false;
}
