/** How much of the browser's storage is used, and when to warn. */

export interface StorageUse {
  /** Bytes that this site uses, and the maximum it may use. */
  used: number;
  most: number;
}

/** Share of the available storage from which a warning is shown. */
const WORRY_SHARE = 0.8;
/** A warning is also shown with fewer bytes left than this: about the size of one more run. */
const WORRY_LEFT = 50_000_000;

/** Null if the browser does not report it. */
export async function storageUse(
  storage: Partial<Pick<StorageManager, "estimate">> | undefined = globalThis.navigator?.storage,
): Promise<StorageUse | null> {
  const { usage, quota } = (await storage?.estimate?.().catch(() => null)) ?? {};
  return usage === undefined || !quota ? null : { used: usage, most: quota };
}

export function isNearlyFull({ used, most }: StorageUse): boolean {
  return used >= WORRY_SHARE * most || most - used < WORRY_LEFT;
}
