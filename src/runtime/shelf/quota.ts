/** How much of the browser's storage is used, and when that becomes a worry. */

export interface StorageUse {
  /** Bytes that this site uses, and that it may use at most. */
  used: number;
  most: number;
}

/** A share of what is available from which it is said. */
const WORRY_SHARE = 0.8;
/** Bytes left under which it is said, too: about what one more run takes. */
const WORRY_LEFT = 50_000_000;

/** Null where the browser does not say. */
export async function storageUse(
  storage: Partial<Pick<StorageManager, "estimate">> | undefined = globalThis.navigator?.storage,
): Promise<StorageUse | null> {
  const { usage, quota } = (await storage?.estimate?.().catch(() => null)) ?? {};
  return usage === undefined || !quota ? null : { used: usage, most: quota };
}

export function isNearlyFull({ used, most }: StorageUse): boolean {
  return used >= WORRY_SHARE * most || most - used < WORRY_LEFT;
}
